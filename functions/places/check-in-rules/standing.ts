import { isoTime } from '#shared/formats/timestamp';
import type { App } from '#shared/loyalty/app';
import { type CheckInState, checkInState } from './check-in-state.ts';

/** A customer's past check-ins, to the extent that they limit new ones. */
export interface Standing {
  /** The time from which the customer may check in again, in milliseconds, by place id. */
  readonly nextAt: ReadonlyMap<string, number>;
  /** The customer's check-ins on this UTC day. */
  readonly dayCount: number;
  /** The same count by brand. */
  readonly brandCounts: ReadonlyMap<string, number>;
}

/** The standing of a caller without a customer, and of a customer without check-ins. */
export const NO_STANDING: Standing = { nextAt: new Map(), dayCount: 0, brandCounts: new Map() };

/** The UTC day as `YYYY-MM-DD`. */
export const dayOf = (now: number): string => isoTime(now).slice(0, 10);

/** The members of a place on which its state depends. */
export interface CheckedPlace {
  readonly id: string;
  readonly brand: string;
  readonly closed: boolean;
  readonly acceptedDistanceMeters?: number | undefined;
}

type Limits = Pick<App, 'acceptedDistanceMeters' | 'checkInsPerDay' | 'checkInsPerBrandAndDay'>;

/**
 * How far from a place a customer may be to check in: `acceptedDistanceMeters` of the place, or else that of the app
 * (`shared/loyalty/app.ts`, which has the default).
 */
export const acceptedDistanceOf = (place: CheckedPlace, app: Pick<App, 'acceptedDistanceMeters'>): number =>
  place.acceptedDistanceMeters ?? app.acceptedDistanceMeters;

interface StateInput {
  readonly app: Limits;
  readonly standing: Standing;
  /** The distance from the customer in metres, not rounded. */
  readonly distance: number;
  readonly now: number;
}

/** The state of a place for a customer of an app. */
export const stateOf = (place: CheckedPlace, { app, standing, distance, now }: StateInput): CheckInState =>
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
