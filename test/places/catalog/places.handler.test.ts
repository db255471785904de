import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
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

async function create(tenant: string, name: string) {
  const event = {
    routeKey: 'POST /manage/v1/loyalty/places',
    rawQueryString: '',
    headers: {},
    body: JSON.stringify({ name, latitude: 47.6, longitude: -122.3 }),
    requestContext: {
      requestId: 'r-1',
      http: { method: 'POST', path: '/manage/v1/loyalty/places', sourceIp: '203.0.113.1' },
      authorizer: { lambda: { tenant, operator: false, scopes: ['manage'], subject: 'rita' } },
    },
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const { statusCode, body = '' } = await handler(event, { awsRequestId: 'i-1' } as Context);
  return { status: statusCode, json: JSON.parse(body) };
}

it('a tenant that has created its places of the day is refused, and no other one', async () => {
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => create('quota-of-places', name)));
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['201', '201', '429']);
  expect(answers.find(({ status }) => status === 429)?.json).toMatchObject({ code: 'quota-exceeded' });
  expect((await create('another', 'a')).status).toBe(201);
});
