/** The states of a place in the loyalty interface: whether a customer can check in there. */
export const CHECK_IN_STATES = [
  'checkable',
  'toofar',
  'alreadycheckedin_checkable',
  'alreadycheckedin_toofar',
  'blocked_checkable',
  'blocked_toofar',
  'blocked_limithit',
  'not_checkable',
] as const;
export type CheckInState = (typeof CHECK_IN_STATES)[number];

/** The facts that decide a state. */
export interface Facts {
  /** The distance in metres, not rounded. */
  readonly distance: number;
  /** The distance within which the place accepts check-ins: its own setting, or else the app's (`acceptedDistanceOf`). */
  readonly acceptedDistance: number;
  /** True if the place takes no check-ins. */
  readonly closed: boolean;
  /**
   * The time from which the customer may check in at this place again, in milliseconds; undefined before the first
   * check-in.
   */
  readonly nextAt: number | undefined;
  readonly now: number;
  /** The customer's check-ins on this UTC day. */
  readonly dayCount: number;
  readonly dayLimit: number;
  /** The customer's check-ins at places of this brand on this UTC day. */
  readonly brandCount: number;
  /** 0 means no limit. */
  readonly brandLimit: number;
}

/**
 * Decides the state of a place, for lists and check-ins alike, so that the two agree. Lasting obstacles come first: a
 * closed place, a recent check-in there, the limits of the day, and the distance last.
 */
export function checkInState(facts: Facts): CheckInState {
  const { distance, acceptedDistance, closed, nextAt, now, dayCount, dayLimit, brandCount, brandLimit } = facts;
  const isFar = distance > acceptedDistance;
  if (closed) return 'not_checkable';
  if (nextAt !== undefined && nextAt > now) return isFar ? 'alreadycheckedin_toofar' : 'alreadycheckedin_checkable';
  if (dayCount >= dayLimit) return 'blocked_limithit';
  if (brandLimit > 0 && brandCount >= brandLimit) return isFar ? 'blocked_toofar' : 'blocked_checkable';
  return isFar ? 'toofar' : 'checkable';
}

/** The error code of a refused check-in for each state; undefined where it is accepted. */
export const REFUSAL_OF = {
  checkable: undefined,
  toofar: 'check_in_too_far_away',
  alreadycheckedin_checkable: 'check_in_not_available',
  alreadycheckedin_toofar: 'check_in_not_available',
  blocked_checkable: 'check_in_not_available',
  blocked_toofar: 'check_in_not_available',
  blocked_limithit: 'check_in_limit_reached',
  not_checkable: 'check_in_not_available',
} as const satisfies Readonly<Record<CheckInState, string | undefined>>;
