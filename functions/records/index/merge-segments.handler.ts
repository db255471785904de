/** SQS worker: merges small segments of one record type, so that searches read few. */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { newObjectId } from '#shared/ids';
import { holdingMessage, sendMessage } from '#shared/queue/message-lease.sqs';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { log } from '#shared/telemetry/log';
import { indexBucket, recordsTable } from '../environment.ts';
import { RECORD_TYPES, type RecordType } from '../schemas/schema.ts';
import { mergeOnce } from './index-merge.ts';
import { manifestStore } from './manifests.dynamodb.ts';
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
const Message = z.strictObject({
  type: z.enum(RECORD_TYPES),
  /** Set when a merge waits for quiet: the version of the manifest that must still be the current one. */
  quietSince: z.optional(z.int()),
});

/** The index is quiet if no import has added a segment for this long: as long as a message can be delayed. */
const QUIET_SECONDS = 900;

export const handler = queueHandler(Message, async ({ message: { type, quietSince }, receiptHandle }) => {
  const time = quietSince === undefined ? 'busy' : 'quiet';
  if (quietSince !== undefined && (await versionOf(type)) !== quietSince) return;
  const merging = { queueUrl: env.MERGES_QUEUE, receiptHandle };
  const merged = await holdingMessage(merging, () => mergeOnce(deps, type, time));
  log.info('merge', { type, time, merged });
  // One merge per message: a large one takes most of the function's time.
  if (merged && time === 'busy') await sendMessage(env.MERGES_QUEUE, { type });
  else if (merged) await sendMessage(env.MERGES_QUEUE, { type, quietSince: await versionOf(type) });
  else if (time === 'busy') await waitForQuiet(type);
});

const waitForQuiet = async (type: RecordType) =>
  sendMessage(env.MERGES_QUEUE, { type, quietSince: await versionOf(type) }, { delaySeconds: QUIET_SECONDS });

const versionOf = async (type: RecordType) => (await deps.index.current(type)).version;
