import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { getItem, type Key, marshalled, type Table, whenAllowed } from '#shared/table.dynamodb';
import { SUBJECT_REQUEST } from '../table-keys.ts';
import type { SubjectRequests } from './subject-request.ts';

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

/** One item for each request, which expires with the runs of its newest event. */
export const subjectRequestStore = (table: Table, { retentionDays }: { retentionDays: number }): SubjectRequests => ({
  async note(request) {
    const ttl = Math.floor(request.eventAt / 1000) + retentionDays * 86_400;
    await whenAllowed(
      table.client.send(
        new PutItemCommand({
          TableName: table.name,
          Item: marshalled({ ...keyOf(request), ...request, ttl }),
          // Of two events at the same time the greater id counts, in whatever order they come.
          ConditionExpression: 'attribute_not_exists(pk) OR eventAt < :at OR (eventAt = :at AND eventId <= :event)',
          ExpressionAttributeValues: marshalled({ ':at': request.eventAt, ':event': request.eventId }),
        }),
      ),
    );
  },
  async byId(key) {
    const item = await getItem(table, keyOf(key));
    return item && SubjectRequestItem.parse(item);
  },
});
