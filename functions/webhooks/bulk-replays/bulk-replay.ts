import * as z from 'zod';
import { whenSound } from '#shared/http/invalid-input';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';
import type { NotReplayed } from '../runs/replay-run.ts';
import { filterFields } from '../runs/run-log.ts';

/**
 * A replay of many: of every failed run that a filter finds in a tenant's delivery log, newest first and at a measured
 * pace. Times are milliseconds since 1970.
 */
export interface BulkReplay extends BulkReplayKey {
  readonly filter: BulkReplayFilter;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  readonly createdAt: number;
  readonly completedAt?: number;
  /** Replays made. Each is counted in the transaction that makes it. */
  readonly replayed: number;
  /** Failed runs that cannot be replayed, by reason. */
  readonly skipped: Skipped;
  /** Pages of the log that are done. */
  readonly pages: number;
  /** Where in the log the next page begins. */
  readonly cursor?: string;
  /** Runs created at this moment or later are done. */
  readonly reached: number;
  /** The pace allows no further replay before this moment. */
  readonly pacedUntil: number;
  readonly progressedAt: number;
  /** How often it has been woken since the last page, and when. */
  readonly wakings?: number;
  readonly wokenAt?: number;
}

export type BulkReplayKey = TenantKey;

type Skipped = Readonly<Partial<Record<NotReplayed, number>>>;

const { from, ...others } = filterFields;
export const BulkReplayFilter = z
  .strictObject({ from, ...z.object(others).partial().shape })
  .refine(({ from, to }) => to === undefined || to > from, {
    path: ['to'],
    error: 'must be later than from',
    when: whenSound('from', 'to'),
  });
export type BulkReplayFilter = z.output<typeof BulkReplayFilter>;

/** The store of bulk replays. */
export interface BulkReplays {
  /** Puts a new one with this retention, unless one of the tenant is running: then returns the id of that one. */
  start(replay: BulkReplay, keep: { readonly retentionDays: number }): Promise<{ readonly running?: string }>;
  /** As it is now (strongly consistent). */
  byId(key: BulkReplayKey): Promise<BulkReplay | undefined>;
  /** Newest first. */
  list(tenant: string, page: PageQuery): Promise<Page<BulkReplay>>;
  /**
   * Records a page, unless another worker has or the replay has ended. Ignores `replayed`, which each replay counts
   * itself.
   */
  save(next: BulkReplay): Promise<boolean>;
  /** Ends it if it is running, and returns its state. After that it makes no more replays. */
  cancel(key: BulkReplayKey, now: number): Promise<BulkReplay | undefined>;
  /** Those that have not ended. Read from an index that follows the table within moments. */
  running(): AsyncIterable<BulkReplayKey>;
  /** Records that a silent one was woken; false if it has moved on. */
  noteWaking(replay: BulkReplay, now: number): Promise<boolean>;
}

/** A page to do. A message whose page is done already has no effect. */
export interface PageTicket extends BulkReplayKey {
  readonly page: number;
}
export const ticketOf = ({ tenant, id, pages }: BulkReplay): PageTicket => ({ tenant, id, page: pages });

/** The end of the period that it covers: it must not replay runs that were made after it. */
export const endOf = ({ filter, createdAt }: Pick<BulkReplay, 'filter' | 'createdAt'>) =>
  Math.min(filter.to ?? createdAt, createdAt);

/** A page of the log that has been worked through. */
export interface PageDone {
  /** Made by this worker. */
  readonly made: number;
  readonly skipped: readonly NotReplayed[];
  /** When the oldest run of the page was created; undefined if none was found. */
  readonly oldest: number | undefined;
  readonly nextCursor: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly perSecond: number;
}

export function afterPage(replay: BulkReplay, page: PageDone): BulkReplay {
  const { cursor: _, wakings: __, wokenAt: ___, ...rest } = replay;
  const isLast = page.nextCursor === undefined;
  return {
    ...rest,
    ...(isLast ? { status: 'COMPLETED', completedAt: page.endedAt } : { cursor: page.nextCursor }),
    skipped: page.skipped.reduce<Skipped>(
      (counts, reason) => ({ ...counts, [reason]: (counts[reason] ?? 0) + 1 }),
      replay.skipped,
    ),
    pages: replay.pages + 1,
    reached: isLast ? replay.filter.from : (page.oldest ?? replay.reached),
    pacedUntil: Math.max(replay.pacedUntil, page.startedAt) + (page.made * 1000) / page.perSecond,
    progressedAt: page.endedAt,
  };
}

/** Whole seconds, as queues delay. A later page makes up for the rest of a second. */
export const delaySecondsOf = ({ pacedUntil }: BulkReplay, now: number) =>
  Math.min(900, Math.max(0, Math.floor((pacedUntil - now) / 1000)));

/** The bulk replay as the management API shows it. */
export const presentBulkReplay = (replay: BulkReplay) => ({
  id: replay.id,
  status: replay.status,
  filter: {
    module: replay.filter.module ?? null,
    configuration: replay.filter.configuration ?? null,
    from: isoTime(replay.filter.from),
    to: replay.filter.to === undefined ? null : isoTime(replay.filter.to),
    record: replay.filter.record ?? null,
  },
  replayed: replay.replayed,
  skipped: Object.values(replay.skipped).reduce((sum, count) => sum + count, 0),
  skippedBecause: replay.skipped,
  reached: isoTime(replay.reached),
  createdAt: isoTime(replay.createdAt),
  completedAt: replay.completedAt === undefined ? null : isoTime(replay.completedAt),
});
