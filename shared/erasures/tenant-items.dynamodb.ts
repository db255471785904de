import { paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { atOnce } from '#shared/at-once';
import { kindOf, type StoredItem, type StoredKinds } from '#shared/export/stored-kinds';
import { queryItems } from '#shared/table/queries.dynamodb';
import { marshalled, type Table } from '#shared/table/table.dynamodb';
import { deleteItem } from '#shared/table/writes.dynamodb';
import type { TenantErasingDeps } from './erase-tenant.ts';

const ITEMS_AT_ONCE = 20;

/** @param pageItems how many items one call looks at. @default as many as fit into 1 MB */
export const tenantItems = (
  { client, name }: Table,
  kinds: StoredKinds<string>,
  pageItems?: number,
): Pick<TenantErasingDeps<StoredItem>, 'pages'> => ({
  async *pages(tenant, from) {
    const pages = paginateScan(
      { client, ...(from && { startingToken: marshalled(from) }) },
      { TableName: name, ConsistentRead: true, Limit: pageItems },
    );
    for await (const { Items: items = [], LastEvaluatedKey: last } of pages) {
      const own = items.map((item) => unmarshall(item)).filter((item) => isErased(kinds, item, tenant));
      yield { items: own, ...(last && { cursor: unmarshall(last) }) };
    }
  },
});

/** Returns whether the item goes with the account of the tenant. */
function isErased(kinds: StoredKinds<string>, item: StoredItem, tenant: string): boolean {
  const kind = kindOf(kinds, item);
  return 'tenant' in kind && kind.stays === undefined && kind.tenant(item) === tenant;
}

/** Deletes these items. Idempotent; it may stop at any point. */
export const removeItems = (table: Table, items: readonly StoredItem[]): Promise<void> =>
  atOnce(items, ITEMS_AT_ONCE, async ({ pk, sk }) => {
    await deleteItem(table, { pk: String(pk), sk: String(sk) });
  });

/** Deletes all items of a partition, as `removeItems` does. */
export const removePartition = async (table: Table, pk: string): Promise<void> =>
  removeItems(
    table,
    await Array.fromAsync(queryItems(table, { where: 'pk = :pk', values: { pk }, attributes: 'pk, sk' })),
  );
