import { covering, positionOf, type RankedCell, rankedCells } from '../geo/cells.ts';
import type { Point } from '../geo/distance.ts';
import { halves, type IndexRange, keysOf, rangeAfter, rangeWithin, without } from './index-range.ts';
import { type Near, Nearest, type NearQuery } from './nearest-places.ts';

interface Reading {
  /** The maximum number of places to read. */
  readonly limit: number;
  /** Reads from the end of the range to its start. @default false */
  readonly backwards?: boolean;
}

/** Places in the order of the index, and the last key that was read if the range continues. */
export interface ReadPlaces<Place> {
  readonly places: readonly Place[];
  readonly readTo?: string;
}

/** The places of one tenant in the index. */
export interface PlaceIndex<Place> {
  read(range: IndexRange, reading: Reading): Promise<ReadPlaces<Place>>;
}

type Indexed = Point & { readonly id: string };

/** The probe reads this many places on each side of the centre, along the curve, per place asked for. */
const PROBED_PER_WANTED = 2;
const PROBED_MIN = 20;
/**
 * A circle is read in at most this many ranges. With the two of the probe and one that it splits, a listing reads at
 * most eight.
 */
const RANGES = 5;
/** After this many places of a range, the rest is read in smaller cells. */
const PAGE = 200;
/** Pages grow while they bring no nearer place, for example when hardly any place matches. */
const PAGE_GROWTH = 2;
const CELLS = 8;
const CELLS_TOGETHER = 4;

/**
 * The nearest places in a circle, sorted by distance and id: exactly those that comparing every place would give.
 * The neighbours of the centre on the curve are read first. The farthest of the nearest ones limits the search, so that
 * in a city only a small circle is read, however large the radius. A range with more than a page, as when a city starts
 * at some distance, is read cell by cell, the nearest first, and the circle shrinks with each page.
 */
export async function nearby<Place extends Indexed>(
  index: PlaceIndex<Place>,
  query: NearQuery<Place>,
): Promise<readonly Near<Place>[]> {
  const nearest = new Nearest(query);
  const readRange = await probe(index, query, nearest);
  const ranges = covering(query.centre, nearest.reach, RANGES).map(keysOf);
  const unknown = readRange ? ranges.flatMap((range) => without(range, readRange)) : ranges;
  const unread = await readPages(index, nearest, { ranges: unknown, limit: PAGE });
  if (unread.length > 0) await readCells(index, nearest, { centre: query.centre, unread });
  return nearest.inOrder;
}

/** Reads the neighbours of the centre on the curve. Returns the range that is then completely read. */
async function probe<Place extends Indexed>(
  index: PlaceIndex<Place>,
  { centre, limit, radiusMeters }: NearQuery<Place>,
  nearest: Nearest<Place>,
): Promise<IndexRange | undefined> {
  const { cell, leaf } = positionOf(centre);
  const ranges = covering(centre, radiusMeters, RANGES).filter((range) => range.cell === cell);
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return undefined;
  const whole = keysOf({ cell, from: first.from, to: last.to });
  const [back, ahead] = halves(whole, leaf);
  const reading = { limit: Math.max(PROBED_MIN, limit * PROBED_PER_WANTED) };
  const [behind, beyond] = await Promise.all([
    index.read(back, { ...reading, backwards: true }),
    index.read(ahead, reading),
  ]);
  nearest.add(behind.places);
  nearest.add(beyond.places);
  return { cell, from: behind.readTo ?? whole.from, to: beyond.readTo ?? whole.to };
}

interface Pages {
  readonly ranges: readonly IndexRange[];
  /** The number of places of a page. */
  readonly limit: number;
}

/** Reads a page of each range, and returns the rests. */
async function readPages<Place extends Indexed>(
  index: PlaceIndex<Place>,
  nearest: Nearest<Place>,
  { ranges, limit }: Pages,
): Promise<IndexRange[]> {
  const rests = await Promise.all(
    ranges.map(async (range) => {
      const { places, readTo } = await index.read(range, { limit });
      nearest.add(places);
      return readTo === undefined ? [] : [rangeAfter(range, readTo)];
    }),
  );
  return rests.flat();
}

/**
 * Reads the parts of these ranges that may contain nearer places: the nearest cells first, and full cells by their
 * children.
 */
async function readCells<Place extends Indexed>(
  index: PlaceIndex<Place>,
  nearest: Nearest<Place>,
  { centre, unread: begun }: { centre: Point; unread: readonly IndexRange[] },
): Promise<void> {
  let unread = begun;
  let cells = rankedCells(centre, nearest.reach, CELLS);
  for (let limit = PAGE; ; ) {
    const { reach } = nearest;
    cells = cells.filter((cell) => cell.distance <= reach && piecesIn(cell, unread).length > 0);
    if (cells.length === 0) return;
    cells = cells.toSorted((a, b) => a.distance - b.distance);
    const [first, later] = [cells.slice(0, CELLS_TOGETHER), cells.slice(CELLS_TOGETHER)];
    const pieces = first.flatMap((cell) => piecesIn(cell, unread));
    const rests = await readPages(index, nearest, { ranges: pieces, limit });
    const others = pieces.reduce((left, piece) => left.flatMap((range) => without(range, piece)), unread);
    unread = [...others, ...rests];
    cells = [...later, ...first.flatMap((cell) => cell.parts())];
    limit = nearest.reach < reach ? PAGE : limit * PAGE_GROWTH;
  }
}

const piecesIn = ({ range }: RankedCell, unread: readonly IndexRange[]): IndexRange[] =>
  unread.flatMap((one) => rangeWithin(one, keysOf(range)));
