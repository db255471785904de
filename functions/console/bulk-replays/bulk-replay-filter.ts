import * as z from 'zod/mini';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { countOf } from '../components/quantities.ts';
import type { Management } from '../management/management.ts';
import { queryOf, type RunFilter } from '../runs/run-filter.ts';

/** A page of failed runs that are not resolved. */
export const Countable = z.object({
  items: z.array(z.object({ replayOf: z.nullable(z.string()), replays: z.number() })),
  nextCursor: z.optional(z.string()),
});
export type Countable = z.output<typeof Countable>;

/** Reads the newest failed runs of a filter that are not resolved. */
export const countable = (
  management: Pick<Management, 'get'>,
  filter: RunFilter,
  { from, to }: Interval,
): Promise<Countable> =>
  management.get('runs', Countable, {
    ...queryOf({ ...filter, status: 'FAILED', resolved: 'false' }, 0),
    limit: '100',
    from,
    to,
  });

/** Counts the runs that a bulk replay would replay; there may be more pages. */
export function countMatches({ items, nextCursor }: Countable) {
  const replayable = items.filter(({ replayOf, replays }) => replayOf === null && replays < REPLAYS_MAX).length;
  const isMore = nextCursor !== undefined;
  return {
    text: isMore ? (replayable === 0 ? 'all runs that match' : `${replayable}+ runs`) : countOf(replayable, 'run'),
    isSome: isMore || replayable > 0,
    /** The number of replays, and of runs that have no replays left. */
    notReplayable: items.length - replayable,
  };
}

/** The period that is counted and replayed, as ISO 8601. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/** Returns the period of a filter until now. */
export const intervalOf = (filter: RunFilter, now: number): Interval => ({
  from: queryOf(filter, now)['from'] ?? new Date(0).toISOString(),
  to: new Date(now).toISOString(),
});

/** The request body that starts a bulk replay of the runs that were counted. */
export const replayedBody = ({ module, configuration, record }: RunFilter, interval: Interval) => ({
  ...interval,
  ...(module && { module }),
  ...(configuration && { configuration }),
  ...(record && { record }),
});
