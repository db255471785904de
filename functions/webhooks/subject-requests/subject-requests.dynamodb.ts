import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { getItem, type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import { SUBJECT_REQUEST } from '../table-keys.ts';
import type { NoteSubjectRequest, SubjectRequest } from './subject-request.ts';

const SubjectRequestItem = z.object({
  id: z.string(),
  tenant: z.string(),
  status: z.string().optional(),
  trigger: z.string(),
  updatedAt: z.string(),
  runs: z.array(z.string()),
  eventId: z.string(),
  eventAt: z.number(),
});

const keyOf = ({ tenant, id }: TenantKey): Key => ({ pk: `${SUBJECT_REQUEST}${tenant}#${id}`, sk: 'STATE' });

/** Stores one item for each request. It expires as long after its newest event came as a run does. */
export const noteSubjectRequest =
  (table: Table, { retentionDays }: { retentionDays: number }): NoteSubjectRequest =>
  async (request, now) => {
    const ttl = Math.floor(now / 1000) + retentionDays * 86_400;
    await whenAllowed(
      table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: marshalled({ ...keyOf(request), ...request, ttl }),
          // If two events have the same time, the one with the greater id counts, in whatever order they are delivered.
          ConditionExpression: 'attribute_not_exists(pk) OR eventAt < :at OR (eventAt = :at AND eventId <= :event)',
          ExpressionAttributeValues: marshalled({ ':at': request.eventAt, ':event': request.eventId }),
        }),
      ),
    );
  };

export async function subjectRequestById(table: Table, key: TenantKey): Promise<SubjectRequest | undefined> {
  const item = await getItem(table, keyOf(key));
  return item && SubjectRequestItem.parse(item);
}
