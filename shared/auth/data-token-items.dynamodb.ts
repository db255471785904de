import * as z from 'zod/mini';
import type { SharedBuckets } from '#shared/metering/shared-buckets';
import { boundTable, type Key, readItem, type Table, wholeList } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import { type DataTokenLookup, dataApi } from './data-caller.ts';
import { renewed } from './data-credit.ts';
import { DATA_TOKEN, DATA_TOKENS } from './data-token.ts';
import { previewBuckets } from './preview-buckets.dynamodb.ts';
import { accountStatus } from './tenant-items.dynamodb.ts';

/** The item of a data token in the accounts table. */
export const DataTokenItem = z.object({
  tokenId: z.string(),
  tenant: z.string(),
  planId: z.string(),
  availableDownloads: z.int(),
  monthlyDownloads: z.optional(z.int()),
  extraDownloads: z.optional(z.int()),
  creditMonth: z.optional(z.string()),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});
export type DataTokenItem = z.output<typeof DataTokenItem>;

export const dataTokenKey = (tokenId: string): Key => ({ pk: `${DATA_TOKEN}${tokenId}`, sk: 'DATA_TOKEN' });

export const knownTokens = (table: Table): DataTokenLookup => ({
  byTokenId: (tokenId) => readItem(table, dataTokenKey(tokenId), (item) => DataTokenItem.parse(item)),
});

/** Renews a credit whose month is over, unless it was changed since it was read. Of concurrent callers, one writes. */
export async function renewCredit(table: Table, read: DataTokenItem, now: number): Promise<void> {
  const { availableDownloads, extraDownloads, creditMonth } = renewed(read, now);
  const { condition, values } = unchanged(read);
  await updateItem(table, dataTokenKey(read.tokenId), {
    change: 'SET availableDownloads = :available, extraDownloads = :extra, creditMonth = :month',
    condition,
    values: { ...values, available: availableDownloads, extra: extraDownloads, month: creditMonth },
  });
}

const CREDIT = ['availableDownloads', 'monthlyDownloads', 'extraDownloads', 'creditMonth'] as const;

/** The condition that a credit is unchanged since it was read. */
export const unchanged = (read: DataTokenItem) => ({
  condition: CREDIT.map((name) =>
    read[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :seen_${name}`,
  ).join(' AND '),
  values: Object.fromEntries(CREDIT.map((name) => [`seen_${name}`, read[name]])),
});

/** All data tokens of a tenant, revoked ones included, newest first. The list is eventually consistent with the table. */
export async function tokensOf(table: Table, tenant: string): Promise<DataTokenItem[]> {
  const items = await Array.fromAsync(wholeList(table, `${DATA_TOKENS}${tenant}`));
  return items.map((item) => DataTokenItem.parse(item));
}

/** The `/v3` interface with the tokens, accounts and preview buckets of this table. */
export function dataSurface(accountsTable: string, buckets?: SharedBuckets) {
  const table = boundTable(accountsTable);
  return dataApi({
    tokens: knownTokens(table),
    buckets: buckets ?? previewBuckets(table),
    statusOf: accountStatus(table),
  });
}

/** The `/v3` interface for routes that also serve suspended accounts. */
export function dataSurfaceOfAll(accountsTable: string) {
  const table = boundTable(accountsTable);
  return dataApi({
    tokens: knownTokens(table),
    buckets: previewBuckets(table),
    statusOf: accountStatus(table),
    servesSuspended: true,
  });
}
