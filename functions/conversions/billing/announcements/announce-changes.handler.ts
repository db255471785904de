/** The reader of the table's stream: announces each change, in order. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import type { Item } from '#shared/table/table.dynamodb';
import { countFault } from '#shared/telemetry/faults';
import { log, tenantIn, withLogFields } from '#shared/telemetry/log';
import { announcing } from '../../environment.ts';
import { announcementIn } from './announcement-items.dynamodb.ts';
import { announcer } from './announcer.dynamodb.ts';

export const Env = z.object(announcing);
const announce = announcer(readEnv(Env));

/** A failure returns the rest to the stream. The sweeper announces what is given up after all tries. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    const item = itemIn(record);
    try {
      await withLogFields(tenantIn(item), async () => announceChange(item));
    } catch (error) {
      log.error('not announced', { error, ...tenantIn(item) });
      countFault();
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
  }
  return { batchItemFailures: [] };
});

const itemIn = ({ dynamodb }: DynamoDBRecord): Item =>
  unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]);

async function announceChange(item: Item): Promise<void> {
  const announced = announcementIn(item);
  if (announced) await announce(announced);
}
