import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions } from '../cloud/local-cloud.ts';
import type { RunningService } from '../cloud/running-service.ts';

/** Uploads records as `npm run import` does, without a process, and returns when they can be searched. */
export async function importRecords({ cloud }: RunningService, type: string, records: readonly object[]) {
  const s3 = new S3Client({ ...clientOptions(cloud), forcePathStyle: true });
  const Body = records.map((record) => JSON.stringify(record)).join('\n');
  await s3.send(new PutObjectCommand({ Bucket: cloud.outputs['ImportsBucket'], Key: `${type}/made.ndjson`, Body }));
  s3.destroy();
  await cloud.settled();
}
