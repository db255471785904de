import { isoTime } from '#shared/formats/timestamp';
import { queryItems } from '#shared/table/queries.dynamodb';
import { openMerged, type Placed } from '#shared/table/sharded-lists';
import type { Item, Table } from '#shared/table/table.dynamodb';
import type { Validation } from '../validations/validation.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';
import { undecidedPartitions } from '../validations/validation-lists.ts';

/** Iterates over overdue pending validations of all tenants, the longest overdue first. */
export async function* overdueIn(table: Table, now: number): AsyncIterable<Validation> {
  async function* overdue(partition: string): AsyncGenerator<Placed & { readonly item: Item }, void> {
    const items = queryItems(table, {
      index: 'Undecided',
      where: 'undecided = :partition AND due < :now',
      values: { partition, now: isoTime(now) },
      perCall: 100,
    });
    for await (const item of items) yield { position: String(item['due']), item };
  }
  const merged = await openMerged(undecidedPartitions.map(overdue), { oldestFirst: true });
  for (let entry = await merged.next(); entry; entry = await merged.next()) yield validationIn(entry.item);
}
