import { isoTime } from '#shared/formats/timestamp';
import { queryItems } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import { UNDECIDED } from '../table-keys.ts';
import type { Validation } from '../validations/validation.ts';
import { validationIn } from '../validations/validation-items.dynamodb.ts';

/** Iterates over overdue pending validations of all tenants, the longest overdue first. */
export async function* overdueIn(table: Table, now: number): AsyncIterable<Validation> {
  const items = queryItems(table, {
    index: 'Undecided',
    where: 'undecided = :undecided AND due < :now',
    values: { undecided: UNDECIDED, now: isoTime(now) },
    perCall: 100,
  });
  for await (const item of items) yield validationIn(item);
}
