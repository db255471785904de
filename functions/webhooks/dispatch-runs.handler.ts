/** The table's stream: hands the attempts that runs announce to the queues. */

import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { deliveries } from './deliveries.sqs.ts';
import { runIn } from './run-items.dynamodb.ts';
import { type Delivery, laneOf, ticketOf } from './runs/deliver-run.ts';
import type { Run } from './runs/run.ts';
import { announced } from './runs/run-machine.ts';

const Env = z.object({ FAST_QUEUE: z.string().min(1), SLOW_QUEUE: z.string().min(1) });
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });

/** What cannot be sent after some tries is given up here: the sweeper finds the runs that nothing came of. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const now = Date.now();
  const unsent = await queues.sendAll(records.flatMap((record) => deliveryIn(record, now) ?? []));
  if (unsent.length === 0) return { batchItemFailures: [] };
  log.warn('announced attempts not sent', { unsent: unsent.length });
  return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
});

function deliveryIn({ dynamodb }: DynamoDBRecord, now: number): Delivery | undefined {
  const image = dynamodb?.NewImage;
  if (image?.['sk']?.S !== 'RUN') return undefined;
  const run = readable(image);
  if (!run) return undefined;
  const next = announced(run, now);
  if (!next) return undefined;
  return { lane: laneOf(next), ticket: ticketOf(run, next.attempt), delayMillis: next.delayMillis };
}

/** A run that another version of this service wrote must not hold up those behind it; the sweeper comes back to it. */
function readable(image: NonNullable<StreamRecord['NewImage']>): Run | undefined {
  try {
    return runIn(unmarshall(image as Parameters<typeof unmarshall>[0]));
  } catch (error) {
    log.error('unreadable run', { error, pk: image['pk']?.S });
    return undefined;
  }
}
