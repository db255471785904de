/** Stream reader: sends the message of each run that was stored with an attempt to dispatch. */
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { lanes } from '../environment.ts';
import { dispatchIn } from './run-dispatch.dynamodb.ts';
import { deliveries } from './tickets.sqs.ts';

export const Env = z.object(lanes);
const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });

/**
 * Reports the batch as failed if messages could not be sent. After the retries of the stream the sweeper sends them.
 */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const now = Date.now();
  const unsent = await queues.sendAll(records.flatMap((record) => dispatchIn(record, now) ?? []));
  if (unsent.length === 0) return { batchItemFailures: [] };
  log.warn('announced attempts not sent', { unsent: unsent.length });
  countFault();
  return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
});
