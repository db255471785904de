/** SQS worker: merges small segments of one record type, so that searches read few. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { log } from '#shared/log';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
import { mergeOnce } from './index-merge.ts';
import { manifestStore } from './manifests.dynamodb.ts';
import { segmentSinks } from './segment-sink.s3.ts';
import { segmentStorage } from './segments.s3.ts';

const Env = z.object({
  DOWNLOADS_TABLE: z.string().min(1),
  INDEX_BUCKET: z.string().min(1),
  MERGES_QUEUE: z.string().min(1),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const now = () => new Date();
const deps = {
  index: manifestStore(boundTable(env.DOWNLOADS_TABLE)),
  objects: segmentStorage(env.INDEX_BUCKET),
  sinks: segmentSinks(env.INDEX_BUCKET),
  newId: () => newObjectId(now()),
  now,
};

const Message = z.strictObject({ type: z.enum(['businesses', 'products', 'properties']) });

export const handler = queueHandler(Message, async ({ message, receiptHandle }) => {
  const merged = await holdingMessage({ queueUrl: env.MERGES_QUEUE, receiptHandle }, () =>
    mergeOnce(deps, message.type),
  );
  log.info('merge', { ...message, merged });
  // One merge a message: a large one takes most of the time there is.
  if (merged) await sendMessage(env.MERGES_QUEUE, message);
});
