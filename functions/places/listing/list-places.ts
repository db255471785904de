import type { TenantKey } from '#shared/ids';
import type { App } from '#shared/loyalty/app';
import type { LoyaltyCaller } from '#shared/loyalty/loyalty-caller';
import { loyaltyError } from '#shared/loyalty/loyalty-error';
import type { Promotions } from '../ad-units/promotions.ts';
import type { CheckInState } from '../check-in-rules/check-in-state.ts';
import type { LastListing } from '../check-in-rules/last-listing.ts';
import {
  acceptedDistanceOf,
  type CheckedPlace,
  NO_STANDING,
  type Standing,
  stateOf,
} from '../check-in-rules/standing.ts';
import type { Point } from '../geo/distance.ts';
import type { Near, NearQuery } from '../nearby/nearest-places.ts';
import type { ListRequest } from './list-request.ts';

const RADIUS_METERS_MAX = 50_000;
const PLACES_MAX = 100;
/** The places of a small ad unit are read by their ids, however many others are nearby. */
const READ_BY_ID_MAX = 100;

/** The members of a place that a list shows. */
export interface ListedPlace extends CheckedPlace, Point {
  readonly venueId: number;
  readonly name: string;
  readonly icon: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly points: number;
}

export interface ListingDeps {
  readonly nearby: (tenant: string, query: NearQuery<ListedPlace>) => Promise<readonly Near<ListedPlace>[]>;
  readonly byIds: (
    tenant: string,
    ids: readonly string[],
    query: NearQuery<ListedPlace>,
  ) => Promise<readonly Near<ListedPlace>[]>;
  readonly promotions: (tenant: string, now: number) => Promise<Promotions>;
  readonly standings: {
    whole(customer: TenantKey, now: number): Promise<Standing | undefined>;
    at(customer: TenantKey, places: readonly string[], now: number): Promise<Standing>;
  };
  readonly keepListing: (customer: TenantKey, listing: LastListing) => Promise<void>;
}

/** A place with its state for a customer. */
export interface PlaceForCustomer extends Near<ListedPlace> {
  readonly state: CheckInState;
  readonly acceptedDistance: number;
  readonly creativeId: number | undefined;
}

/** Lists the nearest places, and stores the customer's position, which decides later check-ins. */
export async function listPlaces(
  deps: ListingDeps,
  { app, customer }: LoyaltyCaller,
  request: ListRequest,
  now: number,
): Promise<PlaceForCustomer[]> {
  const { tenant } = app;
  if (!app.placesEnabled) throw loyaltyError('access_denied', 'Places are not enabled in this app.', { status: 200 });
  const key = customer && { tenant, id: customer.id };
  const promoted = deps.promotions(tenant, now);
  const [promotions, whole, near] = await Promise.all([
    promoted,
    key ? deps.standings.whole(key, now) : NO_STANDING,
    nearPlaces(deps, app, { request, promoted }),
  ]);
  const ids = near.map(({ place }) => place.id);
  const standing = whole ?? (key ? await deps.standings.at(key, ids, now) : NO_STANDING);
  if (key) await deps.keepListing(key, evidence(request, ids, now));
  return near.map(({ place, distance }) => ({
    place,
    distance,
    state: stateOf(place, { app, standing, distance, now }),
    acceptedDistance: acceptedDistanceOf(place, app),
    creativeId: promotions.creativeOf(place.id),
  }));
}

interface PlacesQuery {
  readonly request: ListRequest;
  readonly promoted: Promise<Promotions>;
}

async function nearPlaces(deps: ListingDeps, app: App, { request, promoted }: PlacesQuery) {
  const { latitude, longitude, filterBy } = request;
  const query = {
    centre: { latitude, longitude },
    radiusMeters: Math.min(request.radiusMeters ?? app.radiusMeters, RADIUS_METERS_MAX),
    limit: Math.min(request.limit ?? app.limit, PLACES_MAX),
  };
  if (filterBy === undefined) return deps.nearby(app.tenant, query);
  const chosen = (await promoted).placesOf(filterBy);
  if (chosen.size <= READ_BY_ID_MAX) return deps.byIds(app.tenant, [...chosen], query);
  return deps.nearby(app.tenant, { ...query, matches: ({ id }) => chosen.has(id) });
}

const evidence = ({ latitude, longitude, accuracy }: ListRequest, places: string[], at: number): LastListing => ({
  latitude,
  longitude,
  ...(accuracy !== undefined && { accuracy }),
  at,
  places,
});
