import { removePartition } from '#shared/erasures/tenant-items.dynamodb';
import type { TenantKey } from '#shared/ids';
import type { Table } from '#shared/table/table.dynamodb';
import { deleteItem } from '#shared/table/writes.dynamodb';
import { customerAwardsKey } from '../campaigns/award-counters.dynamodb.ts';
import { SUBMISSIONS } from '../table-keys.ts';
import { listValidations } from '../validations/listed-validations.dynamodb.ts';
import type { CustomerErasureDeps } from './erase-customer.ts';
import type { ValidationErasureDeps } from './erase-validation.ts';

const PAGE = 50;

/** Erases the items of customers in the images table. */
export const customerErasureIn = (table: Table): Omit<CustomerErasureDeps, keyof ValidationErasureDeps> => ({
  async *recordsOf({ tenant, id: customer }) {
    let cursor: string | undefined;
    do {
      const page = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const { items, nextCursor } = await listValidations(table, { tenant, customer, page });
      yield items;
      cursor = nextCursor;
    } while (cursor !== undefined);
  },

  async removeAwardCounts(records) {
    const keys = records.map((record) => customerAwardsKey(record, record.customer));
    const distinct = [...new Map(keys.map((key) => [key.pk, key])).values()];
    for (const key of distinct) await deleteItem(table, key);
  },

  removeSubmissionCounts: ({ tenant, id }: TenantKey) => removePartition(table, `${SUBMISSIONS}${tenant}#${id}`),
});
