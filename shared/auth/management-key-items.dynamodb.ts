import * as z from 'zod/mini';
import { getItem, type Key, type Table } from '#shared/table.dynamodb';
import { type KnownManagementKey, type KnownManagementKeys, MANAGEMENT_KEY } from './management-key.ts';
import { SCOPES } from './management-scope.ts';

/** The item of a management key in the accounts table. */
export const ManagementKeyItem = z.object({
  id: z.string(),
  tenant: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  hash: z.string(),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});

export const managementKeyKey = (id: string): Key => ({ pk: `${MANAGEMENT_KEY}${id}`, sk: 'MANAGEMENT_KEY' });

export const knownManagementKeys = (table: Table): KnownManagementKeys => ({
  async byId(id): Promise<KnownManagementKey | undefined> {
    const item = await getItem(table, managementKeyKey(id));
    return item && ManagementKeyItem.parse(item);
  },
});
