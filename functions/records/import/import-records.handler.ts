/** SQS worker: imports an object that was put under the import bucket, as far as the time allows. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { log } from '#shared/log';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
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

const Env = z.object({
  DOWNLOADS_TABLE: z.string().min(1),
  IMPORTS_BUCKET: z.string().min(1),
  INDEX_BUCKET: z.string().min(1),
  IMPORTS_QUEUE: z.string().min(1),
  MERGES_QUEUE: z.string().min(1),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const now = () => new Date();
const table = boundTable(env.DOWNLOADS_TABLE);
const jobs = importStore(table);
const objects = segmentStorage(env.INDEX_BUCKET);
const index = manifestStore(table, jobUpdate);
const writer = indexWriter({ index, objects, sinks: segmentSinks(env.INDEX_BUCKET), newId: () => newObjectId(now()) });
const files = importFiles(env.IMPORTS_BUCKET);

export const handler = queueHandler(ObjectCreated, async ({ message, receiptHandle, remainingMillis }) => {
  const { object, type } = toImport(message) ?? {};
  if (!object || !type) return;
  const job = await holdingMessage({ queueUrl: env.IMPORTS_QUEUE, receiptHandle }, async () => {
    const begun = await jobs.begin(newImportJob(object, type, now()));
    return runImport({ jobs, files, writer, limits: PART_LIMITS, now }, begun, remainingMillis);
  });
  log.info('import', { id: job.id, key: object.key, status: job.status, ...job.counts, error: job.error });
  if (job.parts > 0) await sendMessage(env.MERGES_QUEUE, { type });
  if (job.status === 'RUNNING') await sendMessage(env.IMPORTS_QUEUE, message);
});
