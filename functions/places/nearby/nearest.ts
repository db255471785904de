import { distanceMeters, type Point } from '../geo/distance.ts';

/** What places are wanted. */
export interface Wanted<Place> {
  readonly centre: Point;
  readonly radiusMeters: number;
  /** The most places; the nearest ones are wanted. */
  readonly limit: number;
  /** Places to choose from. @default all */
  readonly matches?: (place: Place) => boolean;
}

export interface Near<Place> {
  readonly place: Place;
  /** Metres, not rounded. */
  readonly distance: number;
}

/** The nearest of the places seen so far. */
export class Nearest<Place extends Point & { readonly id: string }> {
  readonly #wanted: Wanted<Place>;
  #all: readonly Near<Place>[] = [];

  constructor(wanted: Wanted<Place>) {
    this.#wanted = wanted;
  }

  /** No place farther away than this is wanted any more. */
  get reach(): number {
    const { limit, radiusMeters } = this.#wanted;
    return this.#all[limit - 1]?.distance ?? radiusMeters;
  }

  /** By distance, then by id. */
  get inOrder(): readonly Near<Place>[] {
    return this.#all;
  }

  add(places: readonly Place[]): void {
    const { centre, radiusMeters, limit, matches } = this.#wanted;
    const near = places
      .filter((place) => matches?.(place) ?? true)
      .map((place) => ({ place, distance: distanceMeters(centre, place) }))
      .filter(({ distance }) => distance <= radiusMeters);
    // A place that moves while the index is read may be seen in both positions.
    const seen = new Set<string>();
    const once = ({ place: { id } }: Near<Place>) => !seen.has(id) && seen.add(id);
    this.#all = [...this.#all, ...near].sort(byDistance).filter(once).slice(0, limit);
  }
}

const byDistance = (a: Near<{ readonly id: string }>, b: Near<{ readonly id: string }>): number =>
  a.distance - b.distance || (a.place.id < b.place.id ? -1 : 1);

/** The nearest ones of places that are known whole. */
export function nearestOf<Place extends Point & { readonly id: string }>(
  places: readonly Place[],
  wanted: Wanted<Place>,
): readonly Near<Place>[] {
  const nearest = new Nearest(wanted);
  nearest.add(places);
  return nearest.inOrder;
}
