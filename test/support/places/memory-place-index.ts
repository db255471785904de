/** The index of places as a sorted list in memory: reads like the table, and counts what it is asked for. */
import { positionOf } from '../../../functions/places/geo/cells.ts';
import type { Point } from '../../../functions/places/geo/distance.ts';
import type { PlaceIndex, ReadPlaces } from '../../../functions/places/nearby/nearby.ts';

export interface PlacePoint extends Point {
  readonly id: string;
}

interface Entry<Place> {
  readonly key: string;
  readonly place: Place;
}

export class MemoryPlaceIndex<Place extends PlacePoint> implements PlaceIndex<Place> {
  readonly #cells = new Map<string, Entry<Place>[]>();
  /** Since the last reset: reads, those after the first two that left something of their range, and places read. */
  reads = 0;
  unfinished = 0;
  placesRead = 0;

  constructor(places: readonly Place[]) {
    for (const place of places) {
      const { cell, leaf } = positionOf(place);
      const entries = this.#cells.get(cell) ?? [];
      entries.push({ key: `${leaf}#${place.id}`, place });
      this.#cells.set(cell, entries);
    }
    for (const entries of this.#cells.values()) entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  reset(): void {
    this.reads = 0;
    this.unfinished = 0;
    this.placesRead = 0;
  }

  async read(
    { cell, from, to }: { cell: string; from: string; to: string },
    { limit, backwards = false }: { limit: number; backwards?: boolean },
  ): Promise<ReadPlaces<Place>> {
    this.reads += 1;
    const all = this.#cells.get(cell) ?? [];
    const inRange = all.slice(
      firstAt(all, (key) => key >= from),
      firstAt(all, (key) => key > to),
    );
    const read = backwards ? inRange.slice(-limit).reverse() : inRange.slice(0, limit);
    this.placesRead += read.length;
    // The table does not know that a range ends with the last item that it may read.
    const isCut = read.length === limit;
    if (isCut && this.reads > 2) this.unfinished += 1;
    const last = read.at(-1);
    return { places: read.map(({ place }) => place), ...(isCut && last && { readTo: last.key }) };
  }
}

/** The position of the first entry whose key passes; they are in order. */
function firstAt(entries: readonly Entry<unknown>[], passes: (key: string) => boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(entries[middle]?.key ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
