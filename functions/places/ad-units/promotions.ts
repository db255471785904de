import { type AdUnit, isActive } from './ad-unit.ts';

/** The promotions that are active now. */
export interface Promotions {
  /** The creative id of the ad unit that promotes a place; with several, that of the newest. */
  creativeOf(place: string): number | undefined;
  /** The places of an active ad unit; empty if there is none. */
  placesOf(creativeId: number): ReadonlySet<string>;
  /** True if the ad unit exists, active or not. */
  hasUnit(creativeId: number): boolean;
}

/** @param units sorted, newest first */
export function promotionsAt(units: readonly AdUnit[], now: number): Promotions {
  const active = units.filter((unit) => isActive(unit, now));
  const placesOf = new Map(active.map(({ creativeId, placeIds }) => [creativeId, new Set(placeIds)]));
  const creativeOf = new Map(
    active.toReversed().flatMap(({ creativeId, placeIds }) => placeIds.map((place) => [place, creativeId] as const)),
  );
  const all = new Set(units.map(({ creativeId }) => creativeId));
  return {
    hasUnit: (creativeId) => all.has(creativeId),
    creativeOf: (place) => creativeOf.get(place),
    placesOf: (creativeId) => placesOf.get(creativeId) ?? new Set(),
  };
}
