import { DATA_TOKENS } from '#shared/auth/data-token';
import { DataTokenItem, dataTokenKey, unchanged } from '#shared/auth/data-token-items.dynamodb';
import { isoTime } from '#shared/formats/timestamp';
import { newId, type TenantKey } from '#shared/ids';
import { getItem, listPage, putNewItem, readItem, type Table } from '#shared/table/table.dynamodb';
import { assignment, type Change, updateItem } from '#shared/table/writes.dynamodb';
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

  byId: (tokenId) => readItem(table, dataTokenKey(tokenId), (item) => DataTokenItem.parse(item)),

  change: (key, step) => change(table, key, step),

  list: (tenant, page) => listPage(table, listOf(tenant), page, (item) => DataTokenItem.parse(item)),

  async revoke({ tenant, id }, now) {
    const { done } = await updateItem(table, dataTokenKey(id), {
      condition: 'tenant = :tenant',
      change: 'SET revokedAt = if_not_exists(revokedAt, :now)',
      values: { tenant, now: isoTime(now) },
    });
    return done;
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
    if ((await updateItem(table, dataTokenKey(id), changing(read, next, mark))).done) return next;
  }
  throw new Error(`The credit of ${id} changes faster than it can be written.`);
}

function changing(read: DataTokenItem, next: DataToken, changeMark: string): Change {
  const changed = { changeMark, ...Object.fromEntries(CHANGED.map((name) => [name, next[name]])) };
  const { condition, values } = unchanged(read);
  return {
    ...assignment(changed),
    condition: `${condition} AND planId = :seen_planId`,
    values: { ...values, ...changed, seen_planId: read.planId },
  };
}
