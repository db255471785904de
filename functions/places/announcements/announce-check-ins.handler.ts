/** The table's stream: announces each check-in on the bus, in order. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { checkInMade } from './check-in-made.ts';

export const Env = z.object({ EVENT_BUS: resource });
const bus = eventBus({ name: readEnv(Env).EVENT_BUS, source: 'places' });

/** A failure gives the whole batch back: what was announced already is announced again, under the same ids. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  try {
    await bus.put(records.flatMap((record) => announced(record) ?? []));
    return { batchItemFailures: [] };
  } catch (error) {
    log.error('check-ins not announced', { error, records: records.length });
    countFault();
    return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
  }
});

/** One that cannot be read must not hold up the others. */
function announced({ dynamodb }: DynamoDBRecord) {
  const image = dynamodb?.NewImage as Parameters<typeof unmarshall>[0] | undefined;
  const event = image && checkInMade(unmarshall(image));
  if (event) return event;
  log.error('unreadable check-in', { pk: dynamodb?.Keys?.['pk']?.S });
  countFault();
  return undefined;
}
