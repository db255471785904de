import { type AuditFilter, type AuditRecord, passes } from './audit-query.ts';

/** A line with its place in the lists: time and id, as text that sorts by time. */
export interface PlacedLine {
  readonly position: string;
  readonly line: AuditRecord;
}

/** A part of one list, newest first. */
export interface ListPart {
  readonly lines: readonly PlacedLine[];
  /** True if more lines follow the last one. */
  readonly hasMore: boolean;
}

/** Reads lists: one of a tenant, or several that hold all lines together. */
export interface AuditLists {
  /** The newest lines of every list before this position. */
  readonly before: (position: string) => Promise<readonly ListPart[]>;
}

export interface AuditPage {
  readonly lines: readonly PlacedLine[];
  /** The next page begins here; undefined if there are no more lines. */
  readonly reached?: string;
}

/** Most readings of all lists for one page: a filter that nothing passes must not read the whole log in one call. */
const READINGS_MAX = 10;

/** The lines before a position that pass the filter, newest first. A page may hold fewer than the limit, and even none. */
export async function auditPage(
  lists: AuditLists,
  filter: AuditFilter,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<AuditPage> {
  const lines: PlacedLine[] = [];
  let from = before;
  for (let reading = 0; reading < READINGS_MAX; reading += 1) {
    const { merged, reached } = mergedParts(await lists.before(from));
    for (const placed of merged) {
      if (!passes(filter, placed.line)) continue;
      lines.push(placed);
      if (lines.length === limit) {
        const isLast = placed === merged.at(-1) && reached === undefined;
        return { lines, ...(!isLast && { reached: placed.position }) };
      }
    }
    if (reached === undefined) return { lines };
    from = reached;
  }
  return { lines, reached: from };
}

/**
 * The lines of all parts, newest first, as far back as every list was read: beyond that an unread line of another list
 * could belong in between.
 */
function mergedParts(parts: readonly ListPart[]): { merged: readonly PlacedLine[]; reached: string | undefined } {
  const ends = parts.flatMap(({ lines, hasMore }) => (hasMore ? [lines.at(-1)?.position ?? ''] : []));
  const reached = ends.length === 0 ? undefined : ends.reduce((a, b) => (a > b ? a : b));
  const merged = parts
    .flatMap(({ lines }) => lines)
    .filter(({ position }) => reached === undefined || position >= reached)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1));
  return { merged, reached };
}
