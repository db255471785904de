import { type AdUnit, isActive } from './ad-unit.ts';

/** What is promoted at the moment. */
export interface Promotions {
  /** The creative id of the ad unit that promotes a place; the newest one's if there are several. */
  creativeOf(place: string): number | undefined;
  /** The places of an ad unit; none if there is no such unit at the moment. */
  placesOf(creativeId: number): ReadonlySet<string>;
  /** Whether there is such an ad unit, active or not. */
  hasUnit(creativeId: number): boolean;
}

/** @param units newest first */
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
