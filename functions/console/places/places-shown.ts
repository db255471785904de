import type { Management } from '../management/management.ts';
import { boxAround, boxIn, boxOf, boxText, type MapView, viewOf, WORLD } from '../map/map-view.ts';
import { type Place, PlacePage } from './place-answers.ts';

/** The most that the management API lists of a box, and of a list without one. */
const IN_BOX_MAX = 500;
const NEWEST_MAX = 100;
/** A page of a box may be short and still not be the last one. */
const PAGES_MAX = 4;

/** The places of a view. */
export interface PlacesShown {
  readonly view: MapView;
  readonly places: readonly Place[];
  /** There may be more of them in the view. */
  readonly isPart: boolean;
  /** Undefined: that of the places themselves. */
  readonly box: string | undefined;
}

/** What the map shows: the box of the address, else that of the newest places. */
export async function placesShown(management: Management, boxOfAddress: string): Promise<PlacesShown> {
  const stated = boxIn(boxOfAddress);
  if (stated) return placesInView(management, viewOf(stated));
  const newest = await management.get('loyalty/places', PlacePage, { limit: String(NEWEST_MAX) });
  const view = viewOf(boxAround(newest.items) ?? WORLD);
  if (newest.nextCursor !== undefined) return { ...(await placesInView(management, view)), box: undefined };
  return { view, places: newest.items, isPart: false, box: undefined };
}

async function placesInView(management: Management, view: MapView): Promise<PlacesShown> {
  const box = boxText(boxOf(view));
  const places: Place[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX && places.length < IN_BOX_MAX; pages += 1) {
    const limit = String(IN_BOX_MAX - places.length);
    // oxlint-disable-next-line no-await-in-loop -- each page says where the next one begins
    const found = await management.get('loyalty/places', PlacePage, { box, limit, cursor });
    places.push(...found.items);
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return { view, places, isPart: cursor !== undefined, box };
}
