import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

const APP = '/priv/v1/apps/demo-app';
const USER = `${APP}/users/demo-user`;
const HERE = { latitude: 52.3731, longitude: 4.8922 };
const AT = `location[latitude]=${HERE.latitude}&location[longitude]=${HERE.longitude}`;

const now = () => service.cloud.clock.millis();
let service: RunningService;
let manager: string;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  manager = await service.managementToken('demo');
  for (const place of PLACES) await manage('POST', 'places', place);
});
afterAll(() => service?.close());

const place = (id: string, meters: number, more: object = {}) => ({
  id,
  name: `Place ${id}`,
  address: 'Dam 1',
  city: 'Amsterdam',
  state: 'NH',
  latitude: HERE.latitude + meters / 111_195,
  longitude: HERE.longitude,
  points: 7,
  ...more,
});
const PLACES = [
  place('near', 20),
  place('bakery', 30, { brand: 'Bakery', points: 3 }),
  place('shut', 40, { closed: true }),
  place('park', 250, { acceptedDistanceMeters: 300 }),
  place('far', 2_000, { icon: 'https://example.com/far.png' }),
  place('farther', 7_000),
];

async function manage(method: string, path: string, body?: unknown) {
  const answer = await service.call(`/manage/v1/loyalty/${path}`, {
    method,
    headers: { authorization: `Bearer ${manager}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

const BASIC = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
const get = (path: string, authorization = BASIC) => service.call(path, { headers: { authorization } });
const list = async (query = AT, user = USER) => (await get(`${user}/places?${query}`)).json;
const idsOf = ({ places }: { places: { id: string }[] }) => places.map(({ id }) => id);

function checkIn(id: string, fields: object = {}, path = `${USER}/places/${id}/check_ins`) {
  return post(path, { check_in: { place_id: id, state: 'checkable', distance: 0, ...fields } });
}
function post(path: string, body: unknown, authorization = BASIC) {
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };
  return service.call(path, { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) });
}
const venueOf = async (id: string) => (await manage('GET', `places/${id}`)).venueId as number;
const newCustomer = async (): Promise<string> => (await manage('POST', 'customers', {})).id;
const pointsOf = async (id: string): Promise<number> => (await manage('GET', `customers/${id}`)).availablePoints;
const error = (code: string) => ({ status: 'error', errors: { code, message: expect.any(String) } });

describe('a list of places', () => {
  it('shows the places around a customer, the nearest first, with every field of the specification', async () => {
    const { status, places } = await list();
    expect(status).toBe('ok');
    expect(
      places.map((one: { id: string; state: string; distance: number }) => [one.id, one.state, one.distance]),
    ).toEqual([
      ['near', 'checkable', 20],
      ['bakery', 'checkable', 30],
      ['shut', 'not_checkable', 40],
      ['park', 'checkable', 250],
      ['far', 'toofar', 2_000],
    ]);
    expect(places[4]).toEqual({
      id: 'far',
      name: 'Place far',
      state: 'toofar',
      distance: 2_000,
      distance_label: '2.0 km',
      accepted_distance: 100,
      promoted: false,
      points: 7,
      icon: 'https://example.com/far.png',
      location: { lat: expect.any(Number), lng: HERE.longitude, address: 'Dam 1', city: 'Amsterdam', state: 'NH' },
      check_in: {
        place_id: 'far',
        venue_id: await venueOf('far'),
        creative_id: null,
        state: 'toofar',
        distance: 1_900,
      },
    });
  });

  it('is the same by user id, by external id, for the app alone, and for an anonymous customer', async () => {
    const { auth_token: token } = (await post(`${APP}/anonymous_tokens`, {})).json;
    const expected = await list();
    for (const [query, path] of [
      [AT, `${APP}/external/users/demo-external`],
      [AT, APP],
      [`${AT}&auth_token=${token}`, APP],
      [`${AT}&auth_token=${token}`, '/api/v1/apps/demo-app'],
    ] as const) {
      expect(await list(query, path)).toEqual(expected);
    }
  });

  it('takes its object as JSON, with a limit and a radius, and brackets in any encoding', async () => {
    const json = (more: object) => `location=${encodeURIComponent(JSON.stringify({ ...HERE, ...more }))}`;
    expect(idsOf(await list(json({ limit: 2 })))).toEqual(['near', 'bakery']);
    expect(idsOf(await list(json({ radius: 50_001, accuracy: 12 })))).toEqual(PLACES.map(({ id }) => id));
    expect(
      idsOf(await list(`${encodeURI(AT).replaceAll('[', '%5B').replaceAll(']', '%5D')}&location%5Bradius%5D=35`)),
    ).toEqual(['near', 'bakery']);
  });

  // `list-request.test.ts` has every wrong parameter.
  it.each([
    ['', 'missing_data'],
    ['location[latitude]=-122.33&location[longitude]=47.61', 'argument_error'],
    [`${AT}&filter_by=museums`, 'argument_error'],
    ['location={"latitude":52', 'argument_error'],
  ])('is refused for %j: %s', async (query, code) => {
    const { status, json } = await get(`${USER}/places?${query}`);
    expect([status, json]).toEqual([200, error(code)]);
  });

  it('promotes the places of an ad unit, and shows only those on request', async () => {
    const unit = await manage('POST', 'ad-units', { name: 'Walks', placeIds: ['park', 'farther'] });
    service.cloud.clock.advance(11_000);
    const { places } = await list();
    const promoted = places.filter((one: { promoted: boolean }) => one.promoted);
    expect(promoted.map((one: { id: string }) => one.id)).toEqual(['park']);
    expect(promoted[0].check_in.creative_id).toBe(unit.creativeId);
    expect(idsOf(await list(`${AT}&filter_by=${unit.creativeId}`))).toEqual(['park']);
    expect(idsOf(await list(`${AT}&filter_by=${unit.creativeId}&location[radius]=9000`))).toEqual(['park', 'farther']);
    expect(idsOf(await list(`${AT}&filter_by=999999`))).toEqual([]);
    await manage('PATCH', `ad-units/${unit.id}`, { endsAt: new Date(now()).toISOString() });
    service.cloud.clock.advance(11_000);
    expect(idsOf(await list(`${AT}&filter_by=${unit.creativeId}`))).toEqual([]);
    await manage('DELETE', `ad-units/${unit.id}`);
  });

  it('has the settings of its app, which another app does not share', async () => {
    const { id, apiSecret } = await manage('POST', 'apps', {
      name: 'Miles',
      distanceUnit: 'mi',
      limit: 1,
      radiusMeters: 9_000,
    });
    const authorization = `Basic ${Buffer.from(`${id}:${apiSecret}`).toString('base64')}`;
    const listed = async () => (await get(`/priv/v1/apps/${id}/places?${AT}`, authorization)).json;
    expect(await listed()).toMatchObject({ places: [{ id: 'near', distance_label: '66 ft' }] });
    await manage('PATCH', `apps/${id}`, { placesEnabled: false });
    service.cloud.clock.advance(11_000);
    expect(await listed()).toEqual(error('access_denied'));
    const body = { check_in: { place_id: 'near', venue_id: 1, state: 'checkable', distance: 0 } };
    const refused = await post(`/priv/v1/apps/${id}/users/demo-user/places/near/check_ins`, body, authorization);
    expect([refused.status, refused.json]).toEqual([200, error('access_denied')]);
  });

  it.each([
    [USER, 'Basic nonsense', 401, 'access_denied'],
    [USER, `Basic ${Buffer.from('demo-app:wrong').toString('base64')}`, 401, 'access_denied'],
    ['/priv/v1/apps/other', BASIC, 401, 'access_denied'],
    ['/priv/v1/apps/nobody', `Basic ${Buffer.from('nobody:x').toString('base64')}`, 401, 'invalid_api_key'],
    [`${APP}/users/nobody`, BASIC, 404, 'user_not_found'],
    [`${APP}/external/users/nobody`, BASIC, 404, 'user_not_found'],
    ['/api/v1/apps/demo-app', BASIC, 401, 'invalid_auth_token'],
    ['/api/v1/apps/nobody', BASIC, 401, 'invalid_api_key'],
  ])('is refused at %s with %s', async (path, authorization, status, code) => {
    const answer = await get(`${path}/places?${AT}`, authorization);
    expect([answer.status, answer.json]).toEqual([status, error(code)]);
  });
});

describe('the places of a tenant', () => {
  it.each([
    ['places', { id: 'near', latitude: 91 }, ['/id', '/latitude', '/longitude', '/name']],
    [
      'ad-units',
      { placeIds: ['nowhere'], startsAt: '2026-11-02T00:00:00Z', endsAt: '2026-11-01T00:00:00Z' },
      ['/endsAt', '/name', '/placeIds'],
    ],
    ['customers', { externalId: 'demo-external', email: 'nobody' }, ['/email', '/externalId']],
  ])('and its %s are refused with all faults at once', async (path, body, all) => {
    const { status, json } = await post(`/manage/v1/loyalty/${path}`, body, `Bearer ${manager}`);
    expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()]).toEqual([400, all]);
  });

  it('come for a map up to 500 at a time, and from nowhere else more than 100', async () => {
    const { longitude: west, latitude: south } = HERE;
    const box = [west - 0.001, south - 0.001, west + 0.001, south + 0.01].join();
    const { items, nextCursor } = await manage('GET', `places?box=${box}&limit=500`);
    expect([items.map(({ id }: { id: string }) => id).sort(), nextCursor]).toEqual([
      ['bakery', 'near', 'park', 'shut'],
      undefined,
    ]);
    const { status, json } = await get('/manage/v1/loyalty/places?limit=500', `Bearer ${manager}`);
    expect([status, json.code, json.detail]).toEqual([400, 'invalid-input', 'limit must be at most 100 without a box']);
  });
});

describe('a check-in', () => {
  it('earns points once, shows in the next list, and is possible again after its time', async () => {
    const customer = await newCustomer();
    const user = `${APP}/users/${customer}`;
    await list(AT, user);
    const venue_id = await venueOf('near');
    const before = now();
    const { status, json } = await checkIn('near', { venue_id }, `${user}/places/near/check_ins`);
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'ok',
      check_in: { place_id: 'near', state: 'alreadycheckedin_checkable', can_check_in_again_at: expect.any(String) },
      user: { id: customer },
    });
    const again = Date.parse(json.check_in.can_check_in_again_at);
    expect(again - before).toBeGreaterThanOrEqual(86_400_000);
    expect(again - now()).toBeLessThanOrEqual(86_400_000);
    expect(await pointsOf(customer)).toBe(7);

    expect((await list(AT, user)).places[0]).toMatchObject({ id: 'near', state: 'alreadycheckedin_checkable' });
    const { items: listed } = await manage('GET', `customers/${customer}/check-ins`);
    expect(listed).toEqual([
      {
        id: expect.stringMatching(/^chk_/),
        time: expect.stringMatching(/^20.*Z$/),
        placeId: 'near',
        placeName: 'Place near',
        customer,
        app: 'demo-app',
        points: 7,
        distance: 20,
      },
    ]);
    const replayed = await checkIn('near', { venue_id }, `${user}/places/near/check_ins`);
    expect([replayed.status, replayed.json]).toEqual([200, error('check_in_not_available')]);
    expect(await pointsOf(customer)).toBe(7);

    service.cloud.clock.advance(86_400_000);
    manager = await service.managementToken('demo');
    expect((await list(AT, user)).places[0]).toMatchObject({ id: 'near', state: 'checkable' });
    expect((await checkIn('near', { venue_id }, `${user}/places/near/check_ins`)).json.status).toBe('ok');
    expect(await pointsOf(customer)).toBe(14);
  });

  it('of an anonymous customer works by the token alone, on both paths', async () => {
    const { auth_token: token, user } = (await post(`${APP}/anonymous_tokens`, {})).json;
    await list(`${AT}&auth_token=${token}`, '/api/v1/apps/demo-app');
    for (const [id, path] of [
      ['near', '/api/v1/apps/demo-app'],
      ['park', APP],
    ] as const) {
      const fields = { venue_id: await venueOf(id) };
      const { json } = await checkIn(id, fields, `${path}/places/${id}/check_ins?auth_token=${token}`);
      expect(json).toMatchObject({ status: 'ok', user: { id: user.id } });
    }
  });

  // `check-in-request.test.ts` has every wrong body.
  it.each([
    ['no body', '', 'missing_data'],
    [
      'another venue',
      { check_in: { place_id: 'near', venue_id: 999_999, state: 'checkable', distance: 0 } },
      'argument_error',
    ],
    ['broken JSON', '{"check_in":', 'argument_error'],
  ])('is refused for %s', async (_what, body, code) => {
    const { status, json } = await post(`${USER}/places/near/check_ins`, body);
    expect([status, json]).toEqual([200, error(code)]);
  });

  it('needs a customer, and a place that exists', async () => {
    const body = { check_in: { place_id: 'gone', venue_id: 1, state: 'checkable', distance: 0 } };
    const unknown = await post(`${USER}/places/gone/check_ins`, body);
    expect([unknown.status, unknown.json]).toEqual([404, error('not_found')]);
    const nobody = await checkIn('near', { venue_id: 1 }, `${APP}/places/near/check_ins`);
    expect([nobody.status, nobody.json]).toEqual([200, error('requires_registered_user')]);
  });

  it('with a body of 10 MB is refused, and changes nothing', async () => {
    const huge = JSON.stringify({ check_in: { place_id: 'near', more: 'x'.repeat(5_500_000) } });
    const { status, json } = await post(`${USER}/places/near/check_ins`, huge);
    expect([status, json]).toEqual([413, error('payload_too_large')]);
    const { status: gateway } = await post(`${USER}/places/near/check_ins`, 'x'.repeat(10_500_000));
    expect(gateway).toBe(413);
  });
});

describe('places in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'place-imports-'));
  let operator: string;
  beforeAll(async () => {
    operator = await service.managementToken('demo', { operator: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const file = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const importing = (...args: string[]) => service.run('cdk/import.command.ts', '--type', 'places', ...args);
  const loyalty = (path: string, bearer = operator) =>
    service.call(`/manage/v1/loyalty/${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  const places = async (tenant: string) =>
    new Map(
      ((await loyalty(`places?limit=100&tenant=${tenant}`)).json.items as { id: string }[]).map((one) => [one.id, one]),
    );
  const feature = (id: string | number, name: string, coordinates: readonly number[]) => ({
    type: 'Feature',
    id,
    properties: { name, brand: 'Imported' },
    geometry: { type: 'Point', coordinates },
  });

  it('are imported by the command for the tenant that it names, and it names the features that are wrong', async () => {
    const polygon = { type: 'Feature', properties: { name: 'P' }, geometry: { type: 'Polygon', coordinates: [] } };
    const features = [
      polygon,
      feature('e-1', 'Swapped', [30.26, -97.74]),
      feature('e-2', 'One', [-97.74, 30.26, 149]),
      feature(3, 'Two', [-97.75, 30.27]),
    ];
    const geojson = file('a.geojson.gz', gzipSync(JSON.stringify({ type: 'FeatureCollection', features })));
    const { code, stdout, stderr } = await importing('--tenant', 'acme', geojson);
    expect(stdout).toBe(`${geojson}: 2 places imported, 2 lines rejected.\n`);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${geojson} line 1: feature 1: the geometry is a Polygon, but a place needs a Point`,
      `${geojson} line 1: feature 2: latitude must be a number from -90 to 90, not -97.74; are latitude and longitude swapped?`,
    ]);
    expect(code).toBe(2);
    const imported = await places('acme');
    expect([...imported.keys()].sort()).toEqual(['3', 'e-2']);
    expect(imported.get('e-2')).toMatchObject({ name: 'One', latitude: 30.26, longitude: -97.74, brand: 'Imported' });
    expect((await places('demo')).has('e-2')).toBe(false);
  });

  it('are imports that their tenant can look at, with what was rejected, and no other tenant', async () => {
    const map = file('map.json', JSON.stringify({ columns: { Title: 'name', lat: 'latitude', lng: 'longitude' } }));
    const csv = file('seen.csv', 'id,Title,lat,lng\nseen-1,A,1,2\nseen-2,B,north,2\nseen-3,C,3,4\n');
    expect((await importing('--tenant', 'looking', '--map', map, csv)).code).toBe(2);
    const { json } = await loyalty('imports?tenant=looking');
    expect(json).toEqual({
      items: [
        {
          id: expect.stringMatching(/^[\w-]{20}$/),
          type: 'places',
          name: 'seen.csv',
          key: expect.stringMatching(/^looking\/.*\/seen\.csv$/),
          status: 'COMPLETED',
          lines: 4,
          imported: 2,
          deleted: 0,
          rejected: 1,
          bytes: expect.any(Number),
          bytesDone: json.items[0].bytes,
          startedAt: expect.any(String),
          updatedAt: expect.any(String),
          completedAt: json.items[0].updatedAt,
        },
      ],
    });
    const [{ id }] = json.items;
    const own = await service.managementToken('looking');
    const one = await loyalty(`imports/${id}`, own);
    expect(one.json).toMatchObject({
      ...json.items[0],
      rejections: [{ line: 3, reason: expect.stringContaining('north') }],
    });
    const [url = ''] = one.json.rejectionsUrls as string[];
    expect((await (await fetch(url)).text()).trim().split('\n')).toHaveLength(1);
    const other = await service.managementToken('other');
    expect((await loyalty(`imports/${id}`, other)).json).toMatchObject({ status: 404, code: 'not-found' });
    expect((await loyalty('imports', other)).json).toEqual({ items: [] });
  });

  it('are not uploaded for what cannot be a tenant', async () => {
    const { code, stderr } = await importing('--tenant', 'No Tenant', file('g.csv', 'id\n1\n'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be the id of a tenant')]);
  });
});
