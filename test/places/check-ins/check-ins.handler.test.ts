import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { adUnitStore } from '../../../functions/places/ad-units/ad-unit-store.dynamodb.ts';
import type { Place } from '../../../functions/places/catalog/place.ts';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { appKey } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { appSecretHash, newAppSecret } from '../../../shared/loyalty/app-secret.ts';
import { customerKey } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { losingProxy } from '../../support/faults/losing-proxy.ts';
import {
  CENTRE,
  disagreements,
  newApp,
  newCaller,
  openPlacesDesk,
  type PlacesDesk,
} from '../../support/places/places-desk.ts';

const app = newApp({ cooldownSeconds: 3_600 });
const secret = newAppSecret();

let desk: PlacesDesk;
let proxy: Awaited<ReturnType<typeof losingProxy>>;
let place: Place;
let checkIns: HttpHandler;
let places: HttpHandler;

beforeAll(async () => {
  desk = await openPlacesDesk();
  const { endpoint, region, credentials } = desk.clientOptions();
  proxy = await losingProxy(endpoint);
  const environment = {
    ACCOUNTS_TABLE: desk.accounts.name,
    PLACES_TABLE: desk.places.name,
    KEY_SECRETS: 'not needed without a token',
    LOYALTY_DEPRECATED_SINCE: '',
    AWS_ENDPOINT_URL: proxy.url,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler: checkIns } = await import('../../../functions/places/check-ins/check-ins.handler.ts'));
  ({ handler: places } = await import('../../../functions/places/listing/list-places.handler.ts'));
  await putNewItem(desk.accounts, { ...appKey(app.id), ...app, secretHash: appSecretHash(secret) });
  place = await desk.place(app.tenant, {
    name: 'Bakery',
    points: 5,
    icon: 'https://example.com/i.png',
    city: 'Berlin',
  });
});
afterEach(() => {
  proxy.state.loses = () => undefined;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
  await desk.close();
});

async function customer() {
  const caller = newCaller(app, { externalId: 'ext-1' });
  const { id } = caller.customer;
  const item = { id, tenant: app.tenant, externalId: 'ext-1', attributes: '{}', createdAt: '', updatedAt: '' };
  await putNewItem(desk.accounts, { ...customerKey({ tenant: app.tenant, id }), ...item });
  return caller;
}

async function call(handler: HttpHandler, routeKey: string, own: Partial<HttpEvent>) {
  const event = {
    routeKey,
    rawQueryString: '',
    headers: { authorization: `Basic ${Buffer.from(`${app.id}:${secret}`).toString('base64')}` },
    requestContext: { requestId: 'r-1', http: { method: routeKey.split(' ')[0], path: '/' } },
    isBase64Encoded: false,
    ...own,
  } as unknown as HttpEvent;
  const { statusCode, body = '' } = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: statusCode, json: JSON.parse(body) };
}

const list = (user: string, at = CENTRE) =>
  call(places, 'GET /priv/v1/apps/{api_key}/users/{user_id}/places', {
    pathParameters: { api_key: app.id, user_id: user },
    rawQueryString: `location%5Blatitude%5D=${at.latitude}&location%5Blongitude%5D=${at.longitude}`,
  });

const request = (checkIn: object) =>
  JSON.stringify({
    check_in: { place_id: place.id, venue_id: place.venueId, state: 'toofar', distance: 99_999, ...checkIn },
  });
const checkIn = (user: string, own: Partial<HttpEvent> = {}, at = place) =>
  call(checkIns, 'POST /priv/v1/apps/{api_key}/users/{user_id}/places/{place_id}/check_ins', {
    pathParameters: { api_key: app.id, user_id: user, place_id: at.id },
    body: request({ place_id: at.id, venue_id: at.venueId }),
    ...own,
  });

describe('the routes of places', () => {
  it('list a place and check in at it, with exactly the specified members', async () => {
    const { customer: user } = await customer();
    expect(await list(user.id)).toEqual({
      status: 200,
      json: {
        status: 'ok',
        places: [
          {
            id: place.id,
            name: 'Bakery',
            state: 'checkable',
            distance: 0,
            distance_label: '0 m',
            accepted_distance: 100,
            promoted: false,
            points: 5,
            icon: 'https://example.com/i.png',
            location: { lat: 52.52, lng: 13.405, address: '', city: 'Berlin', state: '' },
            check_in: {
              place_id: place.id,
              venue_id: place.venueId,
              creative_id: null,
              state: 'checkable',
              distance: 0,
            },
          },
        ],
      },
    });
    const before = Date.now();
    const { status, json } = await checkIn(user.id);
    expect([status, json]).toEqual([
      200,
      {
        status: 'ok',
        check_in: {
          place_id: place.id,
          state: 'alreadycheckedin_checkable',
          can_check_in_again_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
        user: { id: user.id, external_id: 'ext-1' },
      },
    ]);
    const nextAt = Date.parse(json.check_in.can_check_in_again_at);
    expect(nextAt).toBeGreaterThanOrEqual(before + 3_600_000);
    expect(nextAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
    expect((await list(user.id)).json.places[0].state).toBe('alreadycheckedin_checkable');
    expect(await checkIn(user.id)).toMatchObject({ status: 200, json: { errors: { code: 'check_in_not_available' } } });
  });

  it('trust neither state nor distance nor time of a request, and accept its body in base64', async () => {
    const { customer: user } = await customer();
    expect((await checkIn(user.id)).json.errors.code).toBe('missing_data');
    await list(user.id);
    const body = request({ state: 'blocked_limithit', distance: 1e9, at: '2000-01-01T00:00:00.000Z', now: 0 });
    const coded = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
    expect((await checkIn(user.id, coded)).json).toMatchObject({ status: 'ok' });
    const far = await customer();
    await desk.stand(far, { latitude: 0, longitude: 0 }, Date.now());
    const near = request({ state: 'checkable', distance: 0, latitude: CENTRE.latitude, longitude: CENTRE.longitude });
    expect((await checkIn(far.customer.id, { body: near })).json.errors.code).toBe('check_in_too_far_away');
  });

  it('answer 500 if it is unknown whether a check-in was stored, and the next request stores no second one', async () => {
    const caller = await customer();
    await list(caller.customer.id);
    proxy.state.loses = (operation) => (operation === 'TransactWriteItems' ? 'answer' : undefined);
    const lost = await checkIn(caller.customer.id);
    expect([lost.status, lost.json.status, lost.json.errors.code]).toEqual([500, 'error', 'internal_server_error']);
    proxy.state.loses = () => undefined;
    expect((await checkIn(caller.customer.id)).json.errors.code).toBe('check_in_not_available');
    const records = await desk.records(caller);
    expect(records.entries).toHaveLength(1);
    expect(disagreements(records)).toEqual([]);
  });

  it('also accept the location of a list in a JSON body', async () => {
    const { customer: user } = await customer();
    const { json } = await call(places, 'GET /priv/v1/apps/{api_key}/users/{user_id}/places', {
      pathParameters: { api_key: app.id, user_id: user.id },
      body: JSON.stringify({ location: { ...CENTRE, limit: 1 } }),
    });
    expect(json).toMatchObject({ status: 'ok', places: [{ id: place.id, distance: 0 }] });
  });

  it.each([
    ['a distance of half a metre', { distance: 0.5 }],
    ['a state that is none', { state: 'nearby' }],
    ['the creative id of no ad unit', { creative_id: 4_712 }],
  ])('refuse a check-in with %s, which changes nothing', async (_what, wrong) => {
    const { customer: user } = await customer();
    await list(user.id);
    expect((await checkIn(user.id, { body: request(wrong) })).json.errors.code).toBe('argument_error');
    expect((await checkIn(user.id)).json.status).toBe('ok');
  });

  it('refuse a parameter that occurs twice', async () => {
    const { customer: user } = await customer();
    const twice = await call(places, 'GET /priv/v1/apps/{api_key}/users/{user_id}/places', {
      pathParameters: { api_key: app.id, user_id: user.id },
      rawQueryString: 'location[latitude]=1&location[longitude]=1&location[latitude]=2',
    });
    expect(twice.json.errors).toEqual({ code: 'argument_error', message: 'location[latitude] appears twice.' });
  });

  it('answer a place that cannot exist with 404', async () => {
    const { customer: user } = await customer();
    const path = { api_key: app.id, user_id: user.id, place_id: 'x'.repeat(2_000) };
    const body = request({ place_id: path.place_id });
    const answer = await checkIn(user.id, { pathParameters: path, body });
    expect(answer).toMatchObject({ status: 404, json: { status: 'error', errors: { code: 'not_found' } } });
  });

  it('store with a check-in which ad unit promoted its place', async () => {
    const other = await customer();
    const elsewhere = { latitude: CENTRE.latitude + 1, longitude: CENTRE.longitude };
    const promoted = await desk.place(app.tenant, { name: 'Cafe', ...elsewhere });
    const times = { startsAt: null, endsAt: null, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '' };
    const unit = {
      tenant: app.tenant,
      id: 'adu_1',
      creativeId: 4711,
      revision: 1,
      name: 'Ad',
      placeIds: [promoted.id],
    };
    await adUnitStore(desk.places).add({ ...unit, ...times });
    // Ad units are read every ten seconds.
    vi.useFakeTimers({ now: Date.now() + 11_000, toFake: ['Date'] });
    try {
      const { json } = await list(other.customer.id, elsewhere);
      expect(json.places[0]).toMatchObject({ promoted: true, check_in: { creative_id: 4711 } });
      const input = { place_id: promoted.id, venue_id: promoted.venueId, creative_id: 4711 };
      expect((await checkIn(other.customer.id, { body: request(input) }, promoted)).json.status).toBe('ok');
    } finally {
      vi.useRealTimers();
    }
    const { visits, entries } = await desk.records(other);
    expect(visits).toMatchObject([{ creativeId: 4711 }]);
    expect(entries).toMatchObject([{ details: { creativeId: 4711 } }]);
  });
});
