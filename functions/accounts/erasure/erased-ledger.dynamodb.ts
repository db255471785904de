import { createHash } from 'node:crypto';
import type { OpenErasure } from '#shared/erasures/erasure';
import {
  balanceKey,
  entriesWrites,
  ledgerEntries,
  type PointsEntry,
  removedEntriesWrites,
  type StoredEntry,
} from '#shared/loyalty/points-ledger.dynamodb';
import { type Table, transact } from '#shared/table/table.dynamodb';
import { deleteItem } from '#shared/table/writes.dynamodb';

/** Each entry is two of the 100 writes of a transaction. */
const ENTRIES_AT_ONCE = 40;
const REFUSALS_MAX = 10;

/**
 * Moves the ledger of the customer to where it names nobody. Entries and balances move together, so that their sums are
 * right at every moment. A pass may end anywhere; entries that came meanwhile are moved by the next one.
 */
export async function eraseLedger(table: Table, erasure: OpenErasure): Promise<void> {
  const { tenant, customer: id } = erasure;
  const customer = { tenant, id };
  for (let refusals = 0; ; ) {
    const { entries } = await ledgerEntries(table, customer, { limit: ENTRIES_AT_ONCE, after: undefined });
    if (entries.length === 0) break;
    if (await isMoved(table, erasure, entries)) continue;
    refusals += 1;
    if (refusals > REFUSALS_MAX) throw new Error('Entries of a ledger cannot be moved.');
  }
  // Not if points have come since.
  await deleteItem(table, balanceKey(customer), { condition: '#entries = :none', values: { none: 0 } });
}

/** False if another pass was faster. */
async function isMoved(table: Table, erasure: OpenErasure, entries: readonly StoredEntry[]): Promise<boolean> {
  const { tenant, customer: id } = erasure;
  const { done } = await transact(table, [
    ...removedEntriesWrites(table.name, { tenant, id }, entries),
    ...entriesWrites(
      table.name,
      entries.map((entry) => withoutPerson(erasure, entry)),
    ),
  ]);
  return done;
}

/** The details of an entry that concern the tenant's own business, and no person. */
const DETAILS_THAT_STAY = ['app', 'campaign'];

/**
 * An entry of the ledger without a person: points, what earned them, and the day. It stands under the id of the erasure,
 * which leads to no customer once the erasure is complete. Its own id is another one too, because webhooks and apps have
 * been told the old one. The same entry always becomes the same one, so that it can be moved again.
 */
function withoutPerson({ tenant, id: erasure }: OpenErasure, entry: StoredEntry): PointsEntry {
  const { id, points, source, at, details } = entry;
  return {
    tenant,
    customer: erasure,
    id: createHash('sha256').update(`${erasure} ${id}`).digest('hex').slice(0, 32),
    points,
    source,
    at: `${at.slice(0, 10)}T00:00:00.000Z`,
    details: Object.fromEntries(Object.entries(details).filter(([name]) => DETAILS_THAT_STAY.includes(name))),
  };
}
