/** Geohash and H3 as indexes of places: keys of a place, and ranges of keys that together hold all places of a circle. */
import { cellToBoundary, cellToCenterChild, cellToLatLng, cellToParent, gridDisk, latLngToCell } from 'h3-js';
import ngeohash from 'ngeohash';
import { distanceMeters, type Point } from '../../../functions/places/geo/distance.ts';
import { TENANT } from './generated-places.ts';

/** A stretch of one partition of an index, both ends included. */
export interface KeyRange {
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

type Located = Point & { readonly id: string };

/** Cells of this length are partitions, about 39 by 20 km; the sort key holds ten characters, about a metre. */
const GEOHASH_PARTITION = 4;
const GEOHASH_POINT = 10;

const geohashPartition = (hash: string) => `GEOHASH#${TENANT}#${hash.slice(0, GEOHASH_PARTITION)}`;

export function geohashKeys({ id, latitude, longitude }: Located) {
  const hash = ngeohash.encode(latitude, longitude, GEOHASH_POINT);
  return { geohashCell: geohashPartition(hash), geohash: `${hash}#${id}` };
}

/** The length that covers a circle with the fewest calls and not too much besides it. */
const geohashLength = (radiusMeters: number) => (radiusMeters <= 1_000 ? 6 : radiusMeters <= 10_000 ? 5 : 4);

/** All cells that reach into the circle, from its middle outwards. */
export function geohashCover(centre: Point, radiusMeters: number): KeyRange[] {
  const first = ngeohash.encode(centre.latitude, centre.longitude, geohashLength(radiusMeters));
  const seen = new Set([first]);
  const cover: string[] = [];
  for (const cell of seen) {
    if (cell !== first && distanceToBox(centre, cell) > radiusMeters * 1.01) continue;
    cover.push(cell);
    for (const neighbour of ngeohash.neighbors(cell)) seen.add(neighbour);
  }
  return cover.map((cell) => ({ partition: geohashPartition(cell), from: cell, to: `${cell}~` }));
}

/** To the point with the nearest latitude and longitude, which is not quite the nearest one. */
function distanceToBox(centre: Point, cell: string): number {
  const [south, west, north, east] = ngeohash.decode_bbox(cell);
  const latitude = Math.min(Math.max(centre.latitude, south), north);
  const longitude = Math.min(Math.max(centre.longitude, west), east);
  return distanceMeters(centre, { latitude, longitude });
}

/** Partitions are some 120 km wide; the sort key holds the finest cell, whose parents are ranges of it. */
const H3_PARTITION = 3;
const H3_POINT = 15;

const h3Partition = (cell: string) => `H3#${TENANT}#${cellToParent(cell, H3_PARTITION)}`;

export function h3Keys({ id, latitude, longitude }: Located) {
  const cell = latLngToCell(latitude, longitude, H3_POINT);
  return { h3Cell: h3Partition(cell), h3: `${cell}#${id}` };
}

const h3Resolution = (radiusMeters: number) => (radiusMeters <= 1_000 ? 8 : radiusMeters <= 10_000 ? 6 : 4);

/** The parts of a cell reach beyond its edge: the farthest of all sizes by nearly a fifth of its radius. */
const H3_OVERHANG = 1.3;

export function h3Cover(centre: Point, radiusMeters: number): KeyRange[] {
  const resolution = h3Resolution(radiusMeters);
  const first = latLngToCell(centre.latitude, centre.longitude, resolution);
  const corner = (cell: string) =>
    Math.max(...cellToBoundary(cell).map((at) => distanceMeters(pointOf(cellToLatLng(cell)), pointOf(at))));
  const rings = Math.ceil((radiusMeters + 2 * corner(first)) / corner(first)) + 1;
  const cells = gridDisk(first, rings).filter(
    (cell) => distanceMeters(centre, pointOf(cellToLatLng(cell))) <= radiusMeters + H3_OVERHANG * corner(cell),
  );
  return cells.map((cell) => ({
    partition: h3Partition(cell),
    from: cellToCenterChild(cell, H3_POINT),
    // The second digit is the resolution; those of missing levels are all ones already.
    to: `8f${cell.slice(2)}~`,
  }));
}

const pointOf = ([latitude, longitude]: readonly [number, number] | readonly number[]): Point => ({
  latitude: latitude!,
  longitude: longitude!,
});
