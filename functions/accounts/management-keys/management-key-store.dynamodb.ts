import { MANAGEMENT_KEYS } from '#shared/auth/management-key';
import { ManagementKeyItem, managementKeyKey } from '#shared/auth/management-key-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { listPage, putNewItem, type Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import type { ManagementKeys } from './management-key.ts';

const listOf = (tenant: string) => `${MANAGEMENT_KEYS}${tenant}`;

export const managementKeyStore = (table: Table): ManagementKeys => ({
  add: (key) =>
    putNewItem(table, {
      ...managementKeyKey(key.id),
      ...key,
      list: listOf(key.tenant),
      position: `${key.createdAt}#${key.id}`,
    }),

  list: (tenant, page) => listPage(table, listOf(tenant), page, (item) => ManagementKeyItem.parse(item)),

  async revoke({ tenant, id }, now) {
    const { done } = await updateItem(table, managementKeyKey(id), {
      condition: 'tenant = :tenant',
      change: 'SET revokedAt = if_not_exists(revokedAt, :now)',
      values: { tenant, now: isoTime(now) },
    });
    return done;
  },
});
