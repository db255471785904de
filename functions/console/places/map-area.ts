import type { Management, Query } from '../management/management.ts';
import { boxAround, boxIn, boxOf, boxText, type MapView, pointAt, viewOf, WORLD, widthOf } from '../map/map-view.ts';
import { type Place, PlacePage } from './place-answers.ts';

/** The most places on a map. */
const PLACES_MAX = 500;
/** The most places that the management API lists at a time without a box. */
const PAGE_MAX = 100;
/** The most pages that are read, since a page may be short and not be the last one. */
const PAGES_MAX = 5;
/** The widest box in degrees. Wider ones cover more ranges of the index than the management API reads for a page. */
const BOX_WIDTH_MAX = 24;

/** The view of a map, with its places. */
export interface MapArea {
  readonly view: MapView;
  readonly places: readonly Place[];
  /** True if there may be more places in the view. */
  readonly isPart: boolean;
  /** The box in the address; undefined if the view follows from the places. */
  readonly box: string | undefined;
}

/** Reads the area of the map: the box in the address, otherwise the box of the newest places. */
export async function mapAreaOf(management: Management, boxOfAddress: string): Promise<MapArea> {
  const box = boxIn(boxOfAddress);
  if (!box) {
    const newest = await management.get('loyalty/places', PlacePage, { limit: String(PAGE_MAX) });
    const view = viewOf(boxAround(newest.items) ?? WORLD);
    if (newest.nextCursor === undefined) return { view, places: newest.items, isPart: false, box: undefined };
    return { view, ...(await placesIn(management, view)), box: undefined };
  }
  const view = viewOf(box);
  return { view, ...(await placesIn(management, view)), box: boxText(boxOf(view)) };
}

/** A page of the places with a name, and the view around them. */
export interface NamedArea extends MapArea {
  readonly nextCursor: string | undefined;
}

export async function namedAreaOf(management: Management, name: string, cursor: string): Promise<NamedArea> {
  const { items, nextCursor } = await management.get('loyalty/places', PlacePage, {
    limit: String(PAGE_MAX),
    name,
    cursor,
  });
  const view = viewOf(boxAround(items) ?? WORLD);
  return { view, places: items, isPart: nextCursor !== undefined, box: undefined, nextCursor };
}

/**
 * Reads the places of a view: for a wide view those among the newest places, otherwise those that the index finds in
 * its box.
 */
async function placesIn(management: Management, view: MapView): Promise<Pick<MapArea, 'places' | 'isPart'>> {
  if (widthOf(view) <= BOX_WIDTH_MAX) return pagesOf(management, PLACES_MAX, { box: boxText(boxOf(view)) });
  const { places, isPart } = await pagesOf(management, PAGE_MAX, {});
  return { places: places.filter((place) => pointAt(view, place) !== undefined), isPart };
}

async function pagesOf(management: Management, pageMax: number, query: Query) {
  const places: Place[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && places.length < PLACES_MAX; pages += 1) {
    const limit = String(Math.min(pageMax, PLACES_MAX - places.length));
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const page = await management.get('loyalty/places', PlacePage, { ...query, limit, cursor });
    places.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return { places, isPart: cursor !== undefined };
}
