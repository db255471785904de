import * as z from 'zod/mini';
import { AUDIT, AUDIT_SHARDS, AUDITS, AuditEnd, AuditLine } from '#shared/audit/audit-line';
import { queryPage } from '#shared/table/queries.dynamodb';
import type { Table } from '#shared/table/table.dynamodb';
import type { AuditLists, ListPart } from './audit-pages.ts';

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
  before: (position) => Promise.all(lists.map((list) => partOf(table, list, { since, before: position }))),
});

async function partOf(
  table: Table,
  { partition, ...list }: List,
  { since, before }: { readonly since: string; readonly before: string },
): Promise<ListPart> {
  if (since >= before) return { lines: [], hasMore: false };
  const { items, last } = await queryPage(table, {
    ...list,
    where: '#partition = :partition AND #position BETWEEN :since AND :before',
    values: { partition, since, before },
    backwards: true,
    limit: LINES + 1,
  });
  // A range takes its ends in, and the line at the end was on the page before.
  const read = items.map((item) => Item.parse(item)).filter(({ position: at }) => at !== before);
  return {
    lines: read.map(({ position: at, ...line }) => ({ position: at, line })),
    hasMore: last !== undefined,
  };
}
