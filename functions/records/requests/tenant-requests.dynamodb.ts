import * as z from 'zod';
import { atOnce } from '#shared/at-once';
import { tokensOf } from '#shared/auth/data-token-items.dynamodb';
import { noSuch } from '#shared/errors';
import { decodeCursor, encodeCursor } from '#shared/http/cursor';
import type { Page, PageQuery } from '#shared/http/page';
import { queryPage } from '#shared/table/queries.dynamodb';
import { getItem, readItem, type Table } from '#shared/table/table.dynamodb';
import { FileItem, fileKey, planKey, RequestItem, requestKey } from '../download/download-items.dynamodb.ts';
import type { DownloadRequest } from '../download/download-request.ts';
import { requestOf } from '../download/download-store.dynamodb.ts';
import { newestOf, type RequestedFile, requestIdOf } from './tenant-request.ts';

const Owner = z.object({ tokenId: z.string() });

/** A request of one of the tenant's tokens. Its plan, which is stored under the id alone, names the token. */
export async function requestOfTenant(
  table: Table,
  { tenant, id }: { readonly tenant: string; readonly id: number },
): Promise<DownloadRequest | undefined> {
  const plan = await getItem(table, planKey({ id }));
  const request = plan && (await requestOf(table, { ...Owner.parse(plan), id }));
  return request?.tenant === tenant ? request : undefined;
}

/** Returns the file of a request of one of the tenant's tokens. Throws the 404 of a request that does not exist. */
export async function fileOfTenant(
  table: Table,
  { tenant, id, number }: { readonly tenant: string; readonly id: string; readonly number: number },
): Promise<RequestedFile> {
  const request = await requestOfTenant(table, { tenant, id: requestIdOf(id) });
  if (!request) noSuch('request');
  return { request, number, file: await readItem(table, fileKey(request, number), (item) => FileItem.parse(item)) };
}

/** The most concurrent queries. */
const QUERIES_AT_ONCE = 8;

/**
 * A page of the requests of all tokens of a tenant, revoked ones included, newest first. Each token is a query of its
 * own: an index over tenants would have to be written with every file of every download.
 * @param accounts the table of the tokens
 * @param own a token that is included even if the list of tokens does not have it yet
 */
export async function requestsOfTenant(
  { records, accounts }: { readonly records: Table; readonly accounts: Table },
  tenant: string,
  { limit, cursor }: PageQuery,
  own?: string,
): Promise<Page<DownloadRequest>> {
  const list = listOf(tenant);
  const before = idIn(decodeCursor(list, cursor, ['id'])?.['id']);
  const lists: DownloadRequest[][] = [];
  // The query reads one more request, which shows whether a page follows.
  const listed = (await tokensOf(accounts, tenant)).map(({ tokenId }) => tokenId);
  await atOnce([...new Set(own === undefined ? listed : [...listed, own])], QUERIES_AT_ONCE, async (tokenId) => {
    lists.push(await newestOfToken(records, tokenId, { before, limit: limit + 1 }));
  });
  const items = newestOf(lists, limit + 1);
  const last = items.length > limit ? items[limit - 1] : undefined;
  return { items: items.slice(0, limit), ...(last && { nextCursor: cursorAfter(tenant, last) }) };
}

const listOf = (tenant: string) => `REQUESTS#${tenant}`;

/** Returns the cursor with which the list continues after this request. */
export const cursorAfter = (tenant: string, { id }: DownloadRequest): string =>
  encodeCursor(listOf(tenant), { id: String(id) });

/** An order that is greater than every id. */
const NO_ID = Number.MAX_SAFE_INTEGER;

const idIn = (text: string | undefined): number => (/^[0-9]{1,16}$/.test(text ?? '') ? Number(text) : NO_ID);

export async function newestOfToken(
  table: Table,
  tokenId: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<DownloadRequest[]> {
  const { pk, sk: end } = requestKey({ tokenId, id: before });
  const query = { where: 'pk = :pk AND sk < :end', values: { pk, end }, backwards: true, limit };
  return (await queryPage(table, query)).items.map((item) => RequestItem.parse(item));
}
