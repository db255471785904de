/** Centres and places around them, as hostile to an index of cells as we can think of. */
import * as fc from 'fast-check';
import { distanceMeters, EARTH_RADIUS_METERS, type Point } from '../../../functions/places/geo/distance.ts';
import type { Near, NearQuery } from '../../../functions/places/nearby/nearest-places.ts';
import type { PlacePoint } from './memory-place-index.ts';

const degrees = (radians: number) => (radians * 180) / Math.PI;
const radians = (angle: number) => (angle * Math.PI) / 180;

/** The point at this distance and bearing, over poles and the antimeridian too. */
export function pointAt(centre: Point, meters: number, bearing: number): Point {
  const angle = meters / EARTH_RADIUS_METERS;
  const [lat, lng] = [radians(centre.latitude), radians(centre.longitude)];
  const latitude = Math.asin(
    Math.min(1, Math.max(-1, Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing))),
  );
  const longitude =
    lng +
    Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(lat),
      Math.cos(angle) - Math.sin(lat) * Math.sin(latitude),
    );
  return { latitude: degrees(latitude), longitude: ((degrees(longitude) + 540) % 360) - 180 };
}

/** Where cells of all sizes meet, where meridians meet, and where longitude changes its sign. */
const CORNERS: readonly Point[] = [
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 0 },
  { latitude: 35.264389682754654, longitude: 45 },
  { latitude: -35.264389682754654, longitude: -135 },
  { latitude: 0, longitude: 0 },
  { latitude: 0, longitude: 180 },
  { latitude: 0, longitude: -45 },
  { latitude: 60, longitude: 180 },
  { latitude: 45, longitude: 90 },
];

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const anywhere = fc
  .tuple(unit, unit)
  .map(([a, b]): Point => ({ latitude: degrees(Math.asin(2 * a - 1)), longitude: b * 360 - 180 }));
const atCorner = fc
  .tuple(fc.constantFrom(...CORNERS), unit, unit)
  .map(([corner, far, turn]) => pointAt(corner, far ** 4 * 60_000, turn * 2 * Math.PI));
const centre = fc.oneof(anywhere, atCorner, fc.constantFrom(...CORNERS));

/** From 50 m to 50 km. */
const radius = unit.map((share) => Math.round(50 * 1_000 ** share));

type Spread = (seed: readonly [number, number, number]) => { readonly share: number; readonly turn: number };
/** Distances as shares of the radius, and bearings. */
const SPREADS: Readonly<Record<string, Spread>> = {
  even: ([a, b]) => ({ share: 2 * Math.sqrt(a), turn: b }),
  crowdInside: ([a, b]) => ({ share: 0.2 * a, turn: b }),
  crowdOutside: ([a, b]) => ({ share: 0.9 + 0.4 * a, turn: 0.1 * b }),
  onTheEdge: ([a, b]) => ({ share: 1 + (a - 0.5) * 1e-6, turn: b }),
  onePoint: ([, b]) => ({ share: 0.5, turn: b > 0.5 ? 0.25 : 0.75 }),
  aLine: ([a]) => ({ share: 3 * a, turn: 0.37 }),
};

export interface Case {
  readonly places: readonly PlacePoint[];
  readonly query: NearQuery<PlacePoint>;
}

/** @param most places */
export const placeClouds = (most: number): fc.Arbitrary<Case> =>
  fc
    .record({
      centre,
      radiusMeters: radius,
      limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 20, 100)),
      every: fc.constantFrom(1, 1, 1, 2, 7),
      clouds: fc.array(
        fc.record({
          spread: fc.constantFrom(...Object.keys(SPREADS)),
          count: fc.oneof({ arbitrary: fc.integer({ min: 0, max: 40 }), weight: 3 }, fc.integer({ min: 0, max: most })),
          seed: fc.integer(),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ centre: at, radiusMeters, limit, every, clouds }) => {
      const places = clouds.flatMap(({ spread, count, seed }, cloud) => {
        const random = randomFrom(seed);
        return Array.from({ length: count }, (_, i): PlacePoint => {
          const { share, turn } = SPREADS[spread]!([random(), random(), random()]);
          return { id: `p${cloud}-${i}`, ...pointAt(at, share * radiusMeters, turn * 2 * Math.PI) };
        });
      });
      const matches = every === 1 ? undefined : ({ id }: PlacePoint) => Number(id.split('-')[1]) % every === 0;
      return { places, query: { centre: at, radiusMeters, limit, ...(matches && { matches }) } };
    });

/** A fast generator of even numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What a comparison with every place finds. */
export function bruteForce<Place extends PlacePoint>(
  places: readonly Place[],
  { centre: at, radiusMeters, limit, matches }: NearQuery<Place>,
): Near<Place>[] {
  return places
    .filter((place) => matches?.(place) ?? true)
    .map((place) => ({ place, distance: distanceMeters(at, place) }))
    .filter(({ distance }) => distance <= radiusMeters)
    .toSorted((a, b) => a.distance - b.distance || (a.place.id < b.place.id ? -1 : 1))
    .slice(0, limit);
}
