import * as z from 'zod/mini';
import { Actor } from '#shared/audit/audit-line';
import { isoTime } from '#shared/formats/timestamp';
import { type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import { type KnownManagementKeys, MANAGEMENT_KEY } from './management-key.ts';
import { SCOPES } from './management-key-scope.ts';

/** The item of a management key in the accounts table. */
export const ManagementKeyItem = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  hash: z.string(),
  /** Absent in keys that are older than this attribute, which version 1 proves. */
  secretVersion: z.optional(z.string()),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
  expiresAt: z.optional(z.string()),
  /** Absent in keys that are older than this attribute. */
  createdBy: z.optional(Actor),
  lastUsedAt: z.optional(z.string()),
});

export const managementKeyKey = (id: string): Key => ({ pk: `${MANAGEMENT_KEY}${id}`, sk: 'MANAGEMENT_KEY' });

export const knownManagementKeys = (table: Table): KnownManagementKeys => ({
  byId: (id) => readItem(table, managementKeyKey(id), (item) => ManagementKeyItem.parse(item)),

  async recordUse(id, { lastUsedAt }, now) {
    await updateItem(table, managementKeyKey(id), {
      // Many instances may read the same last use; only one of them writes.
      condition: `attribute_exists(pk) AND ${lastUsedAt === undefined ? 'attribute_not_exists(lastUsedAt)' : 'lastUsedAt = :read'}`,
      change: 'SET lastUsedAt = :now',
      values: { now: isoTime(now), read: lastUsedAt },
    });
  },
});
