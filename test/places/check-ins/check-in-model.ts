/**
 * What may happen to a customer, by the words of the specification and from nothing but the list of its check-ins. None
 * of the product's own code decides here.
 */
export interface ModelPlace {
  readonly name: string;
  readonly brand: string;
  readonly points: number;
  readonly closed: boolean;
}

export interface ModelApp {
  readonly name: string;
  readonly cooldownMillis: number;
  readonly perDay: number;
  /** 0: no limit. */
  readonly perBrand: number;
}

export interface ModelEvent {
  readonly place: ModelPlace;
  readonly app: ModelApp;
  readonly at: number;
}

export interface Attempt extends ModelEvent {
  readonly isFar: boolean;
}

const utcDay = (at: number): number => Math.floor(at / 86_400_000);

/** The state that a list shows of the place. */
export function modelState(events: readonly ModelEvent[], { place, app, at, isFar }: Attempt): string {
  const range = isFar ? 'toofar' : 'checkable';
  const here = events.filter((event) => event.place.name === place.name).at(-1);
  const today = events.filter((event) => utcDay(event.at) === utcDay(at));
  const ofBrand = today.filter((event) => event.place.brand === place.brand);
  if (place.closed) return 'not_checkable';
  if (here && here.at + here.app.cooldownMillis > at) return `alreadycheckedin_${range}`;
  if (today.length >= app.perDay) return 'blocked_limithit';
  if (place.brand !== '' && app.perBrand > 0 && ofBrand.length >= app.perBrand) return `blocked_${range}`;
  return range;
}

const CODES: Readonly<Record<string, string>> = {
  toofar: 'check_in_too_far_away',
  blocked_limithit: 'check_in_limit_reached',
};

/** The code that a check-in is refused with; undefined if it is made. */
export function modelRefusal(events: readonly ModelEvent[], attempt: Attempt): string | undefined {
  const state = modelState(events, attempt);
  return state === 'checkable' ? undefined : (CODES[state] ?? 'check_in_not_available');
}

/** All that decides about the future of a customer at this moment, as a text. Times are relative to it. */
export function modelKey(events: readonly ModelEvent[], at: number): string {
  const blocked = new Map(events.map(({ place, app, at: then }) => [place.name, then + app.cooldownMillis - at]));
  const today = events.filter((event) => utcDay(event.at) === utcDay(at));
  return JSON.stringify([
    at % 86_400_000,
    [...blocked]
      .filter(([, left]) => left > 0)
      .map(String)
      .toSorted(),
    today.map(({ place }) => place.brand).toSorted(),
  ]);
}
