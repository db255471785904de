/** SQS worker: imports an object that was put into the import bucket, as far as the time allows. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { log } from '#shared/log';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
import { indexBucket, recordsTable } from '../environment.ts';
import { indexWriter } from '../index/index-writer.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { segmentSinks } from '../index/segment-sink.s3.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { importFiles } from './import-files.s3.ts';
import { newImportJob } from './import-job.ts';
import { importStore, jobUpdate } from './import-store.dynamodb.ts';
import { ObjectCreated, toImport } from './object-created.ts';
import { PART_LIMITS } from './part.ts';
import { runImport } from './run-import.ts';

export const Env = z.object({
  ...recordsTable,
  ...indexBucket,
  IMPORTS_BUCKET: resource,
  IMPORTS_QUEUE: resource,
  MERGES_QUEUE: resource,
});
const env = readEnv(Env);
const now = () => Date.now();
const table = boundTable(env.RECORDS_TABLE);
const jobs = importStore(table);
const writer = indexWriter({
  index: manifestStore(table, jobUpdate),
  objects: segmentStorage(env.INDEX_BUCKET),
  sinks: segmentSinks(env.INDEX_BUCKET),
  newId: () => newObjectId(now()),
});
const deps = { jobs, files: importFiles(env.IMPORTS_BUCKET), writer, limits: PART_LIMITS, now };

export const handler = queueHandler(ObjectCreated, async ({ message, receiptHandle, remainingMillis }) => {
  const { object, type } = toImport(message) ?? {};
  if (!object || !type) return;
  const job = await holdingMessage({ queueUrl: env.IMPORTS_QUEUE, receiptHandle }, async () =>
    runImport(deps, await jobs.begin(newImportJob(object, type, now())), remainingMillis),
  );
  log.info('import', { id: job.id, key: object.key, status: job.status, ...job.counts, error: job.error });
  if (job.parts > 0) await sendMessage(env.MERGES_QUEUE, { type });
  if (job.status === 'RUNNING') await sendMessage(env.IMPORTS_QUEUE, message);
});
