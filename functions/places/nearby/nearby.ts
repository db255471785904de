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

/** A page of places in the order of the index. */
export interface ReadPlaces<Place> {
  readonly places: readonly Place[];
  /** The last key that was read; undefined if the range has no more places. */
  readonly readTo?: string;
}

/** The places of one tenant in the index. */
export interface PlaceIndex<Place> {
  read(range: IndexRange, reading: Reading): Promise<ReadPlaces<Place>>;
}

type Indexed = Point & { readonly id: string };

/** The probe reads this many places on each side of the centre, along the curve, for each place of the list. */
const PROBED_PER_PLACE = 2;
const PROBED_MIN = 20;
/**
 * A circle is covered by at most this many ranges. The probe reads two more, and may split one: so the first pages of a
 * listing are at most eight.
 */
const RANGES_MAX = 5;
/** After this many places of a range, the rest is read in smaller cells. */
const PAGE = 200;
/** Pages grow while they bring no nearer place, for example when hardly any place matches. */
const PAGE_GROWTH = 2;
/** The largest number of cells that the search of full ranges begins with. */
const FIRST_CELLS_MAX = 8;
/** This many cells, the nearest ones, are read at the same time. */
const CELLS_AT_ONCE = 4;

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
  const ranges = covering(query.centre, nearest.reach, RANGES_MAX).map(keysOf);
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
  const ranges = covering(centre, radiusMeters, RANGES_MAX).filter((range) => range.cell === cell);
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return undefined;
  const whole = keysOf({ cell, from: first.from, to: last.to });
  const [back, ahead] = halves(whole, leaf);
  const reading = { limit: Math.max(PROBED_MIN, limit * PROBED_PER_PLACE) };
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

/** Reads a page of each range. Returns the parts of the ranges that are still unread. */
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
 * Reads the parts of unread ranges that may contain nearer places, cell by cell, the nearest first. A cell with more
 * than a page is then read by its four children.
 */
async function readCells<Place extends Indexed>(
  index: PlaceIndex<Place>,
  nearest: Nearest<Place>,
  { centre, unread: unreadAtFirst }: { centre: Point; unread: readonly IndexRange[] },
): Promise<void> {
  let unread = unreadAtFirst;
  let cells = rankedCells(centre, nearest.reach, FIRST_CELLS_MAX);
  for (let limit = PAGE; ; ) {
    const { reach } = nearest;
    cells = cells.filter((cell) => cell.distance <= reach && piecesIn(cell, unread).length > 0);
    if (cells.length === 0) return;
    cells = cells.toSorted((a, b) => a.distance - b.distance);
    const [first, later] = [cells.slice(0, CELLS_AT_ONCE), cells.slice(CELLS_AT_ONCE)];
    const pieces = first.flatMap((cell) => piecesIn(cell, unread));
    const rests = await readPages(index, nearest, { ranges: pieces, limit });
    const others = pieces.reduce((left, piece) => left.flatMap((range) => without(range, piece)), unread);
    unread = [...others, ...rests];
    cells = [...later, ...first.flatMap((cell) => cell.parts())];
    limit = nearest.reach < reach ? PAGE : limit * PAGE_GROWTH;
  }
}

const piecesIn = ({ range }: RankedCell, unread: readonly IndexRange[]): IndexRange[] =>
  unread.flatMap((part) => rangeWithin(part, keysOf(range)));
