import * as z from 'zod';
import { isoTime } from '#shared/formats/timestamp';
import { whenSound } from '#shared/http/invalid-input';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { omit } from '#shared/omit';
import type { ReplayRefusal } from '../runs/replay-run.ts';
import { filterFields } from '../runs/run-log.ts';

/**
 * A replay of every failed run that a filter matches in a tenant's delivery log, newest first, at a limited rate. Times
 * are milliseconds since 1970.
 */
export interface BulkReplay extends BulkReplayKey {
  readonly filter: BulkReplayFilter;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED';
  readonly createdAt: number;
  readonly completedAt?: number;
  /** The number of replays made. Each is counted in the transaction that makes it. */
  readonly replayed: number;
  /** Failed runs that cannot be replayed, by reason. */
  readonly skipped: Skipped;
  /** The number of pages of the log that are done. */
  readonly pages: number;
  /** The place in the log at which the next page begins. */
  readonly cursor?: string;
  /** Runs created at this moment or later are done. */
  readonly reached: number;
  /** The rate limit allows no further replay before this moment. */
  readonly pacedUntil: number;
  readonly progressedAt: number;
  /** The number of wake-ups since the last page, and the time of the last one. */
  readonly wakeUps?: number;
  readonly wokenAt?: number;
}

export type BulkReplayKey = TenantKey;

type Skipped = Readonly<Partial<Record<ReplayRefusal, number>>>;

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
  /**
   * Puts a new bulk replay with this retention, unless the tenant has a running one: then returns the id of that one.
   */
  start(replay: BulkReplay, keep: { readonly retentionDays: number }): Promise<{ readonly running?: string }>;
  /** Reads the current state (strongly consistent). */
  byId(key: BulkReplayKey): Promise<BulkReplay | undefined>;
  /** Lists the tenant's bulk replays, newest first. */
  list(tenant: string, page: PageQuery): Promise<Page<BulkReplay>>;
  /**
   * Records a page, unless another worker has recorded it or the bulk replay has ended. Ignores `replayed`, which each
   * replay counts itself.
   */
  save(next: BulkReplay): Promise<boolean>;
  /** Ends a running bulk replay and returns its state. After that it makes no more replays. */
  cancel(key: BulkReplayKey, now: number): Promise<BulkReplay | undefined>;
  /** Lists the running bulk replays of all tenants, from an index that is eventually consistent. */
  running(): AsyncIterable<BulkReplayKey>;
  /** Records that a stalled bulk replay was woken; false if it has progressed since. */
  recordWake(replay: BulkReplay, now: number): Promise<boolean>;
}

/** A message for one page. It has no effect if that page is done already. */
export interface PageTicket extends BulkReplayKey {
  readonly page: number;
}
export const ticketOf = ({ tenant, id, pages }: BulkReplay): PageTicket => ({ tenant, id, page: pages });

/** The end of the period that a bulk replay covers: it must not replay runs that were made after it started. */
export const endOf = ({ filter, createdAt }: Pick<BulkReplay, 'filter' | 'createdAt'>) =>
  Math.min(filter.to ?? createdAt, createdAt);

/** The result of one page of the log. */
export interface PageResult {
  /** The number of replays that this worker has made. */
  readonly newReplays: number;
  readonly skipped: readonly ReplayRefusal[];
  /** The time at which the oldest run of the page was created; undefined for an empty page. */
  readonly oldest: number | undefined;
  readonly nextCursor: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly perSecond: number;
}

export function afterPage(replay: BulkReplay, page: PageResult): BulkReplay {
  const isLast = page.nextCursor === undefined;
  return {
    ...omit(replay, 'cursor', 'wakeUps', 'wokenAt'),
    ...(isLast ? { status: 'COMPLETED', completedAt: page.endedAt } : { cursor: page.nextCursor }),
    skipped: page.skipped.reduce<Skipped>(
      (counts, reason) => ({ ...counts, [reason]: (counts[reason] ?? 0) + 1 }),
      replay.skipped,
    ),
    pages: replay.pages + 1,
    reached: isLast ? replay.filter.from : (page.oldest ?? replay.reached),
    pacedUntil: Math.max(replay.pacedUntil, page.startedAt) + (page.newReplays * 1000) / page.perSecond,
    progressedAt: page.endedAt,
  };
}

/** The delay of the next page in whole seconds, as queues delay. A later page makes up for the rest of a second. */
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
