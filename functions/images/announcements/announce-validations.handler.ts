/** The table's stream: announces on the bus which records are decided, and which a person must look at, in order. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { readEnv, resource } from '#shared/env';
import { eventBus } from '#shared/events/event-bus.eventbridge';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { countFault } from '#shared/faults';
import { invocation } from '#shared/invocation';
import { log } from '#shared/log';
import { noteSeen, probeIn } from '#shared/stream-probe.dynamodb';
import { boundTable, type Item } from '#shared/table.dynamodb';
import { imagesTable } from '../environment.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';
import { validationTold } from './validation-told.ts';

export const Env = z.object({ ...imagesTable, EVENT_BUS: resource });
const env = readEnv(Env);
const table = boundTable(env.IMAGES_TABLE);
const bus = eventBus({ name: env.EVENT_BUS, source: 'images' });

/** A failure gives the whole batch back: what was announced already is announced again, under the same ids. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  try {
    const items = records.map(itemIn);
    await bus.put(items.flatMap((item) => (probeIn(item) === undefined ? announced(item) : [])));
    for (const sentAt of items.flatMap((item) => probeIn(item) ?? [])) await noteSeen(table, sentAt, Date.now());
    return { batchItemFailures: [] };
  } catch (error) {
    log.error('validations not announced', { error, records: records.length });
    countFault();
    return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
  }
});

/** One that cannot be read must not hold up the others. */
function announced(item: Item): WebhookTrigger[] {
  try {
    const event = validationTold(validationIn(item));
    return event ? [event] : [];
  } catch (error) {
    log.error('unreadable validation', { error, pk: item['pk'] });
    countFault();
    return [];
  }
}

function itemIn({ dynamodb }: DynamoDBRecord): Item {
  return unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]);
}
