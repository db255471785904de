/** The table's stream: hands the attempts that runs announce to the queues. */

import { unmarshall } from '@aws-sdk/util-dynamodb';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { log } from '#shared/log';
import { lanes } from '../environment.ts';
import type { Run } from '../runs/run.ts';
import { runIn } from '../runs/run-items.dynamodb.ts';
import { announced } from '../runs/run-machine.ts';
import { RUN_ITEM } from '../table-keys.ts';
import { type Dispatch, laneOf, ticketOf } from './ticket.ts';
import { deliveries } from './tickets.sqs.ts';

export const Env = z.object(lanes);
const env = readEnv(Env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });

/** What cannot be sent after some tries is given up here: the sweeper finds the runs that nothing came of. */
export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse>().handler(async ({ Records: records }) => {
  const now = Date.now();
  const unsent = await queues.sendAll(records.flatMap((record) => dispatchIn(record, now) ?? []));
  if (unsent.length === 0) return { batchItemFailures: [] };
  log.warn('announced attempts not sent', { unsent: unsent.length });
  return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
});

function dispatchIn({ dynamodb }: DynamoDBRecord, now: number): Dispatch | undefined {
  const image = dynamodb?.NewImage;
  if (image?.['sk']?.S !== RUN_ITEM) return undefined;
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
    log.error('unreadable run', { pk: image['pk']?.S, error: String(error) });
    return undefined;
  }
}
