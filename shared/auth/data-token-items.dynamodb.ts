import * as z from 'zod/mini';
import { boundTable, getItem, type Key, type Table } from '#shared/table.dynamodb';
import { dataApi, type KnownToken, type KnownTokens } from './data-caller.ts';
import { DATA_TOKEN } from './data-token.ts';

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

/** The `/v3` interface, with its tokens in this table. */
export const dataSurface = (accountsTable: string) => dataApi(knownTokens(boundTable(accountsTable)));
