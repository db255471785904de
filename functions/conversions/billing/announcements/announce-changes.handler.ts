/** The reader of the table's stream: announces each change, in order. */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { invocation } from '#shared/invocation';
import { countFault } from '#shared/telemetry/faults';
import { log } from '#shared/telemetry/log';
import { announcing } from '../../environment.ts';
import { announcementIn } from './announcement-items.dynamodb.ts';
import { announcer } from './announcer.dynamodb.ts';

export const Env = z.object(announcing);
const announce = announcer(readEnv(Env));

/** A failure returns the rest to the stream. The sweeper announces what is given up after all tries. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    try {
      await announceChange(record);
    } catch (error) {
      log.error('not announced', { error });
      countFault();
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
  }
  return { batchItemFailures: [] };
});

async function announceChange({ dynamodb }: DynamoDBRecord): Promise<void> {
  const image = dynamodb?.NewImage as Parameters<typeof unmarshall>[0] | undefined;
  const announced = image && announcementIn(unmarshall(image));
  if (announced) await announce(announced);
}
