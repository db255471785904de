/** SQS worker: imports an object of the import bucket, as far as the time allows. */
import * as z from 'zod';
import { positiveInteger, readEnv, resource } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { importFiles } from '#shared/import/import-files.s3';
import { importStore, jobUpdate } from '#shared/import/import-store.dynamodb';
import { importHandler } from '#shared/import/import-worker.sqs';
import { waitingParts } from '#shared/import/waiting-parts.dynamodb';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import { boundTable } from '#shared/table/table.dynamodb';
import { indexBucket, recordsTable } from '../environment.ts';
import { indexWriter } from '../index/index-writer.ts';
import { manifestStore } from '../index/manifests.dynamodb.ts';
import { segmentSinks } from '../index/segment-sink.s3.ts';
import { segmentStorage } from '../index/segments.s3.ts';
import { isRecordType } from '../schemas/schema.ts';
import { importedRecords, PART_LIMITS } from './record-part.ts';

export const Env = z.object({
  ...recordsTable,
  ...indexBucket,
  IMPORTS_BUCKET: resource,
  IMPORTS_QUEUE: resource,
  MERGES_QUEUE: resource,
  WORKERS_PER_IMPORT: positiveInteger,
});
const env = readEnv(Env);
const now = () => Date.now();
const table = boundTable(env.RECORDS_TABLE);
const writer = indexWriter({
  index: manifestStore(table, jobUpdate),
  objects: segmentStorage(env.INDEX_BUCKET),
  sinks: segmentSinks(env.INDEX_BUCKET),
  newId: () => newObjectId(now()),
});

export const handler = importHandler({
  queueUrl: env.IMPORTS_QUEUE,
  typeOf: (folder) => (isRecordType(folder) ? folder : undefined),
  deps: {
    jobs: importStore(table),
    files: importFiles(env.IMPORTS_BUCKET),
    kind: importedRecords(writer, PART_LIMITS),
    now,
  },
  parallel: { workers: env.WORKERS_PER_IMPORT, waiting: waitingParts(table) },
  afterParts: (type) => sendMessage(env.MERGES_QUEUE, { type }),
});
