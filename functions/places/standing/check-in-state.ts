/** Whether a customer can check in at a place: what the loyalty interfaces call the state of a place. */
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

/** What a state is decided by. */
export interface Facts {
  /** Metres, not rounded. */
  readonly distance: number;
  readonly acceptedDistance: number;
  /** The place takes no check-ins. */
  readonly closed: boolean;
  /** When the customer may check in at this place again, in milliseconds; undefined: has not checked in here. */
  readonly nextAt: number | undefined;
  readonly now: number;
  /** Check-ins of the customer on this UTC day. */
  readonly dayCount: number;
  readonly dayLimit: number;
  /** Those at places of this brand. */
  readonly brandCount: number;
  /** 0: no limit. */
  readonly brandLimit: number;
}

/**
 * The state by which the list shows a place and a check-in is decided, so that the two agree. What does not pass by
 * itself comes first: a closed place, then a recent check-in here, the limits of the day, and the distance last.
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

/** Why a check-in is refused in a state (specification 002, section 7); undefined where it is accepted. */
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
