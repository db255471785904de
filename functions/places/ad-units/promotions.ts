import { type AdUnit, isActive } from './ad-unit.ts';

/** What is promoted at the moment. */
export interface Promotions {
  /** The creative id of the ad unit that promotes a place; the newest one's if there are several. */
  creativeOf(place: string): number | undefined;
  /** The places of an ad unit; none if there is no such unit at the moment. */
  placesOf(creativeId: number): ReadonlySet<string>;
}

/** @param units newest first */
export function promotionsAt(units: readonly AdUnit[], now: number): Promotions {
  const active = units.filter((unit) => isActive(unit, now));
  const placesOf = new Map(active.map(({ creativeId, placeIds }) => [creativeId, new Set(placeIds)]));
  const creativeOf = new Map(
    active.toReversed().flatMap(({ creativeId, placeIds }) => placeIds.map((place) => [place, creativeId] as const)),
  );
  return {
    creativeOf: (place) => creativeOf.get(place),
    placesOf: (creativeId) => placesOf.get(creativeId) ?? new Set(),
  };
}
