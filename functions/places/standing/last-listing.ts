import type { Point } from '../geo/distance.ts';

/** Where a customer was when it last listed places, and which it was shown. */
export interface LastListing extends Point {
  /** Metres, as the device states it; kept for audits. */
  readonly accuracy?: number;
  /** Milliseconds. */
  readonly at: number;
  /** Evidence for audits: the distance alone decides on a check-in. */
  readonly places: readonly string[];
}

/** A check-in is decided by a listing that is no older than this. */
export const LISTING_MILLIS = 10 * 60_000;
