import * as z from 'zod/mini';
import type { Table } from '#shared/table/table.dynamodb';
import { updateItem } from '#shared/table/writes.dynamodb';
import { type IntegerIds, integerIds, SEQUENCE } from './integer-ids.ts';

const Counter = z.object({ last: z.int() });

/** Sequences with their counters in a table. A write that the SDK repeats reserves another block, which stays unused. */
export const tableIds = (table: Table, blockMax?: number): IntegerIds =>
  integerIds(async (sequence, count) => {
    const counted = await updateItem(
      table,
      { pk: `${SEQUENCE}${sequence}`, sk: 'SEQUENCE' },
      { change: 'ADD #last :count', values: { count }, returns: 'UPDATED_NEW' },
    );
    const { last } = Counter.parse(counted.item);
    return { first: last - count + 1, end: last + 1 };
  }, blockMax);
