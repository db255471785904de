/** Run by npm start, unless LOCAL_DEMO is 0: imports the demo records, and orders downloads of them, once per data folder. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { runCommand } from '#shared/command/command';
import { type Deployment, findDeployment } from '#shared/command/deployment.cloudformation';
import { variable } from '#shared/env';
import { importsOf } from '#shared/import/import-store.dynamodb';
import { dynamoDbClient, type Table } from '#shared/table/table.dynamodb';
import type { RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { demoRecords } from './demo-records.ts';
import { publicApi } from './public-api.ts';

await runCommand(async () => {
  if (variable('LOCAL_DEMO') === '0') return 0;
  const deployment = await findDeployment(undefined);
  const table = { name: deployment.output('RecordsTable'), client: dynamoDbClient(deployment.client) };
  const s3 = new S3Client({ ...deployment.client, forcePathStyle: true });
  const bucket = deployment.output('ImportsBucket');
  await Promise.all(
    Object.keys(SCHEMAS).map(async (name) => {
      const type = name as RecordType;
      const key = `${type}/demo/records.ndjson`;
      if ((await importsOf(table, key)).length === 0) {
        const body = demoRecords(type)
          .map((record) => `${JSON.stringify(record)}\n`)
          .join('');
        await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));
      }
      await imported(table, key);
    }),
  );
  await orderDownloads(deployment);
  return 0;
});

async function orderDownloads(deployment: Deployment): Promise<void> {
  const api = publicApi(deployment.output('ApiUrl').replace(/\/+$/, ''), 'demo-token');
  if ((await api.requests()).length > 0) return;
  await api.start({ type: 'businesses', q: 'categories:restaurants', format: 'csv' });
  await api.start({ type: 'products', q: '*:*', format: 'json' });
}

async function imported(table: Table, key: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const job = (await importsOf(table, key)).at(0);
    if (job?.status === 'FAILED' || (job && job.counts.rejected > 0))
      throw new Error(`Demo data: ${job.error ?? 'rejected'}`);
    if (job?.status === 'COMPLETED') return;
    await sleep(50);
  }
  throw new Error(`Demo data: the import of ${key} has not ended within a minute.`);
}
