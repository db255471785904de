import * as z from 'zod/mini';
import { REPLAYS_MAX } from '#shared/replay-limit';
import { countOf } from '../components/quantities.ts';
import { queryOf, type RunFilter } from '../runs/run-filter.ts';

/** A page of failed runs that are not resolved. */
export const Countable = z.object({
  items: z.array(z.object({ replayOf: z.nullable(z.string()), replays: z.number() })),
  nextCursor: z.optional(z.string()),
});
export type Countable = z.output<typeof Countable>;

/** Counts the runs of a page that a bulk replay would replay; there may be more pages. */
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

/** The request body that starts a bulk replay. */
export function replayedBody(filter: RunFilter, now: number) {
  const { from, module, configuration, record } = queryOf(filter, now);
  return {
    from: from ?? new Date(0).toISOString(),
    ...(module && { module }),
    ...(configuration && { configuration }),
    ...(record && { record }),
  };
}
