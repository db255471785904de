import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDemoTenant } from '../../../functions/accounts/commands/demo-tenant.dynamodb.ts';
import { clientOptions } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';

const now = () => service.cloud.clock.millis();
let service: RunningService;
let acme: string;
let other: string;
let operator: string;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  [acme, other, operator] = await Promise.all([
    service.managementToken('acme'),
    service.managementToken('other'),
    service.managementToken('ops', { operator: true }),
  ]);
});
afterAll(() => service?.close());

const APPS = '/manage/v1/loyalty/apps';
const CUSTOMERS = '/manage/v1/loyalty/customers';

function manage(method: string, path: string, { as = acme, body }: { as?: string; body?: unknown } = {}) {
  return service.call(path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

interface Asking {
  readonly path?: string;
  readonly pair?: string;
  readonly authorization?: string;
  readonly body?: string;
}

function askToken({ path = 'demo-app', pair = 'demo-app:demo-secret', authorization, body }: Asking = {}) {
  const header = authorization ?? `Basic ${Buffer.from(pair).toString('base64')}`;
  return service.call(`/priv/v1/apps/${path}/anonymous_tokens`, {
    method: 'POST',
    headers: header === '' ? {} : { authorization: header },
    ...(body !== undefined && { body }),
  });
}

async function newApp(body: object = {}): Promise<{ id: string; apiSecret: string }> {
  const { status, json, text } = await manage('POST', APPS, { body: { name: 'Shop', ...body } });
  expect(status, text).toBe(201);
  return json;
}
const statusFor = async (id: string, secret: string) => (await askToken({ path: id, pair: `${id}:${secret}` })).status;
/** What functions know of apps and customers is read again. */
const elevenSecondsLater = () => {
  service.cloud.clock.advance(11_000);
};

describe('an anonymous token', () => {
  it('is given to the demo app for its key and secret, with a customer of its own each time', async () => {
    const { status, json, headers } = await askToken();
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const issued = { auth_token: expect.any(String), expires: expect.any(String) };
    expect(json).toEqual({
      status: 'ok',
      user: { id: expect.stringMatching(/^anon_[A-Za-z0-9_-]{20}$/), ...issued },
      ...issued,
    });
    expect([json.user.auth_token, json.user.expires]).toEqual([json.auth_token, json.expires]);
    const { exp = 0, sub } = decodeJwt(json.auth_token);
    expect([exp * 1_000, sub]).toEqual([Date.parse(json.expires), json.user.id]);
    expect(Math.abs(exp * 1_000 - now() - 30 * 86_400_000)).toBeLessThan(600_000);
    expect((await askToken()).json.user.id).not.toBe(json.user.id);
  });

  it.each(['', '{}', '{"user_id":"demo-user","user":{"email":"a@example.com"}}', 'no json'])(
    'is given whatever the body is: %j',
    async (body) => {
      const { status, json } = await askToken({ body });
      expect([status, json.status]).toEqual([200, 'ok']);
      expect(json.user.id).toMatch(/^anon_/);
    },
  );

  it('is given for a path in any encoding', async () => {
    expect((await askToken({ path: 'demo%2Dapp' })).status).toBe(200);
  });

  it.each([
    ['no header', { authorization: '' }, 'access_denied'],
    ['another scheme', { authorization: 'Bearer demo-app' }, 'access_denied'],
    ['no base64', { authorization: 'Basic demo-app:demo-secret' }, 'access_denied'],
    ['a wrong secret', { pair: 'demo-app:demo-secret2' }, 'access_denied'],
    ['another app in the path', { path: 'demo-app2' }, 'access_denied'],
    ['an unknown app', { path: 'nobody', pair: 'nobody:demo-secret' }, 'invalid_api_key'],
  ])('is not given for %s', async (_what, asking, code) => {
    const { status, json, headers } = await askToken(asking);
    expect([status, json.status, json.errors.code]).toEqual([401, 'error', code]);
    expect(json.errors.message).toMatch(/\.$/);
    expect(headers.get('www-authenticate')).toBe('Basic realm="loyalty", charset="UTF-8"');
  });
});

describe('a path of the loyalty interfaces that does not exist', () => {
  it.each([
    ['GET', '/priv/v1/apps/demo-app/anonymous_tokens/more'],
    ['POST', '/priv/v1/apps/demo-app/anonymous_tokens/more'],
    ['GET', '/priv/nothing'],
    ['DELETE', '/priv/v1/apps/demo-app/nothing'],
    ['GET', '/api/v1/apps/demo-app/nothing'],
    ['POST', '/api/nothing'],
  ])('is a 404 of that interface, without a credential: %s %s', async (method, path) => {
    const { status, json } = await service.call(path, { method });
    expect(status).toBe(404);
    expect(json).toEqual({ status: 'error', errors: { code: 'not_found', message: expect.any(String) } });
  });
});

describe('an app', () => {
  it('is made with a key, settings and a secret, which is shown once', async () => {
    const body = { name: 'Shop', distanceUnit: 'mi', limit: 7, checkInsPerBrandAndDay: 2 };
    const { status, json, headers } = await manage('POST', APPS, { body });
    expect(status).toBe(201);
    expect([headers.get('location'), headers.get('cache-control')]).toEqual([`${APPS}/${json.id}`, 'no-store']);
    const { apiSecret, ...others } = json;
    expect(others).toEqual({
      id: expect.stringMatching(/^app_[A-Za-z0-9_-]{20}$/),
      apiKey: json.id,
      ...body,
      placesEnabled: true,
      imagesEnabled: true,
      radiusMeters: 5_000,
      acceptedDistanceMeters: 100,
      cooldownSeconds: 86_400,
      checkInsPerDay: 10,
      imagesPerRecord: 10,
      submissionsPerDay: 20,
      createdAt: expect.any(String),
    });
    expect((await manage('GET', `${APPS}/${json.id}`)).json).toEqual(others);
    expect((await manage('GET', APPS)).json.items[0]).toEqual(others);
    expect(await statusFor(json.id, apiSecret)).toBe(200);
  });

  it('gets a new secret, and the old one ends within ten seconds', async () => {
    const { id, apiSecret } = await newApp();
    expect(await statusFor(id, apiSecret)).toBe(200);
    const { status, json, headers } = await manage('POST', `${APPS}/${id}/secret`);
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect([json.id, json.apiSecret === apiSecret]).toEqual([id, false]);
    elevenSecondsLater();
    expect([await statusFor(id, apiSecret), await statusFor(id, json.apiSecret)]).toEqual([401, 200]);
  });

  it('changes, and is unknown within ten seconds of being deleted', async () => {
    const { id, apiSecret } = await newApp();
    const changed = await manage('PATCH', `${APPS}/${id}`, { body: { placesEnabled: false, radiusMeters: 50_000 } });
    expect(changed).toMatchObject({
      status: 200,
      json: { id, name: 'Shop', placesEnabled: false, radiusMeters: 50_000 },
    });
    expect(await manage('PATCH', `${APPS}/${id}`, { body: changed.json })).toMatchObject({ json: changed.json });
    expect(await statusFor(id, apiSecret)).toBe(200);
    expect((await manage('DELETE', `${APPS}/${id}`)).status).toBe(204);
    expect((await manage('GET', `${APPS}/${id}`)).status).toBe(404);
    elevenSecondsLater();
    const { status, json } = await askToken({ path: id, pair: `${id}:${apiSecret}` });
    expect([status, json.errors.code]).toEqual([401, 'invalid_api_key']);
  });

  it('is refused with bad settings, by name', async () => {
    for (const [body, field] of [
      [{}, 'name'],
      [{ name: 'Shop', radiusMeters: 50_001 }, 'radiusMeters'],
      [{ name: 'Shop', secretHash: 'mine' }, ''],
    ] as const) {
      const { status, json } = await manage('POST', APPS, { body });
      expect([status, json.code]).toEqual([400, 'invalid-input']);
      expect(json.detail).toContain(field);
    }
    const { id } = await newApp();
    expect((await manage('PATCH', `${APPS}/${id}`, { body: {} })).status).toBe(400);
  });

  it('and its secret are in no log, nor is a token', async () => {
    const { id, apiSecret } = await newApp();
    const { json } = await askToken({ path: id, pair: `${id}:${apiSecret}` });
    await askToken({ path: id, pair: `${id}:${apiSecret}0` });
    const logged = ['Accounts/Apps/', 'Accounts/AnonymousTokens/'].flatMap((name) => service.cloud.logsOf(name));
    expect(logged.length).toBeGreaterThanOrEqual(3);
    const lines = JSON.stringify(logged);
    for (const secret of [apiSecret, json.auth_token, Buffer.from(`${id}:${apiSecret}`).toString('base64')]) {
      expect(lines).not.toContain(secret);
    }
  });
});

describe('a customer', () => {
  it('is made, found by external id, changed and deleted', async () => {
    const body = {
      externalId: 'crm:7 ä',
      email: 'kim@example.com',
      attributes: { tier: 'gold', since: 2020, vip: true },
    };
    const made = await manage('POST', CUSTOMERS, { body });
    expect(made.status, made.text).toBe(201);
    const { id } = made.json;
    expect(made.headers.get('location')).toBe(`${CUSTOMERS}/${id}`);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^cus_[A-Za-z0-9_-]{20}$/),
      ...body,
      availablePoints: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const search = async (externalId: string) =>
      (await manage('GET', `${CUSTOMERS}?externalId=${encodeURIComponent(externalId)}`)).json;
    expect(await search('crm:7 ä')).toEqual({ items: [made.json] });
    expect(await search('crm:8')).toEqual({ items: [] });
    const again = await manage('POST', CUSTOMERS, { body: { externalId: 'crm:7 ä' } });
    expect([again.status, again.json.code]).toEqual([409, 'external-id-taken']);
    const slashed = await manage('POST', CUSTOMERS, { body: { externalId: 'crm/9' } });
    expect([slashed.status, slashed.text]).toEqual([400, expect.stringContaining('contains a slash')]);
    const changed = await manage('PATCH', `${CUSTOMERS}/${id}`, { body: { externalId: 'crm:8', email: null } });
    expect(changed.json).toMatchObject({ id, externalId: 'crm:8', attributes: body.attributes, availablePoints: 0 });
    expect(changed.json).not.toHaveProperty('email');
    expect(await search('crm:7 ä')).toEqual({ items: [] });
    expect(await search('crm:8')).toEqual({ items: [changed.json] });
    expect((await manage('DELETE', `${CUSTOMERS}/${id}`)).status).toBe(204);
    expect((await manage('GET', `${CUSTOMERS}/${id}`)).status).toBe(404);
    expect(await search('crm:8')).toEqual({ items: [] });
  });

  it('is listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      service.cloud.clock.advance(1_000);
      ids.unshift((await manage('POST', CUSTOMERS, { as: other, body: {} })).json.id);
    }
    const first = (await manage('GET', `${CUSTOMERS}?limit=2`, { as: other })).json;
    const rest = (await manage('GET', `${CUSTOMERS}?limit=2&cursor=${first.nextCursor}`, { as: other })).json;
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect(rest).not.toHaveProperty('nextCursor');
  });

  it('is refused with bad fields, by name', async () => {
    for (const [body, field] of [
      [{ externalId: '' }, 'externalId'],
      [{ email: 'nobody' }, 'email'],
      [{ attributes: { deep: {} } }, 'attributes.deep'],
      [{ id: 'cus_mine' }, ''],
    ] as const) {
      const { status, json } = await manage('POST', CUSTOMERS, { body });
      expect([status, json.code]).toEqual([400, 'invalid-input']);
      expect(json.detail).toContain(field);
    }
  });
});

describe('what belongs to another tenant', () => {
  it('looks like what does not exist, and is there for an operator who names the tenant', async () => {
    const { id: app } = await newApp();
    const { id: customer } = (await manage('POST', CUSTOMERS, { body: { externalId: 'hidden' } })).json;
    const calls = [
      ['GET', `${APPS}/${app}`],
      ['PATCH', `${APPS}/${app}`, { limit: 1 }],
      ['POST', `${APPS}/${app}/secret`],
      ['DELETE', `${APPS}/${app}`],
      ['GET', `${CUSTOMERS}/${customer}`],
      ['PATCH', `${CUSTOMERS}/${customer}`, { email: 'kim@example.com' }],
      ['DELETE', `${CUSTOMERS}/${customer}`],
    ] as const;
    for (const [method, path, body] of calls) {
      const foreign = await manage(method, path, { as: other, body });
      const missing = await manage(method, path.replace(/(app|cus)_[^/]+/, '$1_none'), { as: other, body });
      expect([method, path, foreign.status, foreign.json.code]).toEqual([method, path, 404, 'not-found']);
      expect({ ...foreign.json, instance: '' }).toEqual({ ...missing.json, instance: '' });
      expect((await manage(method, `${path}?tenant=acme`, { as: other, body })).status).toBe(404);
    }
    expect((await manage('GET', `${CUSTOMERS}?externalId=hidden`, { as: other })).json).toEqual({ items: [] });
    expect((await manage('GET', `${APPS}/${app}?tenant=acme`, { as: operator })).status).toBe(200);
    expect((await manage('GET', `${CUSTOMERS}/${customer}?tenant=acme`, { as: operator })).status).toBe(200);
    const made = await manage('POST', `${APPS}?tenant=acme`, { as: operator, body: { name: 'By operator' } });
    expect(made.headers.get('location')).toBe(`${APPS}/${made.json.id}?tenant=acme`);
    expect((await manage('GET', `${APPS}/${made.json.id}`)).status).toBe(200);
  });
});

describe('the demo customer and app', () => {
  /** Commands find the service by this. */
  const deployment = () => ({
    client: clientOptions(service.cloud),
    output: (name: string) => service.cloud.outputs[name] ?? '',
    namesAfter: () => [],
  });

  it('are there, and stay as they were changed when the service starts again', async () => {
    const demo = { as: await service.managementToken('demo') };
    const { json } = await manage('GET', `${CUSTOMERS}?externalId=demo-external`, demo);
    expect(json.items).toMatchObject([{ id: 'demo-user', availablePoints: 0 }]);
    expect((await manage('GET', `${APPS}/demo-app`, demo)).json).toMatchObject({
      name: 'Demo app',
      distanceUnit: 'km',
      placesEnabled: true,
    });
    await manage('PATCH', `${CUSTOMERS}/demo-user`, { ...demo, body: { externalId: 'changed' } });
    await manage('PATCH', `${APPS}/demo-app`, { ...demo, body: { limit: 3 } });
    await addDemoTenant(deployment());
    expect((await manage('GET', `${CUSTOMERS}/demo-user`, demo)).json.externalId).toBe('changed');
    expect((await manage('GET', `${APPS}/demo-app`, demo)).json.limit).toBe(3);
    await manage('DELETE', `${CUSTOMERS}/demo-user`, demo);
    await addDemoTenant(deployment());
    expect((await manage('GET', `${CUSTOMERS}/demo-user`, demo)).json.externalId).toBe('demo-external');
  });
});
