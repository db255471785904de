/** npm run import -- --type TYPE [--map FILE.json] [--stage NAME] FILE…: uploads files and waits until they are searchable. */

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { runCommand } from '#shared/command';
import { type Deployment, findDeployment } from '#shared/deployment.cloudformation';
import { newObjectId } from '#shared/ids';
import { dynamoDbClient, type Table } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import { importsOf, type WatchedJob } from '../import/import-store.dynamodb.ts';
import { readColumnMap } from '../import/rows/read-column-map.ts';
import type { RecordType } from '../schemas/schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { progressBar } from './progress-bar.ts';
import { type Rejection, ShownRejections } from './rejections.ts';

const USAGE = `Usage: npm run import -- --type TYPE [--map FILE.json] [--stage NAME] FILE…
TYPE is one of ${Object.keys(SCHEMAS).join(', ')}; a FILE is NDJSON or CSV (.csv), plain or gzip (.gz).`;

/**
 * A bucket that was made minutes ago may not announce its objects yet. An object without an import after this long is
 * put again: importing the same records again changes nothing.
 */
const UNNOTICED_MILLIS = 60_000;

/** An import that has been silent for this long has most likely ended in the dead-letter queue. */
const SILENT_MILLIS = 15 * 60_000;

interface Target {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly table: Table;
}

await runCommand(async () => {
  const { values, positionals: files } = parseArgs({
    options: { type: { type: 'string' }, map: { type: 'string' }, stage: { type: 'string' } },
    allowPositionals: true,
  });
  const { type } = values;
  if (!type || !isRecordType(type) || files.length === 0) throw new Error(USAGE);
  for (const file of files) await stat(file);
  const map = values.map === undefined ? undefined : await mapIn(values.map, type);
  const target = targetIn(await findDeployment(values.stage));
  let exitCode = 0;
  for (const file of files) exitCode = Math.max(exitCode, await importFile(target, { type, file, map }));
  return exitCode;
});

function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(SCHEMAS, type);
}

/** The text of a map that fits the record type: a wrong one would reject every line, after the upload. */
async function mapIn(file: string, type: RecordType): Promise<string> {
  const text = await readFile(file, 'utf8');
  const read = readColumnMap(text, SCHEMAS[type]);
  if (!read.ok) throw new Error(`${file}: ${read.message}`);
  return text;
}

function targetIn(deployment: Deployment): Target {
  return {
    s3: new S3Client({ ...deployment.client, forcePathStyle: deployment.client.endpoint !== undefined }),
    bucket: deployment.output('ImportsBucket'),
    table: { name: deployment.output('RecordsTable'), client: dynamoDbClient(deployment.client) },
  };
}

/** The exit code: 0 when every line was accepted, 2 when some were rejected. Failures throw. */
async function importFile(target: Target, { type, file, map }: { type: string; file: string; map?: string }) {
  const now = Date.now();
  const key = `${type}/${isoTime(now).slice(0, 10)}/${newObjectId(now)}/${basename(file)}`;
  if (map !== undefined) {
    await target.s3.send(new PutObjectCommand({ Bucket: target.bucket, Key: `${key}.map.json`, Body: map }));
  }
  await upload(target, key, file);
  const job = await finished(target.table, { key, file, putAgain: () => upload(target, key, file) });
  const { accepted, deleted, rejected } = job.counts;
  const outcome = [
    `${accepted} records imported`,
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
    ...(rejected > 0 ? [`${rejected} lines rejected`] : []),
  ];
  await printRejections(target, file, job);
  if (job.status === 'FAILED') throw new Error(`${file}: ${job.error} ${outcome.join(', ')} before that.`);
  console.log(`${file}: ${outcome.join(', ')}.`);
  return rejected > 0 ? 2 : 0;
}

async function upload({ s3, bucket }: Target, key: string, file: string) {
  const { size } = await stat(file);
  const bar = progressBar(`${basename(file)}: uploading`);
  const upload = new Upload({ client: s3, params: { Bucket: bucket, Key: key, Body: createReadStream(file) } });
  upload.on('httpUploadProgress', ({ loaded = 0 }) => bar.show(loaded / Math.max(1, size)));
  await upload.done();
  bar.end();
}

interface Waiting {
  readonly key: string;
  readonly file: string;
  readonly putAgain: () => Promise<void>;
}

async function finished(table: Table, { key, file, putAgain }: Waiting): Promise<WatchedJob> {
  const bar = progressBar(`${basename(file)}: indexing`);
  let heard = Date.now();
  let put = Date.now();
  let seen = '';
  while (true) {
    const job = (await importsOf(table, key)).at(-1);
    if (job && job.status !== 'RUNNING') {
      bar.end();
      return job;
    }
    const state = `${job?.updatedAt} ${job?.parts}`;
    if (state !== seen) heard = Date.now();
    seen = state;
    if (Date.now() - heard > SILENT_MILLIS) {
      bar.end();
      throw new Error(`${file}: the import has been silent for 15 minutes. Look at the dead-letter queue of imports.`);
    }
    if (!job && Date.now() - put > UNNOTICED_MILLIS) {
      await putAgain();
      put = Date.now();
    }
    bar.show((job?.progress?.bytesRead ?? 0) / Math.max(1, job?.object.bytes ?? 1));
    await sleep(job ? 250 : 100);
  }
}

/** The rejected lines, one report object after the other; of a reason that many lines share, only the first. */
async function printRejections({ s3, bucket }: Target, file: string, { reports }: WatchedJob) {
  const shown = new ShownRejections();
  for (const key of reports) {
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    for (const text of ((await body?.transformToString()) ?? '').split('\n')) {
      const line = text === '' ? undefined : shown.add(JSON.parse(text) as Rejection);
      if (line !== undefined) console.error(`${file} ${line}`);
    }
  }
  for (const line of shown.rest()) console.error(`${file} ${line}`);
  for (const key of reports) console.error(`The report of these lines: s3://${bucket}/${key}`);
}
