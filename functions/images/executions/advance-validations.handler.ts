/**
 * Worker of the table's stream: starts an execution for each complete validation, and resumes it when a review ends.
 */
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { invocation } from '#shared/invocation';
import { countFault } from '#shared/telemetry/faults';
import { log, tenantIn, withLogFields } from '#shared/telemetry/log';
import { originOf } from '#shared/telemetry/origin';
import { advance } from './advance.ts';
import { changeIn } from './changes.dynamodb.ts';
import { executions } from './executions.sfn.ts';

export const Env = z.object({ STATE_MACHINE: resource });
const machine = executions(readEnv(Env).STATE_MACHINE);

/** Handles changes in order. After a failure, it and all later ones are delivered again, which starts nothing twice. */
export const handler = invocation(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  for (const record of records) {
    const item = itemOf(record);
    try {
      const change = changeIn(item);
      if (change) await withLogFields({ ...tenantIn(item), ...originOf(item) }, async () => advance(machine, change));
    } catch (error) {
      log.error('validation not advanced', { error, ...tenantIn(item) });
      countFault();
      return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
    }
  }
  return { batchItemFailures: [] };
});

const itemOf = ({ dynamodb }: DynamoDBRecord) =>
  unmarshall((dynamodb?.NewImage ?? {}) as Parameters<typeof unmarshall>[0]);
