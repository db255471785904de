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
import type { Item } from '#shared/table.dynamodb';
import { validationIn } from '../validations/validation-items.dynamodb.ts';
import { validationTold } from './validation-told.ts';

export const Env = z.object({ EVENT_BUS: resource });
const bus = eventBus({ name: readEnv(Env).EVENT_BUS, source: 'images' });

/** A failure gives the whole batch back: what was announced already is announced again, under the same ids. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  try {
    await bus.put(records.flatMap(announced));
    return { batchItemFailures: [] };
  } catch (error) {
    log.error('validations not announced', { error, records: records.length });
    countFault();
    return { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber ?? '' }] };
  }
});

/** One that cannot be read must not hold up the others. */
function announced(record: DynamoDBRecord): WebhookTrigger[] {
  const item = itemIn(record);
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
