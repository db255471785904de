/** SQS worker: merges small segments of one record type, so that searches read few. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { indexBucket, recordsTable } from '../environment.ts';
import { RECORD_TYPES } from '../schemas/schema.ts';
import { mergeOnce } from './index-merge.ts';
import { manifestStore } from './manifests.dynamodb.ts';
import { mergeStep } from './merge-step.ts';
import { segmentSinks } from './segment-sink.s3.ts';
import { segmentStorage } from './segments.s3.ts';

export const Env = z.object({ ...recordsTable, ...indexBucket, MERGES_QUEUE: resource });
const env = readEnv(Env);
const now = () => Date.now();
const deps = {
  index: manifestStore(boundTable(env.RECORDS_TABLE)),
  objects: segmentStorage(env.INDEX_BUCKET),
  sinks: segmentSinks(env.INDEX_BUCKET),
  newId: () => newObjectId(now()),
  now,
};
const Message = z.strictObject({ type: z.enum(RECORD_TYPES), quietSince: z.optional(z.int()) });

export const handler = queueHandler(Message, async ({ message, receiptHandle }) => {
  const merging = { queueUrl: env.MERGES_QUEUE, receiptHandle };
  const step: Parameters<typeof mergeStep>[0] = {
    index: deps.index,
    merge: (type, time) => holdingMessage(merging, () => mergeOnce(deps, type, time)),
    send: (next, delay) => sendMessage(env.MERGES_QUEUE, next, delay),
  };
  log.info('merge', { ...message, merged: await mergeStep(step, message) });
});
