import { r1, s1, s2 } from 's2js';
import { EARTH_RADIUS_METERS, type Point } from './distance.ts';

/**
 * S2 geometry divides the globe into six faces and each cell into four, thirty times. A cell of this level is about 290
 * km wide. No covering uses a larger one, so that each range is in one partition of the index.
 */
const PARTITION_LEVEL = 5;
/** A cell of this level is about 40 m wide, smaller than any circle that is covered. */
const SMALLEST_LEVEL = 18;
/**
 * S2 squares distances and so loses half of their digits. This margin covers the rounding at edges of cells and
 * circles.
 */
const MARGIN_METERS = 1;
const MARGIN_DEGREES = 1e-5;

const { cellid } = s2;

/** The position of a point in the index. */
export interface CellPosition {
  /** The token of the cell that is the partition key. */
  readonly cell: string;
  /**
   * The token of the smallest cell, about 1 cm wide: 16 hexadecimal digits, in the order of the curve through all
   * cells.
   */
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

/** The number of cells of a covering before neighbours are joined. More cells cost time and save hardly any area. */
const CELLS_MAX = 20;

interface Stretch {
  readonly cell: string;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Ranges that together contain every point of a circle, and some outside it, in the order of the curve. Neighbours are
 * joined, and if there are too many ranges, those with the smallest gaps.
 * @param mostRanges at least 4, because a circle may surround a corner of four partitions
 */
export function covering(centre: Point, radiusMeters: number, mostRanges: number): LeafRange[] {
  const cells = cellsAround(centre, radiusMeters, CELLS_MAX).sort((a, b) => (a < b ? -1 : 1));
  return joinedStretches(cells.map(stretchOf), mostRanges).map(rangeOf);
}

/**
 * A box between two parallels and two meridians, in degrees. If west is greater than east, it crosses the antimeridian.
 */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * Ranges that together contain every point of a box, in the order of their partitions. A box around the globe has
 * thousands.
 */
export function coveringBox({ west, south, east, north }: Box): LeafRange[] {
  const latitudes = new r1.Interval(radians(south), radians(north));
  // Of a box that ends just before it begins, both ends can be the same in radians: it would be a line.
  const isAround = east - west >= 360 || (west > east && west - east < MARGIN_DEGREES);
  const longitudes = isAround ? s1.Interval.fullInterval() : s1.Interval.fromEndpoints(radians(west), radians(east));
  const box = new s2.Rect(latitudes, longitudes).expanded(s2.LatLng.fromDegrees(MARGIN_DEGREES, MARGIN_DEGREES));
  const cells = [...coverer(CELLS_MAX).covering(box)].sort((a, b) => (a < b ? -1 : 1));
  return joinedStretches(cells.map(stretchOf), cells.length).map(rangeOf);
}

/** A cell, the distance to its nearest point, and its four children, or itself if it is one of the smallest. */
export interface RankedCell {
  readonly range: LeafRange;
  /** The distance from the centre in metres; 0 for the cell that contains it. */
  readonly distance: number;
  parts(): RankedCell[];
}

/** Cells that together contain every point of a circle. */
export function rankedCells(centre: Point, radiusMeters: number, mostCells: number): RankedCell[] {
  const point = pointOf(centre);
  const ranked = (id: bigint): RankedCell => ({
    range: rangeOf(stretchOf(id)),
    distance: Math.max(0, metersOf(s2.Cell.fromCellID(id).distance(point)) - MARGIN_METERS),
    parts: () => (cellid.isLeaf(id) ? [id] : [...cellid.children(id)]).map(ranked),
  });
  return cellsAround(centre, radiusMeters, mostCells).map(ranked);
}

/** @param chord the squared straight distance on a unit sphere */
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

/** Joins stretches of one partition: adjacent ones first, then those with the smallest gaps. */
function joinedStretches(stretches: readonly Stretch[], most: number): Stretch[] {
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

/** The ids of neighbouring smallest cells differ by two. */
const ADJACENT = 2n;
/** This is larger than any gap within a partition. */
const OTHER_PARTITION = 1n << 62n;

const gapBetween = (a: Stretch, b: Stretch): bigint => (a.cell === b.cell ? b.from - a.to : OTHER_PARTITION);
