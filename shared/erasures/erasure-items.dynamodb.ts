import { paginateQuery, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import {
  type Item,
  type Key,
  listPage,
  marshalled,
  readItem,
  type Table,
  transact,
} from '#shared/table/table.dynamodb';
import { deleteWrite, putWrite, updateItem, updateWrite } from '#shared/table/writes.dynamodb';
import {
  ERASING_DOMAINS,
  ERASURE,
  ERASURES,
  type ErasingDomain,
  type Erasure,
  OPEN_ERASURES,
  type OpenAccountErasure,
  type OpenErasure,
} from './erasure.ts';

const ErasureItem = z.object({
  tenant: z.string(),
  id: z.string(),
  subject: z.enum(['customer', 'account']),
  customer: z.optional(z.string()),
  requestedAt: z.string(),
  erasedAt: z.partialRecord(z.enum(ERASING_DOMAINS.account), z.string()),
  completedAt: z.optional(z.string()),
});

export const erasureKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${ERASURE}${tenant}#${id}`, sk: 'ERASURE' });
const openKey = ({ requestedAt, id }: Pick<Erasure, 'requestedAt' | 'id'>): Key => ({
  pk: OPEN_ERASURES,
  sk: `${requestedAt}#${id}`,
});

/** Returns the writes that open an erasure, for the transaction that removes the customer or the account. */
export const newErasureWrites = ({ name }: Table, erasure: OpenErasure | OpenAccountErasure): TransactWriteItem[] => {
  const { tenant, id, requestedAt, subject } = erasure;
  const list = { list: `${ERASURES}${tenant}`, position: `${requestedAt}#${id}` };
  const passes = subject === 'account' ? { passes: {} } : {};
  return [
    putWrite(name, { ...erasureKey(erasure), ...erasure, ...list, ...passes }),
    putWrite(name, { ...openKey(erasure), tenant, id }),
  ];
};

const erasureIn = (item: Item): Erasure => ErasureItem.parse(item);

/** The erasure as it is now, or undefined. @param table of the accounts */
export const erasureById = (table: Table, key: TenantKey): Promise<Erasure | undefined> =>
  readItem(table, erasureKey(key), erasureIn);

/** A page of a tenant's erasures, the newest first. @param table of the accounts */
export const listErasures = (table: Table, tenant: string, page: PageQuery): Promise<Page<Erasure>> =>
  listPage(table, `${ERASURES}${tenant}`, page, erasureIn);

const PAGE = 100;
const OpenItem = z.object({ tenant: z.string(), id: z.string() });

/** The open erasures of all tenants, the oldest first, by pages. @param table of the accounts */
export async function* openErasures(table: Table): AsyncIterable<readonly (OpenErasure | OpenAccountErasure)[]> {
  const pages = paginateQuery(table, {
    TableName: table.name,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :open',
    ExpressionAttributeValues: marshalled({ ':open': OPEN_ERASURES }),
    Limit: PAGE,
  });
  for await (const { Items: items = [] } of pages) {
    const keys = items.map((item) => OpenItem.parse(unmarshall(item)));
    const erasures = await Promise.all(keys.map((key) => erasureById(table, key)));
    yield erasures.flatMap((erasure) => (erasure && opened(erasure)) ?? []);
  }
}

/** Undefined of an erasure that is complete. */
function opened({ subject, customer, ...erasure }: Erasure): OpenErasure | OpenAccountErasure | undefined {
  if (erasure.completedAt !== undefined) return undefined;
  if (subject === 'account') return { ...erasure, subject };
  return customer === undefined ? undefined : { ...erasure, subject, customer };
}

/** The condition of every change of an open erasure. */
export const IS_OPEN = 'attribute_exists(pk) AND attribute_not_exists(completedAt)';

/** Notes that a domain has erased its part for the last time. @param table of the accounts */
export async function noteErased(table: Table, erasure: Erasure, domain: ErasingDomain, at: string): Promise<void> {
  await updateItem(table, erasureKey(erasure), {
    change: 'SET erasedAt.#domain = if_not_exists(erasedAt.#domain, :at)',
    condition: IS_OPEN,
    names: { domain },
    values: { at },
  });
}

/** Removes the customer's id from the erasure, and the erasure from the list of open ones. @param table of the accounts */
export async function completeErasure(table: Table, erasure: Erasure, at: string): Promise<void> {
  await transact(table, [
    updateWrite(table.name, erasureKey(erasure), {
      change: 'SET completedAt = :at REMOVE customer, passes',
      condition: IS_OPEN,
      values: { at },
    }),
    deleteWrite(table.name, openKey(erasure)),
  ]);
}
