import * as z from 'zod';
import type { TenantKey } from '#shared/ids';
import { type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { putItem } from '#shared/table/writes.dynamodb';
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
    await putItem(
      table,
      { ...keyOf(request), ...request, ttl },
      {
        // If two events have the same time, the one with the greater id counts, in whatever order they are delivered.
        condition: 'attribute_not_exists(pk) OR eventAt < :at OR (eventAt = :at AND eventId <= :event)',
        values: { at: request.eventAt, event: request.eventId },
      },
    );
  };

export const subjectRequestById = (table: Table, key: TenantKey): Promise<SubjectRequest | undefined> =>
  readItem(table, keyOf(key), (item) => SubjectRequestItem.parse(item));
