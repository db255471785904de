import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import type { Run } from '../runs/run.ts';
import { runIn } from '../runs/run-items.dynamodb.ts';
import { pendingDispatch } from '../runs/run-machine.ts';
import { RUN_ITEM } from '../table-keys.ts';
import { type Dispatch, laneOf, ticketOf } from './ticket.ts';

/** Returns the ticket to send for a table change; undefined unless it stored a run with an attempt to dispatch. */
export function dispatchIn({ dynamodb }: DynamoDBRecord, now: number): Dispatch | undefined {
  const image = dynamodb?.NewImage;
  if (image?.['sk']?.S !== RUN_ITEM) return undefined;
  const run = readable(image);
  const next = run && pendingDispatch(run, now);
  if (!run || !next) return undefined;
  return { lane: laneOf(next), ticket: ticketOf(run, next.attempt), delayMillis: next.delayMillis };
}

/**
 * Returns undefined for an unreadable run, written by another version of this service: it must not block the records
 * behind it. The sweeper retries it.
 */
function readable(image: NonNullable<StreamRecord['NewImage']>): Run | undefined {
  try {
    return runIn(unmarshall(image as Parameters<typeof unmarshall>[0]));
  } catch (error) {
    log.error('unreadable run', { error, pk: image['pk']?.S });
    countFault();
    return undefined;
  }
}
