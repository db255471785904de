import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { newId } from '../../../shared/ids.ts';
import { customerKey } from '../../../shared/loyalty/customer-items.dynamodb.ts';
import { type PointsEntry, pointsWrites } from '../../../shared/loyalty/points-ledger.dynamodb.ts';
import { putNewItem, transact } from '../../../shared/table/table.dynamodb.ts';
import { CENTRE, newApp, newCaller, openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

let desk: PlacesDesk;
let handler: HttpHandler;
beforeAll(async () => {
  desk = await openPlacesDesk();
  const { endpoint, region, credentials } = desk.clientOptions();
  const environment = {
    ACCOUNTS_TABLE: desk.accounts.name,
    PLACES_TABLE: desk.places.name,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/places/check-ins/customer-check-ins.handler.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await desk.close();
});

async function list(tenant: string, id: string, query = '', of: 'customers' | 'places' = 'customers') {
  const event = {
    routeKey: `GET /manage/v1/loyalty/${of}/{id}/check-ins`,
    rawQueryString: query,
    headers: {},
    pathParameters: { id },
    requestContext: {
      requestId: 'r-1',
      http: { method: 'GET' },
      authorizer: { lambda: { tenant, operator: false, scopes: ['read'], subject: 'rita' } },
    },
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const { statusCode, body = '' } = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: statusCode, json: JSON.parse(body) };
}

/** All pages, and how many there were. */
async function all(tenant: string, id: string, limit: number, of: 'customers' | 'places' = 'customers') {
  const items: { id: string }[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { status, json } = await list(
      tenant,
      id,
      `limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      of,
    );
    expect(status).toBe(200);
    expect(json.items.length).toBeLessThanOrEqual(limit);
    items.push(...json.items);
    cursor = json.nextCursor;
    pages += 1;
    if (pages > 100) throw new Error('The pages do not end.');
  } while (cursor !== undefined);
  return { items, pages };
}

async function enter(tenant: string, customer: string, n: number, own: Partial<PointsEntry> = {}) {
  const entry: PointsEntry = {
    tenant,
    customer,
    id: `chk_${String(n).padStart(4, '0')}`,
    points: n,
    source: 'check-in',
    at: new Date(NOW + Math.floor(n / 2) * 1_000).toISOString(),
    details: { app: 'app_1', place: 'gone' },
    ...own,
  };
  expect(await transact(desk.accounts, pointsWrites(desk.accounts.name, entry))).toEqual({ done: true });
}

describe('the check-ins of a customer', () => {
  it('are those that were stored, newest first, with the current name of the place', async () => {
    const app = newApp({ cooldownSeconds: 60 });
    const caller = newCaller(app);
    const { tenant } = app;
    const customer = caller.customer.id;
    const [first, second] = [await desk.place(tenant, { name: 'Bakery' }), await desk.place(tenant, { points: 8 })];
    for (const [place, now] of [[first, NOW] as const, [second, NOW + 1_000] as const]) {
      await desk.stand(caller, CENTRE, now);
      expect(await desk.checkIn({ caller, place, now })).toHaveProperty('state');
    }
    await desk.place(tenant, { id: first.id, name: 'Bakery and Café' });
    const { status, json } = await list(tenant, customer);
    const shared = { id: expect.stringMatching(/^chk_/), customer, app: app.id, distance: 0 };
    expect([status, json]).toEqual([
      200,
      {
        items: [
          { ...shared, placeId: second.id, placeName: 'A place', points: 8, time: '2026-11-15T10:30:01.000Z' },
          { ...shared, placeId: first.id, placeName: 'Bakery and Café', points: 5, time: '2026-11-15T10:30:00.000Z' },
        ],
      },
    ]);
  });

  it('have no name of a place that was deleted', async () => {
    const [tenant, customer] = [newId('t'), newId('cus')];
    await enter(tenant, customer, 1);
    const { json } = await list(tenant, customer);
    expect(json.items).toEqual([
      { id: 'chk_0001', time: '2026-11-15T10:30:00.000Z', placeId: 'gone', customer, app: 'app_1', points: 1 },
    ]);
  });

  it.each([1, 3, 7, 8, 100])('come in pages of %i, each once, without what else has earned points', async (limit) => {
    const [tenant, customer] = [newId('t'), newId('cus')];
    const isCheckIn = (n: number) => n % 3 !== 1;
    for (let n = 0; n < 11; n += 1) {
      const source = isCheckIn(n) ? 'check-in' : 'image-validation';
      await enter(tenant, customer, n, { source });
    }
    const { items } = await all(tenant, customer, limit);
    expect(items.map(({ id }) => Number(id.slice(4)))).toEqual([9, 8, 6, 5, 3, 2, 0]);
  });

  it('may be absent from a page that still has a next one: a request reads a thousand entries', async () => {
    const [tenant, customer] = [newId('t'), newId('cus')];
    await enter(tenant, customer, 0);
    const others = Array.from({ length: 1_005 }, (_, n) => n + 2);
    for (let at = 0; at < others.length; at += 99) {
      const writes = others
        .slice(at, at + 99)
        .flatMap((n) => pointsWrites('accounts', otherEntry(tenant, customer, n)).slice(0, 1));
      expect(await transact(desk.accounts, writes)).toEqual({ done: true });
    }
    const { json } = await list(tenant, customer, 'limit=10');
    expect([json.items, typeof json.nextCursor]).toEqual([[], 'string']);
    const { items, pages } = await all(tenant, customer, 10);
    expect([items.map(({ id }) => id), pages]).toEqual([['chk_0000'], 2]);
  });

  it('are an empty list for a customer without any, and an error without a customer', async () => {
    const [tenant, id] = [newId('t'), newId('cus')];
    const item = { id, tenant, attributes: '{}', createdAt: '', updatedAt: '' };
    await putNewItem(desk.accounts, { ...customerKey({ tenant, id }), ...item });
    expect(await list(tenant, id)).toEqual({ status: 200, json: { items: [] } });
    await enter(tenant, id, 1);
    for (const [whose, customer] of [
      [newId('t'), id],
      [tenant, 'nobody'],
    ] as const) {
      const { status, json } = await list(whose, customer);
      expect([status, json.code]).toEqual([404, 'not-found']);
    }
  });

  it('take no cursor of another list, and none that was made up', async () => {
    const [tenant, customer] = [newId('t'), newId('cus')];
    for (const n of [1, 2]) await enter(tenant, customer, n);
    const { json } = await list(tenant, customer, 'limit=1');
    const made = (entry: string) =>
      Buffer.from(JSON.stringify([`check-ins ${tenant}#${customer}`, { entry }])).toString('base64url');
    const other = await list(tenant, newId('cus'), `cursor=${json.nextCursor}`);
    const refused = [
      other,
      ...(await Promise.all(['x'.repeat(1_020), ''].map((one) => list(tenant, customer, `cursor=${made(one)}`)))),
    ];
    for (const answer of refused) expect([answer.status, answer.json.code]).toEqual([400, 'invalid-cursor']);
    for (const one of ['0', 'zzz', '\u{10ffff}'])
      expect((await list(tenant, customer, `cursor=${made(one)}`)).status).toBe(200);
  });
});

const otherEntry = (tenant: string, customer: string, n: number): PointsEntry => ({
  tenant,
  customer,
  id: `other_${n}`,
  points: 0,
  source: 'image-validation',
  at: new Date(NOW + n * 1_000).toISOString(),
  details: {},
});

describe('the check-ins at a place', () => {
  it('are those of all its customers, newest first, and of no other place or tenant', async () => {
    const app = newApp({ cooldownSeconds: 60 });
    const { tenant } = app;
    const place = await desk.place(tenant, { name: 'Bakery' });
    const other = await desk.place(tenant, {});
    const callers = [newCaller(app), newCaller(app)];
    for (const [n, caller] of callers.entries()) {
      await desk.stand(caller, CENTRE, NOW + n);
      for (const at of [place, other]) await desk.checkIn({ caller, place: at, now: NOW + n });
    }
    const { status, json } = await list(tenant, place.id, '', 'places');
    const shared = { id: expect.stringMatching(/^chk_/), app: app.id, distance: 0, points: 5 };
    expect([status, json]).toEqual([
      200,
      {
        items: callers.toReversed().map(({ customer }, n) => ({
          ...shared,
          customer: customer.id,
          placeId: place.id,
          placeName: 'Bakery',
          time: new Date(NOW + 1 - n).toISOString(),
        })),
      },
    ]);
    expect((await list(newId('t'), place.id, '', 'places')).status).toBe(404);
  });

  it.each([1, 3, 100])('come in pages of %i, each once, also at a place that was deleted', async (limit) => {
    const tenant = newId('t');
    for (let n = 0; n < 7; n += 1) await enter(tenant, `customer-${n % 3}`, n);
    const { items } = await all(tenant, 'gone', limit, 'places');
    expect(items.map(({ id }) => Number(id.slice(4)))).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('are none at a place without any, and not those of validations', async () => {
    const tenant = newId('t');
    const place = await desk.place(tenant, {});
    await enter(tenant, 'customer', 1, { source: 'image-validation', details: { place: place.id } });
    expect(await list(tenant, place.id, '', 'places')).toEqual({ status: 200, json: { items: [] } });
    expect((await list(tenant, 'nowhere', '', 'places')).status).toBe(404);
  });
});
