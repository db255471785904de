import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DATA_TOKENS } from '#shared/auth/data-token';
import { DataTokenItem, dataTokenKey } from '#shared/auth/data-token-items.dynamodb';
import { getItem, listItems, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table.dynamodb';
import { isoTime } from '#shared/timestamp';
import type { DataTokens } from './data-token.ts';

const listOf = (tenant: string) => `${DATA_TOKENS}${tenant}`;

export const dataTokenStore = (table: Table): DataTokens => ({
  add: (token) =>
    putNewItem(table, {
      ...dataTokenKey(token.tokenId),
      ...token,
      list: listOf(token.tenant),
      position: `${token.createdAt}#${token.tokenId}`,
    }),

  async byId(tokenId) {
    const item = await getItem(table, dataTokenKey(tokenId));
    return item && DataTokenItem.parse(item);
  },

  async list(tenant, page) {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.map((item) => DataTokenItem.parse(item)) };
  },

  async revoke({ tenant, id }, now) {
    const write = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(dataTokenKey(id)),
          ConditionExpression: 'tenant = :tenant',
          UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
          ExpressionAttributeValues: marshalled({ ':tenant': tenant, ':now': isoTime(now) }),
        }),
      ),
    );
    return write.done;
  },
});
