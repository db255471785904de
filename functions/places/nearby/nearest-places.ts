import { distanceMeters, type Point } from '../geo/distance.ts';

/** The places to find. */
export interface NearQuery<Place> {
  readonly centre: Point;
  readonly radiusMeters: number;
  /** The maximum number of places. */
  readonly limit: number;
  /** Selects the places that count. @default all */
  readonly matches?: (place: Place) => boolean;
}

export interface Near<Place> {
  readonly place: Place;
  /** The distance in metres, not rounded. */
  readonly distance: number;
}

/** Collects the nearest places. */
export class Nearest<Place extends Point & { readonly id: string }> {
  readonly #query: NearQuery<Place>;
  #all: readonly Near<Place>[] = [];

  constructor(query: NearQuery<Place>) {
    this.#query = query;
  }

  /** Places farther away than this cannot be among the nearest any more. */
  get reach(): number {
    const { limit, radiusMeters } = this.#query;
    return this.#all[limit - 1]?.distance ?? radiusMeters;
  }

  /** The nearest places, sorted by distance, then by id. */
  get inOrder(): readonly Near<Place>[] {
    return this.#all;
  }

  add(places: readonly Place[]): void {
    const { centre, radiusMeters, limit, matches } = this.#query;
    const near = places
      .filter((place) => matches?.(place) ?? true)
      .map((place) => ({ place, distance: distanceMeters(centre, place) }))
      .filter(({ distance }) => distance <= radiusMeters);
    // A place that moves during the search may appear at both positions.
    const seen = new Set<string>();
    const once = ({ place: { id } }: Near<Place>) => !seen.has(id) && seen.add(id);
    this.#all = [...this.#all, ...near].sort(byDistance).filter(once).slice(0, limit);
  }
}

const byDistance = (a: Near<{ readonly id: string }>, b: Near<{ readonly id: string }>): number =>
  a.distance - b.distance || (a.place.id < b.place.id ? -1 : 1);

/** The nearest of a complete list of places. */
export function nearestOf<Place extends Point & { readonly id: string }>(
  places: readonly Place[],
  query: NearQuery<Place>,
): readonly Near<Place>[] {
  const nearest = new Nearest(query);
  nearest.add(places);
  return nearest.inOrder;
}
