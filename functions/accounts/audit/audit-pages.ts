import { openMerged, type Placed } from '#shared/table/sharded-lists';
import { type AuditFilter, type AuditRecord, passes } from './audit-query.ts';

/** A line with its place in the lists: time and id. */
export interface PlacedLine extends Placed {
  readonly line: AuditRecord;
}

/** Reads lists: one of a tenant, or several that hold all lines together. */
export interface AuditLists {
  /** The lines of each list before this position, newest first. */
  readonly before: (position: string) => readonly AsyncGenerator<PlacedLine, void>[];
}

export interface AuditPage {
  readonly lines: readonly PlacedLine[];
  /** The next page begins here; undefined if there are no more lines. */
  readonly reached?: string;
}

/** The most lines that one page looks at: a filter that nothing passes must not read the whole log in one call. */
const LINES_MAX = 1_000;

/** The lines before a position that pass the filter, newest first. A page may hold fewer than the limit, and even none. */
export async function auditPage(
  lists: AuditLists,
  filter: AuditFilter,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<AuditPage> {
  const merged = await openMerged(lists.before(before));
  const lines: PlacedLine[] = [];
  let reached = before;
  for (let looked = 0; looked < LINES_MAX && lines.length < limit; looked += 1) {
    const placed = await merged.next();
    if (!placed) break;
    if (passes(filter, placed.line)) lines.push(placed);
    reached = placed.position;
  }
  return { lines, ...(!merged.isOver() && { reached }) };
}
