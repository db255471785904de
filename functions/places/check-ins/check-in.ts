import { isoTime } from '#shared/formats/timestamp';
import type { TenantKey } from '#shared/ids';
import { type LoyaltyCaller, type LoyaltyCustomer, requireCustomer } from '#shared/loyalty/loyalty-caller';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import { type Place, PlaceId } from '../catalog/place.ts';
import { type CheckInState, REFUSAL_OF } from '../check-in-rules/check-in-state.ts';
import { type LastListing, LISTING_MILLIS } from '../check-in-rules/last-listing.ts';
import { type Standing, stateOf } from '../check-in-rules/standing.ts';
import { distanceMeters } from '../geo/distance.ts';
import type { CheckInRequest } from './check-in-request.ts';

/** A check-in as it is stored and announced. */
export interface CheckIn {
  readonly id: string;
  readonly tenant: string;
  readonly app: string;
  readonly customer: LoyaltyCustomer;
  readonly place: Place;
  readonly creativeId: number | undefined;
  /** The time in milliseconds. */
  readonly at: number;
  /** The time from which the customer may check in at this place again, in milliseconds. */
  readonly nextAt: number;
  readonly dayLimit: number;
  /** 0 means no limit. */
  readonly brandLimit: number;
  /** The customer's last listing, with the position. */
  readonly listing: LastListing;
  /** The distance from that position in metres, not rounded. */
  readonly distance: number;
}

/** The items that decide a check-in. */
export interface Evidence {
  readonly place: Place | undefined;
  readonly listing: LastListing | undefined;
  readonly standing: Standing;
}

export interface CheckInDeps {
  readonly evidence: (customer: TenantKey, placeId: string, now: number) => Promise<Evidence>;
  /** Stores the check-in completely or not at all; false if the customer may no longer check in. */
  readonly commit: (checkIn: CheckIn) => Promise<boolean>;
  readonly creativeOf: (tenant: string, placeId: string, now: number) => Promise<number | undefined>;
  /** True if the tenant has an ad unit with this creative id, active or not. */
  readonly hasAdUnit: (tenant: string, creativeId: number, now: number) => Promise<boolean>;
  readonly newId: () => string;
}

export interface CheckedIn {
  readonly checkIn: CheckIn;
  readonly state: CheckInState;
}

/** After a refused write, reading again shows the reason. A third attempt would mean a bug. */
const ATTEMPTS_MAX = 3;

/**
 * Checks a customer in at a place. The position comes from the customer's last listing, never from the request, and the
 * same function decides as for the states of a list.
 */
export async function checkInAt(
  deps: CheckInDeps,
  caller: LoyaltyCaller,
  { placeId, request }: { placeId: string; request: CheckInRequest },
  now: number,
): Promise<CheckedIn> {
  const { app } = caller;
  const customer = requireCustomer(caller);
  if (!app.placesEnabled) throw loyaltyError('access_denied', 'Places are not enabled in this app.', { status: 200 });
  if (request.placeId !== placeId) {
    throw loyaltyError('argument_error', 'check_in.place_id must match the place in the path.');
  }
  if (!PlaceId.safeParse(placeId).success) throw unknownPlace();
  const { creativeId: requestedCreative } = request;
  if (requestedCreative !== undefined && !(await deps.hasAdUnit(app.tenant, requestedCreative, now))) {
    throw loyaltyError('argument_error', 'check_in.creative_id does not belong to any ad unit.');
  }
  const id = deps.newId();
  const key = { tenant: app.tenant, id: customer.id };
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const [{ standing, ...items }, creativeId] = await Promise.all([
      deps.evidence(key, placeId, now),
      deps.creativeOf(app.tenant, placeId, now),
    ]);
    const { place, listing, distance } = located({ ...items, request, now });
    const state = stateOf(place, { app, standing, distance, now });
    const refusal = REFUSAL_OF[state];
    if (refusal !== undefined) throw loyaltyError(refusal, MESSAGES[refusal]);
    const checkIn: CheckIn = {
      id,
      tenant: app.tenant,
      app: app.id,
      customer,
      place,
      creativeId,
      at: now,
      nextAt: now + app.cooldownSeconds * 1_000,
      dayLimit: app.checkInsPerDay,
      brandLimit: app.checkInsPerBrandAndDay,
      listing,
      distance,
    };
    if (await deps.commit(checkIn)) return { checkIn, state: stateAfter(checkIn, { standing, app }) };
  }
  throw new Error('A check-in was refused although its state allows it.');
}

interface CheckInPosition extends Pick<Evidence, 'place' | 'listing'> {
  readonly request: CheckInRequest;
  readonly now: number;
}

/** The place and the customer's distance from it at the last listing. Throws if the request does not match. */
function located({ place, listing, request, now }: CheckInPosition) {
  if (!place) throw unknownPlace();
  if (place.venueId !== request.venueId) {
    throw loyaltyError('argument_error', 'check_in.venue_id does not match the place.');
  }
  if (!listing || now - listing.at > LISTING_MILLIS) {
    throw loyaltyError(
      'missing_data',
      'List the places around the customer first: the check-in uses the position of that list.',
    );
  }
  return { place, listing, distance: distanceMeters(listing, place) };
}

const unknownPlace = () => loyaltyError('not_found', 'There is no such place.');

const MESSAGES = {
  check_in_too_far_away: 'The customer is too far away from the place.',
  check_in_not_available: 'The customer cannot check in at this place now.',
  check_in_limit_reached: 'The customer has reached the daily check-in limit.',
} as const;

interface Before {
  readonly standing: Standing;
  readonly app: LoyaltyCaller['app'];
}

/** The state of the place for the customer right after the check-in. */
function stateAfter({ place, distance, at, nextAt }: CheckIn, { standing, app }: Before): CheckInState {
  const brandCounts = new Map(standing.brandCounts).set(place.brand, (standing.brandCounts.get(place.brand) ?? 0) + 1);
  const after = {
    nextAt: new Map(standing.nextAt).set(place.id, nextAt),
    dayCount: standing.dayCount + 1,
    brandCounts,
  };
  return stateOf(place, { app, standing: after, distance, now: at });
}

/** The answer to a check-in: see "Interface" in the README. */
export const presentCheckedIn = ({ checkIn: { place, nextAt }, state }: CheckedIn) => ({
  place_id: place.id,
  state,
  can_check_in_again_at: isoTime(nextAt),
});
