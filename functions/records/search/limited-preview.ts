import { createHash } from 'node:crypto';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { burstHeaders, type Headers, withPolicy } from '#shared/metering/rate-headers';
import type { SharedBuckets } from '#shared/metering/shared-buckets';
import { microsOf } from '#shared/metering/token-bucket';
import { type PreviewDeps, previewOf } from './preview.ts';
import type { Search } from './read-search.ts';

/** A UTC day of a data token, or of a tenant whose people search. */
export interface HolderDay {
  readonly holder: string;
  /** `2026-11-25` */
  readonly day: string;
}

/**
 * The result of adding records, and the number of different ones that the day then has. None is added if they are too
 * many.
 */
interface DayCount {
  readonly done: boolean;
  readonly count: number;
}

/** The records that were shown on a day. */
export interface ShownRecords {
  /** Adds records by their keys, once each, unless the day would then have more than `most`. */
  note(on: HolderDay, keys: readonly string[], most: number): Promise<DayCount>;
}

/** The limits of free previews of a holder. */
export interface PreviewLimits {
  readonly buckets: SharedBuckets;
  readonly shownRecords: ShownRecords;
  /** The most different records that previews show a holder on a UTC day. */
  readonly recordsPerDay: number;
}

export interface Previewing {
  readonly holder: string;
  readonly now: number;
}

const DAY_MILLIS = 86_400_000;

/**
 * Runs a preview within the limits of its holder, with the headers that state them. It is refused before the search if
 * the holder's bucket is empty, and after it if its records are more than the holder may still see today, because the
 * matching records are known only then. Records that the holder has seen today are shown again at any time.
 */
export async function limitedPreview(
  deps: PreviewDeps & PreviewLimits,
  search: Search,
  { holder, now: millis }: Previewing,
): Promise<{ matches: Awaited<ReturnType<typeof previewOf>>; headers: Headers }> {
  const { recordsPerDay: most } = deps;
  // Together, which spares a round of reads.
  const [burst, manifest] = await Promise.all([
    takeOne(deps, { holder, now: millis }),
    deps.recentIndex.current(search.type),
  ]);
  const matches = await previewOf(deps, search, manifest);
  if (matches.records.length === 0) return { matches, headers: burst };
  const keys = matches.records.map((text) => keyOf(search, text));
  const day = await deps.shownRecords.note({ holder, day: isoTime(millis).slice(0, 10) }, keys, most);
  const untilMidnight = Math.ceil((DAY_MILLIS - (millis % DAY_MILLIS)) / 1_000);
  const remaining = Math.max(0, most - day.count);
  const headers = withPolicy(burst, {
    policy: `"records";q=${most};w=${DAY_MILLIS / 1_000}`,
    state: `"records";r=${remaining};t=${untilMidnight}`,
  });
  if (!day.done) throw tooManyRecords({ most, left: remaining }, { ...headers, 'retry-after': String(untilMidnight) });
  return { matches, headers };
}

/** Takes a token of the holder's bucket, and returns the headers that state what is left. */
export async function takeOne(
  { buckets }: Pick<PreviewLimits, 'buckets'>,
  { holder, now: millis }: Previewing,
): Promise<ReturnType<typeof burstHeaders>> {
  const now = microsOf(millis);
  const { arrival, retryAfterSeconds } = await buckets.take(holder, now);
  const burst = burstHeaders({ bucket: buckets.bucket, arrival, now, retryAfterSeconds });
  if (retryAfterSeconds !== undefined) throw rateLimited(retryAfterSeconds, burst);
  return burst;
}

/** 40 bits of a hash: two of a thousand records share a key in one of two million days, and then count as one. */
function keyOf({ type }: Search, text: string): string {
  const { id } = JSON.parse(text) as { id: string };
  return createHash('sha256').update(`${type}/${id}`).digest().subarray(0, 5).toString('base64url');
}

const rateLimited = (seconds: number, headers: Headers) =>
  new Refusal(
    429,
    'rate-limited',
    `Too many previews per second. Wait ${seconds} s plus a short random delay, then try again.`,
    { headers },
  );

const tooManyRecords = ({ most, left }: { most: number; left: number }, headers: Headers) =>
  new Refusal(
    429,
    'preview-records-exceeded',
    `Previews show at most ${most} different records a day (UTC), of which ${left} are left. Download the records, or wait for the next day.`,
    { headers },
  );
