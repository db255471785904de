import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { Context } from 'aws-lambda';
import { cachedPromotions } from '../../../functions/places/ad-units/cached-promotions.dynamodb.ts';
import { checkInEvent } from '../../../functions/places/announcements/check-in-event.ts';
import { placesById } from '../../../functions/places/catalog/place-items.dynamodb.ts';
import { keepListing } from '../../../functions/places/check-in-rules/last-listings.dynamodb.ts';
import { standingStore } from '../../../functions/places/check-in-rules/standing-items.dynamodb.ts';
import { type CheckInDeps, checkInAt, presentCheckedIn } from '../../../functions/places/check-ins/check-in.ts';
import { readCheckInRequest } from '../../../functions/places/check-ins/check-in-request.ts';
import { commitCheckIn, evidenceOf } from '../../../functions/places/check-ins/check-in-store.dynamodb.ts';
import { type ListingDeps, listPlaces } from '../../../functions/places/listing/list-places.ts';
import { readListRequest } from '../../../functions/places/listing/list-request.ts';
import { presentListedPlace } from '../../../functions/places/listing/listed-place-view.ts';
import { nearby } from '../../../functions/places/nearby/nearby.ts';
import { nearestOf } from '../../../functions/places/nearby/nearest-places.ts';
import { placeIndex } from '../../../functions/places/nearby/place-index.dynamodb.ts';
import { accountStatus } from '../../../shared/auth/tenant-items.dynamodb.ts';
import { eventBus } from '../../../shared/events/event-bus.eventbridge.ts';
import { type HttpEvent, type HttpHandler, loggedHandler, ok } from '../../../shared/http/http-handler.ts';
import { textOf } from '../../../shared/http/request-body.ts';
import { newId } from '../../../shared/ids.ts';
import { knownApps } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { knownCustomers } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { loyaltyCallers } from '../../../shared/loyalty/loyalty-caller.ts';
import { presentLoyaltyError } from '../../../shared/loyalty/loyalty-error.ts';
import { presentCustomer } from '../../../shared/loyalty/present-customer.ts';
import type { Item } from '../../../shared/table/table.dynamodb.ts';
import type { Tables } from '../../support/places/places-desk.ts';

export const LIST_ROUTE = 'GET /priv/v1/apps/{api_key}/users/{user_id}/places';
export const CHECK_IN_ROUTE = 'POST /priv/v1/apps/{api_key}/users/{user_id}/places/{place_id}/check_ins';

/** One instance of each function, put together as its handler does it. */
export const newPlacesInstance = (
  tables: Tables,
  bus: { readonly client: EventBridgeClient; readonly name: string },
) => ({
  list: listHandler(tables),
  checkIn: checkInHandler(tables),
  /** @param visits as the table's stream brings them together */
  announce: (visits: readonly Item[]) =>
    eventBus({ name: bus.name, source: 'places' }, bus.client).put(
      visits.flatMap((visit) => checkInEvent(visit) ?? []),
    ),
});

const callers = ({ accounts }: Tables) =>
  loyaltyCallers({
    apps: knownApps(accounts),
    customers: knownCustomers(accounts),
    secretsOf: () => Promise.reject(new Error('No call of the bench has a token.')),
    statusOf: accountStatus(accounts),
  });

function listHandler(tables: Tables): HttpHandler {
  const { places: table } = tables;
  const identify = callers(tables);
  const deps: ListingDeps = {
    nearby: (tenant, query) => nearby(placeIndex(table, tenant), query),
    byIds: async (tenant, ids, query) => nearestOf(await placesById(table, tenant, ids), query),
    promotions: cachedPromotions(table),
    standings: standingStore(table),
    keepListing: (customer, listing) => keepListing(table, customer, listing),
  };
  return loggedHandler(
    presentLoyaltyError,
    async (event) => {
      const now = Date.now();
      const caller = await identify(event, now);
      const listed = await listPlaces(deps, caller, readListRequest(event.rawQueryString), now);
      return ok({ status: 'ok', places: listed.map((one) => presentListedPlace(one, caller.app)) });
    },
    { isHot: true },
  );
}

function checkInHandler(tables: Tables): HttpHandler {
  const { places, accounts } = tables;
  const identify = callers(tables);
  const promotions = cachedPromotions(places);
  const deps: CheckInDeps = {
    evidence: (customer, placeId, now) => evidenceOf(places, customer, { placeId, now }),
    commit: (checkIn) => commitCheckIn({ places, accounts: accounts.name }, checkIn),
    creativeOf: async (tenant, placeId, now) => (await promotions(tenant, now)).creativeOf(placeId),
    hasAdUnit: async (tenant, creativeId, now) => (await promotions(tenant, now)).hasUnit(creativeId),
    newId: () => newId('chk'),
  };
  return loggedHandler(
    presentLoyaltyError,
    async (event) => {
      const now = Date.now();
      const caller = await identify(event, now);
      const placeId = event.pathParameters?.['place_id'] ?? '';
      const checkedIn = await checkInAt(deps, caller, { placeId, request: readCheckInRequest(textOf(event)) }, now);
      const user = presentCustomer(checkedIn.checkIn.customer);
      return ok({ status: 'ok', check_in: presentCheckedIn(checkedIn), user });
    },
    { isHot: true },
  );
}

interface Calling {
  readonly credentials: { readonly id: string; readonly secret: string };
  readonly path: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: string;
}

/** The bytes of an answer, which must be good. */
export const answerBytes = async (...call: Parameters<typeof answerText>): Promise<number> =>
  Buffer.byteLength(await answerText(...call));

/** Calls as the gateway does. Returns the answer, which must be good. */
export async function answerText(handler: HttpHandler, routeKey: string, calling: Calling): Promise<string> {
  const { credentials, path, query = '', body } = calling;
  const pair = Buffer.from(`${credentials.id}:${credentials.secret}`).toString('base64');
  const [method = ''] = routeKey.split(' ');
  const event = {
    routeKey,
    rawQueryString: query,
    headers: { authorization: `Basic ${pair}`, 'content-type': 'application/json' },
    pathParameters: { api_key: credentials.id, ...path },
    requestContext: { requestId: 'JKJaXmPLvHcESHA=', http: { method, path: '/' } },
    body,
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const answer = await handler(event, { awsRequestId: crypto.randomUUID() } as Context);
  const text = answer.body ?? '';
  if (answer.statusCode !== 200 || !text.startsWith('{"status":"ok"')) throw new Error(text);
  return text;
}
