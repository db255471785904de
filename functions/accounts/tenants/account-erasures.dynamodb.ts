import { erasureById, newErasureWrites } from '#shared/erasures/erasure-items.dynamodb';
import { type Table, transact } from '#shared/table/table.dynamodb';
import { accountStore, erasingAccount } from './account-store.dynamodb.ts';
import type { AccountErasures } from './erase-account.ts';

export const accountErasures = (table: Table): AccountErasures => ({
  accounts: accountStore(table),
  erasure: (key) => erasureById(table, key),
  open: async (rest, erasure) =>
    (await transact(table, [erasingAccount(table, rest), ...newErasureWrites(table, erasure)])).done,
});
