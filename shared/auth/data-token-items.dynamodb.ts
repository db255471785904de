import * as z from 'zod/mini';
import type { SharedBuckets } from '#shared/metering/shared-buckets';
import { boundTable, getItem, type Key, listItems, type Table } from '#shared/table.dynamodb';
import { dataApi, type KnownToken, type KnownTokens } from './data-caller.ts';
import { DATA_TOKEN, DATA_TOKENS } from './data-token.ts';
import { previewBuckets } from './preview-buckets.dynamodb.ts';
import { accountStatus } from './tenant-items.dynamodb.ts';

/** The item of a downloads token in the accounts table. */
export const DataTokenItem = z.object({
  tokenId: z.string(),
  tenant: z.string(),
  planId: z.string(),
  availableDownloads: z.int(),
  createdAt: z.string(),
  revokedAt: z.optional(z.string()),
});
export type DataTokenItem = z.output<typeof DataTokenItem>;

export const dataTokenKey = (tokenId: string): Key => ({ pk: `${DATA_TOKEN}${tokenId}`, sk: 'DATA_TOKEN' });

export const knownTokens = (table: Table): KnownTokens => ({
  async byTokenId(tokenId): Promise<KnownToken | undefined> {
    const item = await getItem(table, dataTokenKey(tokenId));
    return item && DataTokenItem.parse(item);
  },
});

/** All tokens of a tenant, revoked ones too, the newest first. The list follows the table within moments. */
export async function tokensOf(table: Table, tenant: string): Promise<DataTokenItem[]> {
  const tokens: DataTokenItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await listItems(table, `${DATA_TOKENS}${tenant}`, {
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    tokens.push(...page.items.map((item) => DataTokenItem.parse(item)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tokens;
}

/** The `/v3` interface, with its tokens, accounts and the buckets of previews in this table. */
export function dataSurface(accountsTable: string, buckets?: SharedBuckets) {
  const table = boundTable(accountsTable);
  return dataApi({
    tokens: knownTokens(table),
    buckets: buckets ?? previewBuckets(table),
    statusOf: accountStatus(table),
  });
}

/** The same, serving suspended accounts too. */
export function dataSurfaceOfAll(accountsTable: string) {
  const table = boundTable(accountsTable);
  return dataApi({ tokens: knownTokens(table), buckets: previewBuckets(table) });
}
