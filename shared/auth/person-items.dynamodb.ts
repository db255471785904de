import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, type Key, marshalled, type Table, whenAllowed } from '#shared/table/table.dynamodb';
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
  async byId(id) {
    const item = await getItem(table, personKey(id));
    return item && PersonItem.parse(item);
  },

  async recordRequest(id, { lastSeenAt }, now) {
    await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(personKey(id)),
          // Many instances may read the same last request; only one of them writes.
          ConditionExpression: `attribute_exists(pk) AND ${lastSeenAt === undefined ? 'attribute_not_exists(lastSeenAt)' : 'lastSeenAt = :read'}`,
          UpdateExpression: 'SET lastSeenAt = :now',
          ExpressionAttributeValues: marshalled({ ':now': isoTime(now), ':read': lastSeenAt }),
        }),
      ),
    );
  },
});
