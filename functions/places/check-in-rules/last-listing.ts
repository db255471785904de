import type { Point } from '../geo/distance.ts';

/** The customer's position at the last listing, and the places that were listed. */
export interface LastListing extends Point {
  /** The accuracy in metres that the device reported. It is kept for audits. */
  readonly accuracy?: number;
  /** The time in milliseconds. */
  readonly at: number;
  /** The ids are evidence for audits. Only the distance decides a check-in. */
  readonly places: readonly string[];
}

/** A check-in needs a listing that is not older than this. */
export const LISTING_MILLIS = 10 * 60_000;
