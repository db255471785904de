/** GET …/apps/{api_key}/…/places: lists places around a registered or anonymous customer. */
import * as z from 'zod';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { readEnv } from '#shared/env';
import { callerHandler, describedRoutes, ok } from '#shared/http/http-handler';
import type { AnswerOf } from '#shared/http/operation';
import { textOf } from '#shared/http/request-body';
import { loyaltyEnv, loyaltySurface } from '#shared/loyalty/loyalty-surface.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { cachedPromotions } from '../ad-units/cached-promotions.dynamodb.ts';
import { placesById } from '../catalog/place-items.dynamodb.ts';
import { keepListing } from '../check-in-rules/last-listings.dynamodb.ts';
import { standingStore } from '../check-in-rules/standing-items.dynamodb.ts';
import { placesTable } from '../environment.ts';
import { nearby } from '../nearby/nearby.ts';
import { nearestOf } from '../nearby/nearest-places.ts';
import { placeIndex } from '../nearby/place-index.dynamodb.ts';
import { placeListingOperations } from './list-places.operations.ts';
import { type ListingDeps, listPlaces } from './list-places.ts';
import { readListRequest } from './list-request.ts';
import { presentListedPlace } from './listed-place-view.ts';

export const Env = z.object({ ...loyaltyEnv, ...placesTable });
const env = readEnv(Env);
const table = boundTable(env.PLACES_TABLE);
const surface = loyaltySurface(env, keySecrets(env.KEY_SECRETS));
const deps: ListingDeps = {
  nearby: (tenant, query) => nearby(placeIndex(table, tenant), query),
  byIds: async (tenant, ids, query) => nearestOf(await placesById(table, tenant, ids), query),
  promotions: cachedPromotions(table),
  standings: standingStore(table),
  keepListing: (customer, listing) => keepListing(table, customer, listing),
};

const list = callerHandler(
  surface,
  async (event, { caller, now }): Promise<AnswerOf<(typeof placeListingOperations)['listPlacesNearby']>> => {
    const request = readListRequest(event.rawQueryString, textOf(event));
    const places = await listPlaces(deps, caller, request, now);
    return ok({ status: 'ok', places: places.map((place) => presentListedPlace(place, caller.app)) });
  },
  { isHot: true },
);

export const handler = describedRoutes(placeListingOperations, {
  listPlacesNearby: list,
  listPlacesNearCustomer: list,
  listPlacesNearExternalCustomer: list,
  listPlacesNearAnonymousCustomer: list,
});
