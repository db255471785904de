import { r1, s1, s2 } from 's2js';
import { EARTH_RADIUS_METERS, type Point } from './distance.ts';

/**
 * Cells of the S2 geometry: the globe is cut into six faces, and each cell into four, thirty times. A cell of this level
 * is some 290 km wide, and no covering uses a larger one, so that each range lies in one partition of the index.
 */
const PARTITION_LEVEL = 5;
/** About 40 m wide. The circles that are covered are larger. */
const SMALLEST_LEVEL = 18;
/** Covers what rounding moves across the edge of a cell or circle: S2 squares distances, and loses half of their digits. */
const MARGIN_METERS = 1;
const MARGIN_DEGREES = 1e-5;

const { cellid } = s2;

/** Where a point stands in the index. */
export interface CellPosition {
  /** Token of the cell that is the partition. */
  readonly cell: string;
  /** Token of the smallest cell, about 1 cm: 16 hexadecimal digits, in order of the curve through all cells. */
  readonly leaf: string;
}

export function positionOf({ latitude, longitude }: Point): CellPosition {
  const leaf = cellid.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));
  return { cell: cellid.toToken(cellid.parent(leaf, PARTITION_LEVEL)), leaf: cellid.toToken(leaf) };
}

/** A stretch of the curve in one partition, from one smallest cell to another, both included. */
export interface LeafRange {
  readonly cell: string;
  readonly from: string;
  readonly to: string;
}

/** Cells of a covering before neighbours on the curve are joined: more cost time and save hardly any area. */
const CELLS_MAX = 20;

interface Stretch {
  readonly cell: string;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Ranges that together hold every point within a circle, and some outside of it; in order of the curve. Neighbours on it
 * are one range, and where there are too many, those with the least between them.
 *
 * @param mostRanges from 4: a circle may lie around a corner of four partitions.
 */
export function covering(centre: Point, radiusMeters: number, mostRanges: number): LeafRange[] {
  const cells = cellsAround(centre, radiusMeters, CELLS_MAX).sort((a, b) => (a < b ? -1 : 1));
  return joined(cells.map(stretchOf), mostRanges).map(rangeOf);
}

/** A box between two parallels and two meridians, in degrees. One whose west is east of its east crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Ranges that together hold every point within a box, in order of their partitions. A box of the globe has thousands. */
export function coveringBox({ west, south, east, north }: Box): LeafRange[] {
  const latitudes = new r1.Interval(radians(south), radians(north));
  const longitudes =
    east - west >= 360 ? s1.Interval.fullInterval() : s1.Interval.fromEndpoints(radians(west), radians(east));
  const box = new s2.Rect(latitudes, longitudes).expanded(s2.LatLng.fromDegrees(MARGIN_DEGREES, MARGIN_DEGREES));
  const cells = [...coverer(CELLS_MAX).covering(box)].sort((a, b) => (a < b ? -1 : 1));
  return joined(cells.map(stretchOf), cells.length).map(rangeOf);
}

/** A cell, how far its nearest point is, and the four cells that it consists of: itself if it is one of the smallest. */
export interface RankedCell {
  readonly range: LeafRange;
  /** Metres from the centre; 0 in the cell that holds it. */
  readonly distance: number;
  parts(): RankedCell[];
}

/** Cells that together hold every point within a circle. */
export function rankedCells(centre: Point, radiusMeters: number, mostCells: number): RankedCell[] {
  const point = pointOf(centre);
  const ranked = (id: bigint): RankedCell => ({
    range: rangeOf(stretchOf(id)),
    distance: Math.max(0, metersOf(s2.Cell.fromCellID(id).distance(point)) - MARGIN_METERS),
    parts: () => (cellid.isLeaf(id) ? [id] : [...cellid.children(id)]).map(ranked),
  });
  return cellsAround(centre, radiusMeters, mostCells).map(ranked);
}

/** @param chord the square of a straight distance on a sphere of radius 1 */
const metersOf = (chord: number): number => 2 * Math.asin(Math.min(1, Math.sqrt(chord) / 2)) * EARTH_RADIUS_METERS;

const pointOf = ({ latitude, longitude }: Point) => s2.Point.fromLatLng(s2.LatLng.fromDegrees(latitude, longitude));

function cellsAround(centre: Point, radiusMeters: number, mostCells: number): bigint[] {
  const cap = s2.Cap.fromCenterAngle(pointOf(centre), (radiusMeters + MARGIN_METERS) / EARTH_RADIUS_METERS);
  return [...coverer(mostCells).covering(cap)];
}

const coverer = (maxCells: number) =>
  new s2.RegionCoverer({ minLevel: PARTITION_LEVEL, maxLevel: SMALLEST_LEVEL, maxCells });

const radians = (degrees: number) => (degrees * Math.PI) / 180;

const stretchOf = (id: bigint): Stretch => ({
  cell: cellid.toToken(cellid.parent(id, PARTITION_LEVEL)),
  from: cellid.rangeMin(id),
  to: cellid.rangeMax(id),
});

const rangeOf = ({ cell, from, to }: Stretch): LeafRange => ({
  cell,
  from: cellid.toToken(from),
  to: cellid.toToken(to),
});

/** Joins stretches of one partition, those with the smallest gaps first, and all between which nothing is. */
function joined(stretches: readonly Stretch[], most: number): Stretch[] {
  const gaps = stretches.slice(1).map((stretch, at) => ({ at, gap: gapBetween(stretches[at]!, stretch) }));
  const inOrder = gaps.toSorted((a, b) => (a.gap < b.gap ? -1 : 1));
  const closed = new Set(inOrder.slice(0, Math.max(0, stretches.length - most)).map(({ at }) => at));
  const all: Stretch[] = [];
  stretches.forEach((stretch, at) => {
    const before = all.at(-1);
    const { gap = OTHER_PARTITION } = gaps[at - 1] ?? {};
    const joins = before !== undefined && gap < OTHER_PARTITION && (gap === ADJACENT || closed.has(at - 1));
    if (joins) all[all.length - 1] = { ...before, to: stretch.to };
    else all.push(stretch);
  });
  return all;
}

/** Ids of smallest cells are two apart. */
const ADJACENT = 2n;
/** More than any gap within a partition. */
const OTHER_PARTITION = 1n << 62n;

const gapBetween = (a: Stretch, b: Stretch): bigint => (a.cell === b.cell ? b.from - a.to : OTHER_PARTITION);
