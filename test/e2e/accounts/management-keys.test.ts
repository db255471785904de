import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS_LINE, runKeys } from '../../../functions/conversions/commands/run-keys.dynamodb.ts';
import { readCommandLine } from '../../../shared/command/command-line.ts';
import { localStacks } from '../../support/cloud/local-assembly.ts';
import { clientOptions } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { partsOf } from '../../support/cloud/service-parts.ts';
import { isShown, stepsOf } from '../../support/runner/readme-steps.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

stepsInOrder();

const folder = mkdtempSync(join(tmpdir(), 'management-keys-'));
let receiver: Receiver;
let service: RunningService;
let acme: WebhookTenant;
let operator: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'SweepEveryMinute' });
  acme = await webhookTenant(service, 'acme');
  operator = await service.managementToken('ops', { operator: true });
  for (const name of ['Acme', 'Other']) {
    expect((await manage('POST', 'accounts', { as: operator, body: { name } })).status).toBe(201);
  }
  await acme.webhook(`${receiver.url}/hook`);
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function manage(method: string, path: string, { as, body, headers }: Sent = {}) {
  return service.call(path.startsWith('/') ? path : `/manage/v1/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const KEYS = 'accounts/acme/management-keys';

async function newKey(...scopes: string[]): Promise<{ id: string; key: string }> {
  const body = { name: `A key for ${scopes.join()}`, scopes };
  const { status, json, text } = await manage('POST', KEYS, { as: acme.token, body });
  expect(status, text).toBe(201);
  return json;
}

let events = 0;
function announce(as: string) {
  events += 1;
  const body = { id: `e-${events}`, module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request' };
  return manage('POST', 'events', { as, body: { ...body, recordId: '4711' } });
}

/** The clock of the service goes on by more than a function remembers the status of an account. */
const aMinuteLater = () => {
  service.cloud.clock.advance(61_000);
};

describe('a management key', () => {
  it('is made by its tenant or an operator, shown once, and listed newest first', async () => {
    const body = { name: 'Announcer', scopes: ['events'] };
    const { status, json, headers } = await manage('POST', KEYS, { as: acme.token, body });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(json).toEqual({
      ...body,
      id: expect.stringMatching(/^[a-z0-9]{16}$/),
      key: expect.stringContaining(`mk_acme_${json.id}_`),
      createdAt: expect.any(String),
      createdBy: { kind: 'person', id: expect.any(String), name: expect.any(String), operator: false },
      lastUsedAt: null,
      expiresAt: null,
    });
    service.cloud.clock.advance(1_000);
    const second = await manage('POST', KEYS, { as: operator, body: { ...body, name: 'Second' } });
    expect(second.status).toBe(201);
    const first = await manage('GET', `${KEYS}?limit=1`, { as: operator });
    expect(first.json.items).toMatchObject([
      { ...body, name: 'Second', id: second.json.id, createdBy: { operator: true } },
    ]);
    const { key: _, ...others } = json;
    const { json: rest } = await manage('GET', `${KEYS}?limit=9&cursor=${first.json.nextCursor}`, { as: acme.token });
    expect(rest).toEqual({ items: [others] });
  });

  it('with the scope events lets a server announce events, and nothing else', async () => {
    const { key } = await newKey('events');
    const announced = await announce(key);
    expect(announced.status).toBe(202);
    const [run] = announced.json.runIds;
    expect(await acme.ended(run)).toMatchObject({ status: 'COMPLETED', record: 'subject request: 4711' });
    expect(await manage('GET', 'runs', { as: key })).toMatchObject({
      status: 403,
      json: { code: 'scope-required', detail: 'This requires the scope read; the key has events.' },
    });
    expect(await manage('POST', 'rules', { as: key, body: {} })).toMatchObject({
      status: 403,
      json: { detail: 'This requires the scope manage; the key has events.' },
    });
  });

  it('with read reads, with both does both, and with manage does all that its tenant may', async () => {
    const { key: read } = await newKey('read');
    expect((await manage('GET', 'runs', { as: read })).status).toBe(200);
    expect((await announce(read)).json.detail).toBe('This requires the scope events; the key has read.');
    const { key: both } = await newKey('read', 'events');
    expect((await manage('GET', 'runs', { as: both })).status).toBe(200);
    expect((await announce(both)).status).toBe(202);
    const { key: all, id } = await newKey('manage');
    expect((await manage('GET', 'runs', { as: all })).status).toBe(200);
    expect((await announce(all)).status).toBe(202);
    const { status, json } = await manage('GET', 'accounts', { as: all });
    expect([status, json.code]).toEqual([403, 'operator-required']);
    expect((await manage('DELETE', `${KEYS}/${id}`, { as: all })).status).toBe(204);
  });

  it('ends when it is revoked, and its revocation may be repeated', async () => {
    const { key, id } = await newKey('events');
    expect((await announce(key)).status).toBe(202);
    for (let time = 0; time < 2; time += 1) {
      expect((await manage('DELETE', `${KEYS}/${id}`, { as: acme.token })).status).toBe(204);
    }
    const refused = await announce(key);
    expect(refused).toMatchObject({ status: 401, json: { code: 'unauthorized', detail: 'The key has been revoked.' } });
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer /);
    const { json } = await manage('GET', KEYS, { as: acme.token });
    expect(json.items.find((one: { id: string }) => one.id === id)).toHaveProperty('revokedAt');
  });

  it('shows when it was used last, and ends when it expires', async () => {
    const expiresAt = new Date(service.cloud.clock.millis() + 10 * 60_000).toISOString();
    const body = { name: 'For a while', scopes: ['read'], expiresAt };
    const { json: made } = await manage('POST', KEYS, { as: acme.token, body });
    expect(made).toMatchObject({ expiresAt, lastUsedAt: null });
    expect((await manage('GET', 'runs', { as: made.key })).status).toBe(200);
    const { json } = await manage('GET', KEYS, { as: acme.token });
    expect(json.items.find(({ id }: { id: string }) => id === made.id).lastUsedAt).toEqual(expect.any(String));
    service.cloud.clock.advance(10 * 60_000 + 1_000);
    expect(await manage('GET', 'runs', { as: made.key })).toMatchObject({
      status: 401,
      json: { code: 'unauthorized', detail: 'The key has expired.' },
    });
  });

  it('is made once however often its request is sent, and is shown again to the same caller only', async () => {
    const body = { name: 'Once', scopes: ['read'] };
    const create = (as: string, key: string, more: object = {}) =>
      manage('POST', KEYS, { as, body: { ...body, ...more }, headers: { 'idempotency-key': key } });
    const first = await create(acme.token, 'once-1');
    const again = await create(acme.token, '"once-1"');
    expect([first.status, again.status, again.json]).toEqual([201, 201, first.json]);
    expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await create(acme.token, 'once-1', { name: 'Other' })).toMatchObject({
      status: 422,
      json: { code: 'idempotency-key-reused' },
    });
    const { json } = await create(first.json.key, 'once-1');
    expect(json.code).toBe('scope-required');
    const listed = await manage('GET', KEYS, { as: acme.token });
    expect(listed.json.items.filter(({ name }: { name: string }) => name === 'Once')).toHaveLength(1);
  });

  it('is missing: the call is refused as all others are, and the limit of calls is stated to who has one', async () => {
    const { status, headers, json } = await manage('GET', 'runs');
    expect([status, headers.get('content-type')]).toEqual([401, 'application/problem+json']);
    expect(json).toMatchObject({ code: 'unauthorized', type: '/docs/problems/unauthorized' });
    expect(headers.get('ratelimit-limit')).toBeNull();
    const response = await manage('GET', 'runs/none', { as: acme.token });
    expect([response.status, response.headers.get('ratelimit-limit')]).toEqual([404, '400']);
  });

  it('of another tenant looks like one that does not exist', async () => {
    const { key, id } = await newKey('manage');
    const other = await service.managementToken('other');
    const body = { name: 'a', scopes: ['read'] };
    const calls = [
      ['GET', KEYS, other],
      ['POST', KEYS, other],
      ['DELETE', `${KEYS}/${id}`, other],
      ['DELETE', `accounts/other/management-keys/${id}`, other],
      ['DELETE', `accounts/other/management-keys/${id}`, key],
      ['GET', 'accounts/other', key],
      ['GET', 'runs?tenant=other', key],
      ['POST', 'accounts/nobody/management-keys', operator],
      ['GET', 'accounts/nobody/management-keys', operator],
      ['DELETE', `${KEYS}/${'0'.repeat(16)}`, acme.token],
    ] as const;
    for (const [method, path, as] of calls) {
      const { status, json } = await manage(method, path, { as, ...(method === 'POST' && { body }) });
      expect([method, path, status, json.code]).toEqual([method, path, 404, 'not-found']);
    }
    expect((await manage('GET', 'runs', { as: key })).status).toBe(200);
  });

  it('is not made from a bad name or bad scopes', async () => {
    const bodies = [
      { name: '', scopes: ['read'] },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['read', 'read'] },
      { name: 'a', scopes: ['admin'] },
      { name: 'a' },
      { scopes: ['read'] },
    ];
    for (const body of bodies) {
      const { status, json } = await manage('POST', KEYS, { as: acme.token, body });
      expect([body, status, json.code]).toEqual([body, 400, 'invalid-input']);
    }
    const { json } = await manage('POST', KEYS, {
      as: acme.token,
      body: { scopes: [], expiresAt: '2020-01-01T00:00:00Z' },
    });
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/expiresAt',
      '/name',
      '/scopes',
    ]);
    expect((await manage('DELETE', `${KEYS}/mk_acme`, { as: acme.token })).status).toBe(400);
  });

  it('is in no log', async () => {
    const { key } = await newKey('events');
    await announce(key);
    await announce(`${key}0`);
    const logged = ['AuthorizeManagers', 'Accounts/ManagementKeys/', 'Webhooks/Events/'].flatMap((name) =>
      service.cloud.logsOf(name),
    );
    expect(logged.length).toBeGreaterThan(3);
    expect(JSON.stringify(logged)).not.toContain(key.split('_').at(-1));
  });
});

describe('the audit log', () => {
  it('shows a tenant its own changes, by whom and from where, and an operator those of all', async () => {
    const { id, key } = await newKey('manage');
    expect((await manage('DELETE', `${KEYS}/${id}`, { as: key })).status).toBe(204);
    expect((await manage('POST', 'accounts', { as: operator, body: { name: 'Third' } })).status).toBe(201);
    expect((await manage('DELETE', `accounts/other/management-keys/${id}`, { as: acme.token })).status).toBe(404);
    const { json } = await manage('GET', 'audit?action=accounts&limit=3', { as: acme.token });
    expect(json.items).toMatchObject([
      { action: 'accounts.management-keys.delete', tenant: 'acme', target: { id: 'other' }, outcome: 'refused' },
      {
        action: 'accounts.management-keys.delete',
        actor: { kind: 'key', id, name: 'A key for manage', operator: false },
        target: { id: 'acme', keyId: id },
        outcome: 'done',
        status: 204,
      },
      {
        action: 'accounts.management-keys.create',
        actor: { kind: 'person' },
        createdId: id,
        fields: ['name', 'scopes'],
        address: '127.0.0.1',
        via: 'api',
        outcome: 'done',
      },
    ]);
    expect(JSON.stringify(json)).not.toContain(key.split('_').at(-1));
    const { json: more } = await manage('GET', `audit?action=accounts&limit=3&cursor=${json.nextCursor}`, {
      as: acme.token,
    });
    expect(more.items.length).toBeGreaterThan(0);
    const { json: byKey } = await manage('GET', `audit?actor=${id}`, { as: acme.token });
    expect(byKey.items.map(({ action }: { action: string }) => action)).toEqual(['accounts.management-keys.delete']);
    const { json: all } = await manage('GET', 'audit?limit=100', { as: operator });
    expect(all.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'accounts.create', tenant: null, createdId: 'third' }),
        expect.objectContaining({ action: 'accounts.management-keys.create', tenant: 'acme' }),
      ]),
    );
    const { json: one } = await manage('GET', 'audit?tenant=acme&limit=100', { as: operator });
    expect(new Set(one.items.map(({ tenant }: { tenant: string }) => tenant))).toEqual(new Set(['acme']));
  });

  it('of another tenant looks as if the tenant did not exist', async () => {
    const { status, json } = await manage('GET', 'audit?tenant=other', { as: acme.token });
    expect([status, json.code]).toEqual([404, 'not-found']);
    const other = await service.managementToken('other');
    const { items } = (await manage('GET', 'audit', { as: other })).json;
    expect(items.every((line: { tenant: string; outcome: string }) => line.tenant === 'other')).toBe(true);
  });
});

describe('an account', () => {
  const change = async (fields: object) => {
    const { status, json } = await manage('PATCH', 'accounts/acme', { as: operator, body: fields });
    expect(status).toBe(200);
    return json;
  };
  const posts = () => receiver.posts.length;
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });

  let own: ReturnType<typeof newCredentials> | undefined;
  /** The tenant acme calls the interfaces with these. */
  const credentials = () => (own ??= newCredentials());
  async function newCredentials() {
    const { json: token } = await manage('POST', 'accounts/acme/data-tokens', {
      as: operator,
      body: { availableDownloads: 5, planId: 'basic' },
    });
    const { json: app } = await manage('POST', 'loyalty/apps', { as: acme.token, body: { name: 'Shop' } });
    const { json: live } = await manage('POST', 'accounts/acme/keys', { as: acme.token, body: { mode: 'live' } });
    const { json } = await service.call(`/priv/v1/apps/${app.id}/anonymous_tokens`, {
      method: 'POST',
      headers: basic(`${app.id}:${app.apiSecret}`),
    });
    return { token, app, live, anonymous: String(json.auth_token) };
  }
  const settled = () => service.cloud.settled();

  it('that is suspended is refused on every interface, posts nothing, and loses nothing', async () => {
    const { token, app, live, anonymous } = await credentials();
    const { json: client } = await manage('POST', 'accounts/acme/oauth-clients', { as: acme.token });
    const { key } = await newKey('manage');
    const v3 = (path: string) => service.call(`/v3/${path}`, { headers: basic(`${token.token}:`) });
    const grant = { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) };
    const calls: Record<string, () => Promise<Awaited<ReturnType<typeof service.call>>>> = {
      person: () => manage('GET', 'accounts/acme', { as: acme.token }),
      'management key': () => manage('GET', 'runs', { as: key }),
      'data token': () => v3('requests'),
      'data token on a path that is none': () => v3('nowhere'),
      app: () =>
        service.call(`/priv/v1/apps/${app.id}/places?latitude=1&longitude=1`, {
          headers: basic(`${app.id}:${app.apiSecret}`),
        }),
      'anonymous customer': () =>
        service.call(`/api/v1/apps/${app.id}/places?latitude=1&longitude=1&auth_token=${anonymous}`),
      'conversion key': () => service.call('/v1/usage', { headers: { authorization: `Bearer ${live.key}` } }),
      'OAuth client': () =>
        service.call('/oauth/token', { ...grant, headers: basic(`${client.clientId}:${client.clientSecret}`) }),
    };
    // One after the other: calls at the same time start copies of what they have in common.
    const statuses = async () => {
      const all: Record<string, number> = {};
      for (const [who, call] of Object.entries(calls)) all[who] = (await call()).status;
      return all;
    };
    const served = await statuses();
    expect(served).toEqual(
      Object.fromEntries(Object.keys(calls).map((who) => [who, who.endsWith('none') ? 404 : 200])),
    );
    await settled();
    const before = posts();

    expect(await change({ active: false })).toMatchObject({ active: false, suspendedAt: expect.any(String) });
    aMinuteLater();
    expect(await statuses()).toEqual(Object.fromEntries(Object.keys(calls).map((who) => [who, 403])));
    expect((await calls['person']!()).json).toMatchObject({ status: 403, code: 'account-suspended' });
    expect((await calls['data token']!()).json).toEqual({ error: expect.stringContaining('suspended') });
    expect((await calls['app']!()).json).toMatchObject({ status: 'error', errors: { code: 'account_suspended' } });
    expect((await calls['conversion key']!()).json).toMatchObject({ code: 'account-suspended' });
    expect((await calls['OAuth client']!()).json).toMatchObject({ error: 'unauthorized_client' });
    expect((await v3('users')).json).toMatchObject([{ active: 0, available_downloads: 5 }]);

    const event = { id: 'while-suspended', module: 'dsar', trigger: 'DSAR starts', recordType: 'r', recordId: '1' };
    const announced = await manage('POST', 'events?tenant=acme', { as: operator, body: event });
    expect(announced.status).toBe(202);
    await settled();
    const run = () => manage('GET', `runs/${announced.json.runIds[0]}?tenant=acme`, { as: operator });
    expect((await run()).json).toMatchObject({ status: 'CREATED', attempts: 0, paused: true });
    expect(posts()).toBe(before);

    await change({ active: true });
    aMinuteLater();
    expect(await statuses()).toEqual(served);
    expect(await acme.ended(announced.json.runIds[0])).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(posts()).toBe(before + 1);
  });

  it('lets scripts of the origins that it lists read answers, and scripts of no other', async () => {
    const origin = 'https://shop.example.com';
    const { token, app, live, anonymous } = await credentials();
    const conversion = { kind: 'quantity', value: '1', from: 'ft', to: 'm' };
    const calls: Record<string, [path: string, init: { method?: string; headers: object; body?: string }]> = {
      records: ['/v3/requests', { headers: basic(`${token.token}:`) }],
      places: [`/api/v1/apps/${app.id}/places?latitude=1&longitude=1&auth_token=${anonymous}`, { headers: {} }],
      usage: ['/v1/usage', { headers: { authorization: `Bearer ${live.key}` } }],
      conversions: [
        '/v1/convert',
        {
          method: 'POST',
          headers: { authorization: `Bearer ${live.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(conversion),
        },
      ],
    };
    const readers = async (from: string) => {
      const all: unknown[] = [];
      for (const [path, init] of Object.values(calls)) {
        const { status, headers } = await service.call(path, { ...init, headers: { ...init.headers, origin: from } });
        all.push([status, headers.get('access-control-allow-origin'), headers.get('vary')?.split(', ')[0]]);
      }
      return all;
    };
    expect(await change({ allowedOrigins: [origin] })).toMatchObject({ allowedOrigins: [origin] });
    aMinuteLater();
    expect(await readers(origin)).toEqual(Object.keys(calls).map(() => [200, origin, 'origin']));
    expect(await readers('https://other.example.com')).toEqual(Object.keys(calls).map(() => [200, null, 'origin']));

    for (const [path, { method = 'GET' }] of Object.values(calls)) {
      const asked = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization',
      };
      const { status, headers, text } = await service.call(path, { method: 'OPTIONS', headers: asked });
      expect([path, status, text]).toEqual([path, 204, '']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toContain(method);
      expect(headers.get('access-control-allow-headers')).toContain('authorization');
      expect(headers.get('access-control-max-age')).toBe('600');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    const secretBearing = await service.call(`/priv/v1/apps/${app.id}/places`, {
      method: 'OPTIONS',
      headers: { origin },
    });
    expect([secretBearing.status, secretBearing.headers.get('access-control-allow-origin')]).toEqual([204, null]);
    expect(secretBearing.headers.get('allow')).toContain('GET');
    expect((await service.call('/v3/nowhere', { method: 'OPTIONS' })).status).toBe(404);
    await change({ allowedOrigins: [] });
  });

  it('whose webhooks are off makes no runs and replays none, until they are on again', async () => {
    const before = posts();
    await change({ apiIntegration: false });
    aMinuteLater();
    const refused = { status: 409, json: { code: 'api-integration-off' } };
    expect(await announce(acme.token)).toMatchObject(refused);
    const since = { from: '2026-01-01T00:00:00Z' };
    expect(await manage('POST', 'replays', { as: acme.token, body: since })).toMatchObject(refused);
    expect(await manage('POST', 'runs/run_1/replay', { as: acme.token })).toMatchObject(refused);
    await change({ apiIntegration: true });
    aMinuteLater();
    const [next = ''] = await acme.announce();
    expect(await acme.ended(next)).toMatchObject({ status: 'COMPLETED' });
    expect(posts()).toBe(before + 1);
  });
});

describe('the routes of the template below /manage', async () => {
  const routes = partsOf(await localStacks())
    .routed.flatMap(({ domain, routes: all }) => all.map((route) => ({ domain, route })))
    // Documents are for everybody.
    .filter(({ route }) => route.includes(' /manage/') && !route.endsWith('/openapi.json'))
    .map(({ domain, route }) => {
      const [method = '', path = ''] = route.split(' ');
      const filled = path.replaceAll(/\{[^}]+\}/g, 'acme');
      return { domain, method: method.replace('ANY', 'PUT'), path: filled };
    });
  /**
   * One that a function serves already, unless tests are thorough: `cdk/handlers.test.ts` and `cdk/stacks.test.ts` look at
   * all of them.
   */
  const some = (all: typeof routes) => (isThorough ? all : all.filter(({ path }) => path === '/manage/v1/runs'));

  /** Credentials that look right and are not. */
  async function forgeries(): Promise<Record<string, string>> {
    const claims = decodeJwt(acme.token);
    const { kid = '' } = decodeProtectedHeader(acme.token);
    const pool = service.cloud.outputs['ManagersPool'];
    const published = await fetch(`${service.cloud.awsUrl}/${pool}/.well-known/jwks.json`);
    const { keys } = (await published.json()) as { keys: { kid: string; n: string }[] };
    const own = keys.find((one) => one.kid === kid)?.n ?? '';
    expect(own).not.toBe('');
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const signed = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
    const { key } = await newKey('manage');
    return {
      'a forged key': `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      'a key of another tenant by its name': key.replace('mk_acme_', 'mk_other_'),
      'a token that nobody signed': new UnsecuredJWT(claims).encode(),
      'a token signed with the public key as a shared secret': await signed('HS256', Buffer.from(own, 'base64url')),
      'a token signed by another algorithm': await signed('RS512', other),
      'a token signed by somebody else': await signed('RS256', other),
    };
  }

  it('answer 401 without a token, and to every forged credential', async () => {
    expect(routes.length).toBeGreaterThan(25);
    const refused: [what: string, credential?: string][] = [['no token'], ...Object.entries(await forgeries())];
    for (const { method, path } of some(routes)) {
      const body = method === 'GET' || method === 'HEAD' ? undefined : {};
      for (const [what, credential] of refused) {
        const { status, json } = await manage(method, path, { as: credential, body });
        expect([method, path, what, status]).toEqual([method, path, what, 401]);
        if (method !== 'HEAD') expect([method, path, json.code]).toEqual([method, path, 'unauthorized']);
      }
    }
  });

  it('serve a genuine token, until it has expired', async () => {
    const readable = some(routes.filter(({ method }) => method === 'GET'));
    expect(readable).not.toEqual([]);
    for (const { path } of readable) {
      const { status, headers } = await manage('GET', path, { as: operator });
      expect([path, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        path,
        'no-store',
        'nosniff',
      ]);
      // Without a data token, a tenant has no records to see.
      const answers = path.startsWith('/manage/v1/data/') ? [403] : [200, 400, 404];
      expect(answers, path).toContain(status);
    }
    service.cloud.clock.advance(61 * 60_000);
    for (const { path } of readable) {
      const { status, json } = await manage('GET', path, { as: operator });
      expect([path, status, json.detail]).toEqual([path, 401, 'The token has expired.']);
    }
  });
});

describe('the secrets that prove keys', () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'cdk', 'README.md'), 'utf8');
  const section = /^### Rotating a secret$.*?(?=^##)/ms.exec(guide)?.[0] ?? '';
  const steps = stepsOf(section).map(({ command, output }) => ({
    args: command.replace(/^npm run -s keys -- --stage prod /, '').split(' '),
    output,
  }));

  /** The same as the command, at the time of the service. */
  async function keys(...args: readonly string[]): Promise<string> {
    const reading = readCommandLine(KEYS_LINE, args);
    if (reading.kind !== 'call') throw new Error(`The guide has ${args.join(' ')}.`);
    const deployment = {
      client: clientOptions(service.cloud),
      output: (name: string) => service.cloud.outputs[name] ?? '',
      namesAfter: (prefix: string) => (service.cloud.outputs[prefix] === undefined ? [] : ['']),
    };
    return (await runKeys(reading, deployment, service.cloud.clock.millis())).join('\n');
  }

  it('rotate by the steps of the guide, one purpose at a time, and refuse nobody', async () => {
    const [add, ask, takeOut] = steps;
    const as = await service.managementToken('acme');
    const { json: old } = await manage('POST', 'accounts/acme/keys', { as, body: { mode: 'live' } });
    const { json: app } = await manage('POST', 'loyalty/apps', { as, body: { name: 'Rotated' } });
    const { json: server } = await manage('POST', KEYS, { as, body: { name: 'Server', scopes: ['read'] } });
    const customer = await service.call(`/priv/v1/apps/${app.id}/anonymous_tokens`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app.id}:${app.apiSecret}`).toString('base64')}` },
    });
    const usage = async (key: string) =>
      (await service.call('/v1/usage', { headers: { authorization: `Bearer ${key}` } })).status;
    const others = async () => [
      (await manage('GET', 'runs', { as: server.key })).status,
      (
        await service.call(
          `/api/v1/apps/${app.id}/places?latitude=1&longitude=1&auth_token=${customer.json.auth_token}`,
        )
      ).status,
    ];
    expect([await usage(old.key), ...(await others())]).toEqual([200, 200, 200]);

    const added = await keys(...add!.args);
    expect(isShown(add!.output, added), added).toBe(true);
    expect(isShown(ask!.output, await keys(...ask!.args))).toBe(true);
    await expect(keys(...takeOut!.args)).rejects.toMatchObject({
      detail: expect.stringContaining(`conversion key ${old.id} of acme`),
    });
    expect(await usage(old.key)).toBe(200);

    service.cloud.clock.advance(12 * 60_000);
    const { json: replaced } = await manage('POST', 'accounts/acme/keys', { as, body: { mode: 'live' } });
    expect([replaced.key.split('_').at(-1)[0], await usage(replaced.key), await usage(old.key)]).toEqual([
      '2',
      200,
      200,
    ]);
    for (const [, kind, id] of (await keys(...ask!.args)).matchAll(/(key|client) (\w+) of acme$/gm)) {
      const path = `accounts/acme/${kind === 'key' ? 'keys' : 'oauth-clients'}/${id}`;
      expect((await manage('DELETE', path, { as })).status).toBe(204);
    }
    await expect(keys(...takeOut!.args)).rejects.toThrow('tokens made with version 1 may be in use until');
    service.cloud.clock.advance(40 * 60_000);
    expect(await keys(...ask!.args)).toBe('conversions: nothing');
    expect(await keys(...takeOut!.args)).toBe(takeOut!.output);
    service.cloud.clock.advance(11 * 60_000);
    expect([await usage(replaced.key), await usage(old.key), ...(await others())]).toEqual([200, 401, 200, 200]);
    expect(await keys('--which-need', '1')).toContain(`management: Version 1 is the newest`);
  });
});
