import * as z from 'zod/mini';
import { isoTime } from '#shared/formats/timestamp';
import { type Key, type Table, wholeList } from '#shared/table/table.dynamodb';
import { deleteItem, putItem } from '#shared/table/writes.dynamodb';
import { ERASURE, ERASURES } from '../table-keys.ts';
import type { ErasureOfValidation } from './erase-validation.ts';
import type { DueErasures } from './finish-erasures.ts';

/** Longer than any function that has read a record may still run. */
const AGAIN_AFTER_MILLIS = 15 * 60_000;

const ErasureItem = z.object({
  pk: z.string(),
  sk: z.string(),
  tenant: z.string(),
  id: z.string(),
  marks: z.array(
    z.object({ slot: z.string(), sha256: z.optional(z.string()), perceptualHash: z.optional(z.string()) }),
  ),
  position: z.string(),
});

interface Clock {
  readonly now: () => number;
  readonly newId: () => string;
}

/** Queues a record to be erased once more: an item of its own for each pass, so that no pass loses another's marks. */
export const erasingAgain =
  (table: Table, { now, newId }: Clock) =>
  async ({ tenant, id, marks }: ErasureOfValidation): Promise<void> => {
    const due = isoTime(now() + AGAIN_AFTER_MILLIS);
    const key: Key = { pk: `${ERASURE}${tenant}#${id}`, sk: newId() };
    await putItem(table, { ...key, tenant, id, marks, list: ERASURES, position: `${due}#${key.sk}` });
  };

/** The records that are to be erased once more, over all tenants. */
export const dueErasuresIn = (table: Table): DueErasures => ({
  async *due(now) {
    for await (const item of wholeList(table, ERASURES, { oldestFirst: true })) {
      const { pk, sk, position, ...erasure } = ErasureItem.parse(item);
      if (position > isoTime(now)) return;
      yield { ...erasure, settle: async () => void (await deleteItem(table, { pk, sk })) };
    }
  },
});
