import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { MANAGEMENT_KEYS } from '#shared/auth/management-key';
import { ManagementKeyItem, managementKeyKey } from '#shared/auth/management-key-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { listItems, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table/table.dynamodb';
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

  async list(tenant, page) {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.map((item) => ManagementKeyItem.parse(item)) };
  },

  async revoke({ tenant, id }, now) {
    const write = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(managementKeyKey(id)),
          ConditionExpression: 'tenant = :tenant',
          UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
          ExpressionAttributeValues: marshalled({ ':tenant': tenant, ':now': isoTime(now) }),
        }),
      ),
    );
    return write.done;
  },
});
