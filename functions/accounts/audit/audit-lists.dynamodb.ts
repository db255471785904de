import * as z from 'zod/mini';
import { AUDIT, AUDIT_SHARDS, AUDITS, AuditEnd, AuditLine } from '#shared/audit/audit-line';
import { queryItems } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import type { AuditLists, PlacedLine } from './audit-pages.ts';

const Item = z.object({ ...AuditLine.shape, ...z.partial(AuditEnd).shape, position: z.string() });

/** The number of lines in one read of a list, which is under 100 KB. */
const LINES = 100;

/** The lines of one tenant since a time, as they are now. */
export const linesOfTenant = (table: Table, tenant: string, since: string): AuditLists =>
  listsOf(table, since, [{ names: { partition: 'pk', position: 'sk' }, partition: `${AUDIT}${tenant}` }]);

/** The lines of all tenants and of none. They follow the table within moments. */
export const linesOfAll = (table: Table, since: string): AuditLists =>
  listsOf(
    table,
    since,
    Array.from({ length: AUDIT_SHARDS }, (_, shard) => ({
      index: 'Listing',
      names: { partition: 'list', position: 'position' },
      partition: `${AUDITS}${shard}`,
    })),
  );

interface List {
  readonly index?: string;
  readonly names: { readonly partition: string; readonly position: string };
  readonly partition: string;
}

const listsOf = (table: Table, since: string, lists: readonly List[]): AuditLists => ({
  before: (position) => lists.map((list) => linesOf(table, list, { since, before: position })),
});

async function* linesOf(
  table: Table,
  { partition, ...list }: List,
  { since, before }: { readonly since: string; readonly before: string },
): AsyncGenerator<PlacedLine, void> {
  if (since >= before) return;
  const items = queryItems(table, {
    ...list,
    where: '#partition = :partition AND #position BETWEEN :since AND :before',
    values: { partition, since, before },
    backwards: true,
    perCall: LINES,
  });
  for await (const item of items) {
    const { position, ...line } = Item.parse(item);
    // A range takes its ends in, and the line at the end was on the page before.
    if (position !== before) yield { position, line };
  }
}
