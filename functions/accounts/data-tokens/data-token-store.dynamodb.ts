import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DATA_TOKENS } from '#shared/auth/data-token';
import { DataTokenItem, dataTokenKey, unchanged } from '#shared/auth/data-token-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { newId, type TenantKey } from '#shared/ids';
import { getItem, listItems, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table/table.dynamodb';
import type { DataToken, DataTokens } from './data-token.ts';

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

  change: (key, step) => change(table, key, step),

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

/** A change is tried so often, because downloads and other changes of the same token may come first. */
const TRIES_MAX = 50;
const CHANGED = ['planId', 'availableDownloads', 'monthlyDownloads', 'extraDownloads', 'creditMonth'] as const;

async function change(
  table: Table,
  { tenant, id }: TenantKey,
  step: (token: DataTokenItem) => DataToken,
): Promise<DataToken | undefined> {
  // The SDK repeats a write whose answer was lost: then the token bears this mark already.
  const mark = newId('chg');
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const item = await getItem(table, dataTokenKey(id));
    if (!item || item['tenant'] !== tenant) return undefined;
    const read = DataTokenItem.parse(item);
    if (item['changeMark'] === mark) return read;
    const next = step(read);
    if ((await whenAllowed(table.client.send(changing(table, read, next, mark)))).done) return next;
  }
  throw new Error(`The credit of ${id} changes faster than it can be written.`);
}

function changing(table: Table, read: DataTokenItem, next: DataToken, mark: string) {
  const set = CHANGED.filter((name) => next[name] !== undefined);
  const removed = CHANGED.filter((name) => next[name] === undefined);
  const { ConditionExpression, ExpressionAttributeValues } = unchanged(read, {
    ...Object.fromEntries(set.map((name) => [`:${name}`, next[name]])),
    ':mark': mark,
    ':seen_planId': read.planId,
  });
  return new UpdateItemCommand({
    TableName: table.name,
    Key: marshalled(dataTokenKey(read.tokenId)),
    UpdateExpression: [
      `SET changeMark = :mark, ${set.map((name) => `${name} = :${name}`).join(', ')}`,
      removed.length > 0 ? `REMOVE ${removed.join(', ')}` : '',
    ].join(' '),
    ConditionExpression: `${ConditionExpression} AND planId = :seen_planId`,
    ExpressionAttributeValues,
  });
}
