import type { App } from '#shared/loyalty/app';
import { isoTime } from '#shared/timestamp';
import { type CheckInState, checkInState } from './check-in-state.ts';

/** What a customer has done so far, as far as it decides what the customer may do now. */
export interface Standing {
  /** When the customer may check in at a place again, by the place's id, in milliseconds. */
  readonly nextAt: ReadonlyMap<string, number>;
  /** Check-ins on this UTC day. */
  readonly dayCount: number;
  /** Those of them by brand. */
  readonly brandCounts: ReadonlyMap<string, number>;
}

/** Of a caller without a customer, and of a customer who has not checked in yet. */
export const NO_STANDING: Standing = { nextAt: new Map(), dayCount: 0, brandCounts: new Map() };

/** `YYYY-MM-DD` in UTC. */
export const dayOf = (now: number): string => isoTime(now).slice(0, 10);

/** What the state of a place depends on. */
export interface CheckedPlace {
  readonly id: string;
  readonly brand: string;
  readonly closed: boolean;
  readonly acceptedDistanceMeters?: number | undefined;
}

type Limits = Pick<App, 'acceptedDistanceMeters' | 'checkInsPerDay' | 'checkInsPerBrandAndDay'>;

export const acceptedDistanceOf = (place: CheckedPlace, app: Pick<App, 'acceptedDistanceMeters'>): number =>
  place.acceptedDistanceMeters ?? app.acceptedDistanceMeters;

interface Seen {
  readonly app: Limits;
  readonly standing: Standing;
  /** Metres from the customer, not rounded. */
  readonly distance: number;
  readonly now: number;
}

/** The state of a place for a customer of an app. */
export const stateOf = (place: CheckedPlace, { app, standing, distance, now }: Seen): CheckInState =>
  checkInState({
    distance,
    acceptedDistance: acceptedDistanceOf(place, app),
    closed: place.closed,
    nextAt: standing.nextAt.get(place.id),
    now,
    dayCount: standing.dayCount,
    dayLimit: app.checkInsPerDay,
    brandCount: place.brand === '' ? 0 : (standing.brandCounts.get(place.brand) ?? 0),
    brandLimit: place.brand === '' ? 0 : app.checkInsPerBrandAndDay,
  });
