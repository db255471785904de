import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { newId } from '../../../shared/ids.ts';
import { openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

let desk: PlacesDesk;
let handler: HttpHandler;
loggedLines();
beforeAll(async () => {
  desk = await openPlacesDesk();
  const { endpoint, region, credentials } = desk.clientOptions();
  const environment = {
    AUDIT_TABLE: desk.accounts.name,
    PLACES_TABLE: desk.places.name,
    NEW_PLACES_PER_DAY: '2',
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/places/catalog/places.handler.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await desk.close();
});

async function call(tenant: string, method: 'GET' | 'POST', { body, query = '' }: { body?: object; query?: string }) {
  const event = {
    routeKey: `${method} /manage/v1/loyalty/places`,
    rawQueryString: query,
    queryStringParameters: Object.fromEntries(new URLSearchParams(query)),
    headers: {},
    ...(body && { body: JSON.stringify(body) }),
    requestContext: {
      requestId: 'r-1',
      http: { method, path: '/manage/v1/loyalty/places', sourceIp: '203.0.113.1' },
      authorizer: { lambda: { tenant, operator: false, scopes: ['manage'], subject: 'rita' } },
    },
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const answer = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: answer.statusCode, json: JSON.parse(answer.body ?? '') };
}

const create = (tenant: string, name: string) =>
  call(tenant, 'POST', { body: { name, latitude: 47.6, longitude: -122.3 } });

it('a tenant that has created its places of the day is refused, and no other one', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => create('quota-of-places', name)));
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '201', '429']);
  expect(answers.find(({ status }) => status === 429)?.json).toMatchObject({ code: 'quota-exceeded' });
  expect((await create('another', 'a')).status).toBe(201);
});

it('places are found by their ids, in the order asked for, without those that are gone or of others', async () => {
  const [tenant, other] = [newId('t'), newId('t')];
  const [first, second, third] = [await desk.place(tenant), await desk.place(tenant), await desk.place(tenant)];
  const foreign = await desk.place(other);
  const ids = [third.id, 'gone', first.id, foreign.id, third.id, second.id];
  const { json } = await call(tenant, 'GET', { query: `ids=${ids.join()}&limit=1` });
  expect(json).toEqual({ items: [third, first, second].map(({ id }) => expect.objectContaining({ id })) });
});

it('ids that are no ids, or too many, or with another way to find places, are refused', async () => {
  const many = Array.from({ length: 101 }, (_, n) => `p${n}`).join();
  for (const query of [
    'ids=',
    'ids=a,,b',
    'ids=a b',
    `ids=${many}`,
    'ids=a&name=b',
    'ids=a&box=7,7,8,8',
    'ids=a&cursor=x',
  ]) {
    const { status, json } = await call('anyone', 'GET', { query });
    expect([query, status, json.code]).toEqual([query, 400, 'invalid-input']);
  }
});
