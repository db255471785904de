import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Deployment } from '#shared/command/deployment.cloudformation';
import { progressBar } from '#shared/command/progress-bar';
import { isoTime } from '#shared/formats/timestamp';
import { newObjectId } from '#shared/ids';
import type { WatchedJob } from '#shared/import/import-items.dynamodb';
import { importsOf } from '#shared/import/import-store.dynamodb';
import { type MapFields, readMap } from '#shared/import/rows/parse-import-map';
import { dynamoDbClient, type Table } from '#shared/table/table.dynamodb';
import { type Rejection, RejectionSummary } from './rejections.ts';

/**
 * A bucket that was created minutes ago may not send notifications yet. An object without an import after this long is
 * uploaded again, which is harmless.
 */
const UNNOTICED_MILLIS = 60_000;

/** An import without progress for this long has most likely ended in the dead-letter queue. */
const SILENT_MILLIS = 15 * 60_000;

/** The target of an import command, and the words for its output. */
export interface ImportTarget {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly table: Table;
  /** The first folder of the keys. */
  readonly folder: string;
  /** The name for a line's content: `record`. */
  readonly item: string;
  /** The name for the work after the upload: `indexing`. */
  readonly doing: string;
  readonly now: () => number;
}

type Names = Pick<ImportTarget, 'folder' | 'item' | 'doing' | 'now'>;

/** @param outputs the names of the stack outputs with the bucket and the table */
export function importTarget(
  deployment: Deployment,
  { outputs, ...names }: Names & { outputs: { bucket: string; table: string } },
): ImportTarget {
  return {
    s3: new S3Client({ ...deployment.client, forcePathStyle: deployment.client.endpoint !== undefined }),
    bucket: deployment.output(outputs.bucket),
    table: { name: deployment.output(outputs.table), client: dynamoDbClient(deployment.client) },
    ...names,
  };
}

/** The text of a map whose fields all exist. A wrong map would reject every line, and only after the upload. */
export async function mapIn(file: string, fields: MapFields): Promise<string> {
  const text = await readFile(file, 'utf8');
  const read = readMap(text, fields);
  if (!read.ok) throw new Error(`${file}: ${read.message}`);
  return text;
}

/**
 * Uploads files, waits until each is imported, and prints rejected lines. Returns the exit code: 0 if every line was
 * accepted, 2 if some were rejected. Other failures throw.
 * @param map the text of the import map for all files
 */
export async function importFiles(
  target: ImportTarget,
  { files, map }: { files: readonly string[]; map: string | undefined },
): Promise<number> {
  let exitCode = 0;
  for (const file of files) exitCode = Math.max(exitCode, await importFile(target, file, map));
  return exitCode;
}

async function importFile(target: ImportTarget, file: string, map: string | undefined): Promise<number> {
  const now = target.now();
  const key = `${target.folder}/${isoTime(now).slice(0, 10)}/${newObjectId(now)}/${basename(file)}`;
  if (map !== undefined) {
    await target.s3.send(new PutObjectCommand({ Bucket: target.bucket, Key: `${key}.map.json`, Body: map }));
  }
  await upload(target, key, file);
  const job = await finished(target, { key, file });
  const { accepted, deleted, rejected } = job.counts;
  const outcome = [
    `${counted(accepted, target.item)} imported`,
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
    ...(rejected > 0 ? [`${counted(rejected, 'line')} rejected`] : []),
  ];
  await printRejections(target, file, job);
  if (job.status === 'FAILED') throw new Error(`${file}: ${job.error} ${outcome.join(', ')} before that.`);
  process.stdout.write(`${file}: ${outcome.join(', ')}.\n`);
  return rejected > 0 ? 2 : 0;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

async function upload({ s3, bucket }: ImportTarget, key: string, file: string) {
  const { size } = await stat(file);
  const bar = progressBar(`${basename(file)}: uploading`);
  const upload = new Upload({ client: s3, params: { Bucket: bucket, Key: key, Body: createReadStream(file) } });
  upload.on('httpUploadProgress', ({ loaded = 0 }) => bar.show(loaded / Math.max(1, size)));
  await upload.done();
  bar.end();
}

async function finished(target: ImportTarget, { key, file }: { key: string; file: string }): Promise<WatchedJob> {
  const { table, doing, now } = target;
  const bar = progressBar(`${basename(file)}: ${doing}`);
  let progressAt = now();
  let put = now();
  let lastState = '';
  while (true) {
    const job = (await importsOf(table, key)).at(0);
    if (job && job.status !== 'RUNNING') {
      bar.end();
      return job;
    }
    const state = `${job?.updatedAt} ${job?.parts}`;
    if (state !== lastState) progressAt = now();
    lastState = state;
    if (now() - progressAt > SILENT_MILLIS) {
      bar.end();
      throw new Error(`${file}: the import has been silent for 15 minutes. Look at the dead-letter queue of imports.`);
    }
    if (!job && now() - put > UNNOTICED_MILLIS) {
      await upload(target, key, file);
      put = now();
    }
    bar.show((job?.progress?.bytesRead ?? 0) / Math.max(1, job?.object.bytes ?? 1));
    await sleep(job ? 250 : 100);
  }
}

const printError = (line: string) => process.stderr.write(`${line}\n`);

/** Prints the rejected lines, report by report; of lines with the same reason, only the first few. */
async function printRejections({ s3, bucket }: ImportTarget, file: string, { reports }: WatchedJob) {
  const summary = new RejectionSummary();
  for (const key of reports) {
    const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    for (const text of ((await body?.transformToString()) ?? '').split('\n')) {
      const line = text === '' ? undefined : summary.add(JSON.parse(text) as Rejection);
      if (line !== undefined) printError(`${file} ${line}`);
    }
  }
  for (const line of summary.rest()) printError(`${file} ${line}`);
  for (const key of reports) printError(`The report of these lines: s3://${bucket}/${key}`);
}
