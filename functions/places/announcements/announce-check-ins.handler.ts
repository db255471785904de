/** The table's stream: announces each check-in on the bus, in order. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { noteSeen, probeIn } from '#shared/stream-probe.dynamodb';
import { boundTable } from '#shared/table.dynamodb';
import { placesTable } from '../environment.ts';
import { checkInMade } from './check-in-made.ts';

export const Env = z.object({ ...placesTable, EVENT_BUS: resource });
const env = readEnv(Env);
const table = boundTable(env.PLACES_TABLE);
const bus = eventBus({ name: env.EVENT_BUS, source: 'places' });

/** A failure gives the whole batch back: what was announced already is announced again, under the same ids. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  try {
    const items = records.map(itemIn);
    const probes = items.flatMap((item) => probeIn(item) ?? []);
    await bus.put(items.flatMap((item) => (probeIn(item) === undefined ? announced(item) : [])));
    for (const sentAt of probes) await noteSeen(table, sentAt, Date.now());
    return { batchItemFailures: [] };
  } catch (error) {
    log.error('check-ins not announced', { error, records: records.length });
    countFault();
    return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
  }
});

function itemIn({ dynamodb }: DynamoDBRecord): Readonly<Record<string, unknown>> {
  return unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]);
}

/** One that cannot be read must not hold up the others. */
function announced(item: Readonly<Record<string, unknown>>) {
  const event = checkInMade(item);
  if (event) return [event];
  log.error('unreadable check-in', { pk: item['pk'] });
  countFault();
  return [];
}
