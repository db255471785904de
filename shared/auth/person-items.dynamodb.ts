import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import { type KnownPeople, PERSON } from './person.ts';
import { ROLES } from './role.ts';

/** The item of a person in the accounts table. */
export const PersonItem = z.object({
  /** The name for signing in. */
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  email: z.optional(z.string()),
  role: z.enum(ROLES),
  active: z.boolean(),
  createdAt: z.string(),
  signedOutAt: z.optional(z.string()),
  lastSeenAt: z.optional(z.string()),
});

export const personKey = (id: string): Key => ({ pk: `${PERSON}${id}`, sk: 'PERSON' });

/** @param table of the accounts */
export const knownPeople = (table: Table): KnownPeople => ({
  byId: (id) => readItem(table, personKey(id), (item) => PersonItem.parse(item)),

  async recordRequest(id, { lastSeenAt }, now) {
    await updateItem(table, personKey(id), {
      // Many instances may read the same last request; only one of them writes.
      condition: `attribute_exists(pk) AND ${lastSeenAt === undefined ? 'attribute_not_exists(lastSeenAt)' : 'lastSeenAt = :read'}`,
      change: 'SET lastSeenAt = :now',
      values: { now: isoTime(now), read: lastSeenAt },
    });
  },
});
