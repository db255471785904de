import type { Management, Query } from '../management/management.ts';
import { boxAround, boxIn, boxOf, boxText, type MapView, pointAt, viewOf, WORLD, widthOf } from '../map/map-view.ts';
import { type Place, PlacePage } from './place-answers.ts';

/** A map shows no more. */
const SHOWN_MAX = 500;
/** The most that the management API lists at a time, without a box. */
const LISTED_MAX = 100;
/** A page may be short and still not be the last one. */
const PAGES_MAX = 5;
/** Degrees. Wider boxes have more ranges of the index than the management API reads for a page. */
const BOX_WIDTH_MAX = 24;

/** The places of a view. */
export interface PlacesShown {
  readonly view: MapView;
  readonly places: readonly Place[];
  /** There may be more of them in the view. */
  readonly isPart: boolean;
  /** Of the address; undefined where the view is that of the places themselves. */
  readonly box: string | undefined;
}

/** What the map shows: the box of the address, else that of the newest places. */
export async function placesShown(management: Management, boxOfAddress: string): Promise<PlacesShown> {
  const stated = boxIn(boxOfAddress);
  if (!stated) {
    const newest = await management.get('loyalty/places', PlacePage, { limit: String(LISTED_MAX) });
    const view = viewOf(boxAround(newest.items) ?? WORLD);
    if (newest.nextCursor === undefined) return { view, places: newest.items, isPart: false, box: undefined };
    return { view, ...(await placesIn(management, view)), box: undefined };
  }
  const view = viewOf(stated);
  return { view, ...(await placesIn(management, view)), box: boxText(boxOf(view)) };
}

/** Of a wide view those among the newest places, of any other those that the index finds in its box. */
async function placesIn(management: Management, view: MapView): Promise<Pick<PlacesShown, 'places' | 'isPart'>> {
  if (widthOf(view) <= BOX_WIDTH_MAX) return pagesOf(management, SHOWN_MAX, { box: boxText(boxOf(view)) });
  const { places, isPart } = await pagesOf(management, LISTED_MAX, {});
  return { places: places.filter((place) => pointAt(view, place) !== undefined), isPart };
}

async function pagesOf(management: Management, pageMax: number, query: Query) {
  const places: Place[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && places.length < SHOWN_MAX; pages += 1) {
    const limit = String(Math.min(pageMax, SHOWN_MAX - places.length));
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const found = await management.get('loyalty/places', PlacePage, { ...query, limit, cursor });
    places.push(...found.items);
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return { places, isPart: cursor !== undefined };
}
