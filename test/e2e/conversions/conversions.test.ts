/**
 * The conversion API as a customer meets it: keys, clients, plans, caps, payments and thresholds; requests that are wrong,
 * too large or hostile, and what they cost; bursts, repeats, outages and dying functions.
 */
import { gzipSync } from 'node:zlib';
import { UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Death } from '../../../cdk/local/lambda/faults.ts';
import { eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import {
  type CallOptions,
  type ConversionTenant,
  conversionTenants,
} from '../../support/conversions/conversion-tenant.ts';
import { METERED_OPERATIONS } from '../../support/conversions/metered-operations.ts';
import { few } from '../../support/runner/thoroughness.ts';
import { webhookEvents } from '../../support/webhooks/webhook-events.ts';

const CONVERT = '/v1/convert';
const FUNCTION = 'Conversions/Convert';
const ITEM = { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 };
const KIB_256 = 262_144;

let service: RunningService;
let newTenant: Awaited<ReturnType<typeof conversionTenants>>;
/** Shared by tests that do not change its plan. */
let acme: ConversionTenant;
let other: ConversionTenant;
/** A token of a management user of the first tenant. */
let manager: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  newTenant = await conversionTenants(service);
  acme = await newTenant();
  other = await newTenant();
  manager = await service.managementToken(acme.tenant);
});
// Whatever order the tests had.
afterAll(() => {
  const logs = ['Convert', 'Normalize', 'Validate', 'Enrich', 'Usage', 'Conversions/UnknownRoutes', 'Keys'].map(
    (name) => JSON.stringify(service.cloud.logsOf(`Conversions/${name.replace('Conversions/', '')}`)),
  );
  expect(Math.min(...logs.slice(-3).map((log) => log.length))).toBeGreaterThan(100);
  for (const log of logs) {
    for (const secret of [acme.test, other.test, manager]) expect(log.includes(secret.slice(-40))).toBe(false);
  }
});
afterAll(() => service?.close());
afterEach(() => expect(service.cloud.faults.pending).toBe(0));

const numbers = (headers: Headers, ...names: string[]) => names.map((name) => Number(headers.get(name)));
const period = async ({ usage }: ConversionTenant) => {
  const { period_start: start, plan } = await usage();
  return plan === 'free' ? `q_m${start.slice(0, 7).replace('-', '')}` : `q_p${start.slice(0, 10).replaceAll('-', '')}`;
};

describe('a customer', () => {
  it('makes its own key, uses all four routes, sees what it has used, and revokes the key at once', async () => {
    const { tenant } = await newTenant('starter');
    const token = await service.managementToken(tenant);
    const keys = async (method: string, id = '', body?: unknown) =>
      service.call(`/manage/v1/accounts/${tenant}/keys${id}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const { status, json } = await keys('POST', '', { mode: 'live' });
    expect([status, json]).toEqual([
      201,
      expect.objectContaining({ mode: 'live', key: expect.stringMatching(/^cv_live_/) }),
    ]);
    const own = { credential: json.key };
    for (const { name, example } of METERED_OPERATIONS) {
      const answer = await acme.call(`/v1/${name}`, example, own);
      expect([answer.status, answer.headers.get('x-quota-limit')]).toEqual([200, '10000']);
    }
    expect(await acme.usage(json.key)).toMatchObject({
      live_used: 4,
      live_remaining: 9_996,
      test_used: 0,
      plan: 'starter',
    });
    expect((await keys('GET')).text).not.toContain(json.key);
    expect((await keys('DELETE', `/${json.id}`)).status).toBe(204);
    expect((await acme.call(CONVERT, ITEM, own)).status).toBe(401);
    expect((await acme.call('/v1/usage', undefined, { ...own, method: 'GET' })).status).toBe(401);
  });

  it('gets a token for a test client, which shares the test pool with its keys', async () => {
    const { call, manage, test } = await newTenant();
    const { clientId, clientSecret } = (await manage('POST', 'oauth-clients')).json;
    const token = async (secret: string) =>
      service.call('/oauth/token', {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
      });
    expect((await token(`${clientSecret}x`)).json.error).toBe('invalid_client');
    const { json, headers } = await token(clientSecret);
    expect([json.token_type, json.expires_in, headers.get('cache-control')]).toEqual(['Bearer', 900, 'no-store']);
    const left = [];
    for (const credential of [test, json.access_token, test]) {
      left.push(...numbers((await call(CONVERT, ITEM, { credential })).headers, 'x-quota-remaining'));
    }
    expect(left).toEqual([250, 249, 248]);
    expect((await manage('DELETE', `oauth-clients/${clientId}`)).status).toBe(204);
    expect((await call(CONVERT, ITEM, { credential: json.access_token })).status).toBe(401);
    expect((await token(clientSecret)).status).toBe(401);
  });
});

describe('a plan', () => {
  it('that is raised applies to the next request, with what is used already', async () => {
    const free = await newTenant('free');
    const live = await free.key('live');
    const limits = async () => {
      const { status, headers } = await free.call(CONVERT, ITEM, { credential: live });
      return [status, ...numbers(headers, 'ratelimit-limit', 'x-quota-limit', 'x-quota-remaining')];
    };
    expect(await limits()).toEqual([200, 10, 1_000, 1_000]);
    const { change } = (await free.manage('GET', 'plan?to=starter')).json;
    expect(change).toMatchObject({ effective: 'now', charge: { amount: '29.00', currency: 'USD' } });
    const raise = () => free.manage('PUT', 'plan', { plan: 'starter', paymentMethod: 'card', version: change.version });
    expect((await raise()).json).toMatchObject({ charge: change.charge });
    expect((await raise()).json).toMatchObject({ status: 409, code: 'plan-changed' });
    expect(await limits()).toEqual([200, 40, 10_000, 9_999]);
    // A downgrade waits for the end of the period.
    expect((await free.manage('PUT', 'plan', { plan: 'free' })).status).toBe(200);
    expect(await limits()).toEqual([200, 40, 10_000, 9_998]);
    expect((await free.manage('GET', 'invoices')).json.items).toMatchObject([{ amount: '29.00' }]);
  });

  it('with a cap stops at it, and goes on when the cap is lifted', async () => {
    const capped = await newTenant('starter');
    const live = await capped.key('live');
    const call = () => capped.call(CONVERT, ITEM, { credential: live });
    await capped.manage('PUT', 'spend-cap', { amount: '0.01' });
    await capped.setUsed({ [await period(capped)]: 10_001 });
    const last = await call();
    expect(last.status).toBe(200);
    expect(numbers(last.headers, 'x-quota-remaining', 'x-quota-overage', 'x-quota-hard-limit')).toEqual([0, 2, 10_002]);
    const stopped = await call();
    expect([stopped.status, stopped.json.quota, stopped.json.limit]).toEqual([429, 'spend-cap', 10_002]);
    expect(stopped.headers.has('retry-after')).toBe(false);
    await capped.manage('PUT', 'spend-cap', { mode: 'hard-stop' });
    expect((await eventually(service.cloud, call, ({ json }) => json.quota !== 'spend-cap')).json.quota).toBe(
      'hard-stop',
    );
    await capped.manage('PUT', 'spend-cap', { mode: 'none' });
    await eventually(service.cloud, call, ({ status }) => status === 200);
    expect((await capped.usage()).spend_cap).toBeNull();
  });

  it('of Scale has its limits when the first payment settles, and those of Free when it fails', async () => {
    const limit = async ({ call }: ConversionTenant) => {
      const { headers } = await call('/v1/usage', undefined, { method: 'GET' });
      return headers.get('ratelimit-limit');
    };
    const [settled, failed] = [await newTenant('growth', 'EUR'), await newTenant('growth')];
    expect((await settled.manage('PUT', 'plan', { plan: 'scale', paymentMethod: 'card' })).json.code).toBe(
      'payment-method-not-allowed',
    );
    expect((await settled.manage('PUT', 'plan', { plan: 'scale', paymentMethod: 'sepa' })).json.charge).toEqual({
      amount: '400.00',
      currency: 'EUR',
    });
    await failed.manage('PUT', 'plan', { plan: 'scale', paymentMethod: 'ach' });
    expect([await limit(settled), await limit(failed)]).toEqual(['100', '100']);
    for (let twice = 0; twice < 2; twice += 1) {
      const event = { id: 'event-1', payment: 'payment-1', kind: 'settled' };
      expect((await settled.manage('POST', 'payment-events', event)).status).toBe(202);
    }
    await failed.manage('POST', 'payment-events', { id: 'event-1', payment: 'payment-1', kind: 'failed' });
    expect([await limit(settled), await limit(failed)]).toEqual(['400', '10']);
    expect((await failed.usage()).plan_state).toBe('scale_blocked');
    await failed.manage('POST', 'payment-events', { id: 'event-2', payment: 'payment-1', kind: 'settled' });
    expect(await limit(failed)).toBe('400');
  });
});

describe('the usage of a tenant', () => {
  it('is shown to its people in this period and by days, and to no other tenant', async () => {
    const { tenant, call, key, test } = await newTenant('starter');
    const credential = await key('live');
    for (const each of [credential, credential, test]) await call(CONVERT, ITEM, { credential: each });
    const token = await service.managementToken(tenant);
    const usage = (query: string, as = token) =>
      service.call(`/manage/v1/usage${query}`, { headers: { authorization: `Bearer ${as}` } });
    expect((await usage('')).json).toMatchObject({
      plan: 'starter',
      liveUsed: 2,
      testUsed: 1,
      currency: 'USD',
      spend: { flat: '29.00', overage: '0.00', total: '29.00' },
      rateLimit: { perSecond: 20, burst: 40 },
    });
    const { days } = (await usage('?by=day')).json;
    expect(days).toHaveLength(30);
    // The test may run over midnight.
    const sum = (mode: 'live' | 'test') =>
      days.reduce((all: number, day: Record<string, number>) => all + day[mode]!, 0);
    expect([sum('live'), sum('test')]).toEqual([2, 1]);
    expect((await usage('?by=day&from=2026-02-01&to=2026-01-01')).json.code).toBe('invalid-input');
    expect((await usage(`?tenant=${tenant}`, await service.managementToken('demo'))).status).toBe(404);
    const operator = await service.managementToken('demo', { operator: true });
    expect((await usage(`?tenant=${tenant}`, operator)).json.liveUsed).toBe(2);
    expect((await usage('?tenant=nobody-at-all', operator)).status).toBe(404);
  });
});

describe('a quota', () => {
  it('counts down one by one to zero for live and for test keys, and names itself when it is used up', async () => {
    const free = await newTenant('free');
    const live = await free.key('live');
    await free.setUsed({ [await period(free)]: 997, tu: 247 });
    for (const [credential, quota, limit] of [
      [live, 'live-monthly', 1_000],
      [free.test, 'test-pool', 250],
    ] as const) {
      const seen = [];
      for (let n = 0; n < 4; n += 1) seen.push(await free.call(CONVERT, ITEM, { credential }));
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(seen.flatMap(({ headers }) => numbers(headers, 'x-quota-remaining'))).toEqual([3, 2, 1, 0]);
      const { headers, json } = seen[3]!;
      expect(json).toMatchObject({ code: 'quota-exceeded', quota, limit, used: limit });
      expect(json.detail).toContain(quota === 'test-pool' ? 'live key' : '-01T00:00:00.000Z');
      expect([headers.has('retry-after'), headers.get('x-quota-cost')]).toEqual([false, '0']);
    }
    expect(await free.usage()).toMatchObject({ test_used: 250, live_used: 1_000 });
  });

  // That the variables of the event are those of its document, `test/reference/documents.test.ts` shows.
  it('that reaches a threshold tells webhooks, once', async () => {
    const { call, setUsed } = await newTenant();
    await setUsed({ tu: 124 });
    for (let n = 0; n < 3; n += 1) expect((await call(CONVERT, ITEM)).status).toBe(200);
    const ids = await webhookEvents(service.cloud);
    expect(ids.filter((id) => id === 'conversions-quota-test-pool-50')).toHaveLength(1);
  });
});

const costHeader = ({ headers }: { headers: Headers }) => headers.get('x-quota-cost');
const testUsed = async () => (await acme.usage()).test_used;

/** Returns the call of a block of tests. After the block, exactly this cost of each call has been added to what is used. */
function countedBy(cost: number): (path: string, options: CallOptions) => ReturnType<ConversionTenant['call']> {
  let before = 0;
  let requests = 0;
  beforeAll(async () => {
    before = await testUsed();
  });
  afterAll(async () => expect(await testUsed()).toBe(before + requests * cost));
  return (path, options) => {
    requests += 1;
    return acme.call(path, undefined, options);
  };
}

// `test/conversions/serving/authenticate.test.ts` has all that are refused.
describe('a credential', () => {
  it.each([
    ['none', () => null],
    ['one whose tenant is another', () => acme.test.replace(acme.tenant, other.tenant)],
    [
      'a token without a signature',
      () => new UnsecuredJWT({ tenant: acme.tenant, sub: 'k' }).setExpirationTime('1h').encode(),
    ],
  ])('%s is 401 on every route, and tells nothing of limits', async (_what, credential) => {
    for (const [path, method] of [
      [CONVERT, 'POST'],
      ['/v1/usage', 'GET'],
      ['/v1/nothing', 'GET'],
    ] as const) {
      const { status, headers, json } = await acme.call(path, ITEM, { credential: credential(), method });
      expect([path, status, json.code]).toEqual([path, 401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('of a management user opens nothing here', async () => {
    expect((await acme.call(CONVERT, ITEM, { credential: manager })).status).toBe(401);
  });
});

const json = (text: string, own: object = {}) => ({ text, ...own });
const typed = (type: string) => ({ text: JSON.stringify(ITEM), headers: { 'content-type': type } });
const headed = (headers: Record<string, string>) => ({ text: JSON.stringify(ITEM), headers });
const zipped = (text: string) => ({ text: gzipSync(text), headers: { 'content-encoding': 'gzip' } });
const valued = (value: string) => json(`{"kind":"quantity","value":${value},"from":"ft2","to":"m2"}`);
const nested = (levels: number): string => (levels === 1 ? '{"a":1}' : `{"a":${nested(levels - 1)}}`);

// All contents are beside the parts that read them, in `test/conversions/serving`, `convert` and `values`.
describe('a request that is wrong by its content', () => {
  const call = countedBy(1);

  it.each<[string, string, CallOptions, number, string]>([
    ['no JSON', CONVERT, json('{"kind":'), 400, 'malformed-json'],
    ['100,000 levels', CONVERT, json('['.repeat(100_000)), 400, 'malformed-json'],
    [
      'a record of 9 levels',
      '/v1/normalize',
      json(`{"type":"business","record":${nested(9)}}`),
      400,
      'invalid-request',
    ],
    ['1e400', CONVERT, valued('1e400'), 422, 'unparseable-value'],
    [
      'only items that fail',
      CONVERT,
      json(JSON.stringify({ items: [{ ...ITEM, to: 'kg' }] })),
      422,
      'all-items-failed',
    ],
    [
      'a schema with a pattern that looks ahead',
      '/v1/validate',
      json('{"record":{"a":"b"},"schema":{"properties":{"a":{"pattern":"^(?=a)"}}}}'),
      422,
      'schema-invalid',
    ],
  ])('%s is told so, and counts', async (_what, path, options, status, code) => {
    const answer = await call(path, options);
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([status, code, '1']);
  });
});

describe('a request that is wrong before its content', () => {
  const call = countedBy(0);

  it.each<[string, string, CallOptions, number, string]>([
    ['text', CONVERT, typed('text/plain'), 415, 'unsupported-media-type'],
    ['a gzip bomb', CONVERT, zipped(`${JSON.stringify(ITEM)}${' '.repeat(KIB_256)}`), 413, 'payload-too-large'],
    ['an Accept that JSON does not meet', CONVERT, headed({ accept: 'text/csv' }), 406, 'not-acceptable'],
    [
      'an Idempotency-Key of 256 characters',
      CONVERT,
      headed({ 'idempotency-key': 'k'.repeat(256) }),
      400,
      'invalid-request',
    ],
    ['an Idempotency-Key with blanks', CONVERT, headed({ 'idempotency-key': 'a b' }), 400, 'invalid-request'],
  ])('%s is told so, and takes a token only', async (_what, path, options, status, code) => {
    const answer = await call(path, options);
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([status, code, '0']);
  });

  it.each([
    ['GET', CONVERT, 'POST'],
    ['POST', '/v1/usage', 'GET'],
  ])('%s %s is 405 with the method that it takes', async (method, path, allow) => {
    const { status, headers, json: problem } = await acme.call(path, ITEM, { method });
    expect([status, headers.get('allow'), problem.code]).toEqual([405, allow, 'method-not-allowed']);
  });

  it.each(['/v1/nothing/', '/v1/__proto__'])('the path %s is 404', async (path) => {
    const { status, json: problem } = await acme.call(path, ITEM);
    expect([status, problem.code]).toEqual([404, 'not-found']);
  });

  it.each([
    ['GET', '/oauth/token', 405, 'POST'],
    ['POST', '/oauth/tokens', 404, null],
  ])('%s %s is refused as RFC 6749 has it', async (method, path, status, allow) => {
    const answer = await service.call(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringContaining('POST') });
    expect((await service.call(path, { method: 'HEAD' })).status).toBe(status);
  });

  it('a slash at the end leads to the same route', async () => {
    const { status, headers } = await service.call('/v1/convert/', {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.test}`, 'content-type': 'application/json' },
      body: JSON.stringify(ITEM),
    });
    expect([status, headers.get('location')]).toEqual([308, '/v1/convert']);
  });

  it('one byte too much is refused before the caller is known', async () => {
    const answer = await call(CONVERT, json(JSON.stringify(ITEM).padEnd(KIB_256 + 1)));
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([413, 'payload-too-large', null]);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
  });

  it('10 MB are refused', async () => {
    const answer = await service.call(CONVERT, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.test}`, 'content-type': 'application/json' },
      body: 'a'.repeat(10 * 1_024 * 1_024),
    });
    expect(answer.status).toBe(413);
  });
});

describe('a request that is right', () => {
  const call = countedBy(1);

  it.each<[string, string, CallOptions]>([
    ['exactly 256 KiB', CONVERT, json(JSON.stringify(ITEM).padEnd(KIB_256))],
    ['a query, which means nothing', `${CONVERT}?kind=money&__proto__=1`, json(JSON.stringify(ITEM))],
    [
      '100 items',
      CONVERT,
      json(JSON.stringify({ items: Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, ...ITEM })) })),
    ],
    [
      'members named __proto__',
      '/v1/enrich',
      json('{"type":"business","record":{"__proto__":{"name":"x"},"country":"DE"}}'),
    ],
    ['a key of 255 characters in quotes', CONVERT, headed({ 'idempotency-key': `"${'k'.repeat(255)}"` })],
    ['gzip', CONVERT, zipped(JSON.stringify(ITEM))],
  ])('%s is answered 200, and counts', async (_what, path, options) => {
    const answer = await call(path, options);
    expect([answer.status, answer.text, costHeader(answer)]).toEqual([200, answer.text, '1']);
  });
});

describe('a request with an Idempotency-Key', () => {
  it('is answered once, however often it comes', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const body = { items: [ITEM, { ...ITEM, to: 'kg' }] };
    const before = (await acme.usage()).test_used;
    const all = await Promise.all(Array.from({ length: 4 }, () => acme.call(CONVERT, body, { headers })));
    expect(all.filter((one) => one.headers.get('x-quota-cost') === '1')).toHaveLength(1);
    const again = await acme.call(CONVERT, body, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const answered = all.filter(({ status }) => status === 200);
    expect(answered.map(({ text }) => text)).toEqual(answered.map(() => again.text));
    // Who lost its turn four times is limited.
    for (const { status } of all) expect([200, 409, 429]).toContain(status);
    const reused = await acme.call(CONVERT, ITEM, { headers });
    expect([reused.status, reused.json.code]).toEqual([422, 'idempotency-key-reused']);
    const elsewhere = await other.call(CONVERT, ITEM, { headers });
    expect([elsewhere.status, elsewhere.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect((await acme.usage()).test_used).toBe(before + 1);
  });

  it('whose function died without holding the key is answered when it is sent again, and counted once', async () => {
    // All of its calls, and that a key that it holds is free after its time: `repeated-requests.dynamodb.test.ts`.
    const deaths = few<[Death, 'replay' | 'anew']>(
      [['after-result', 'replay']],
      [
        [{ call: 1, moment: 'sending' }, 'anew'],
        ['before-invoke', 'anew'],
        [{ call: 3, moment: 'answered' }, 'replay'],
      ],
    );
    const scenes = [];
    for (const [death, kind] of deaths) scenes.push({ tenant: await killed(death), death, kind });
    await Promise.all(
      scenes.map(async ({ tenant, death, kind }) => {
        const again = await answered(tenant);
        expect([death, again.headers.get('idempotent-replayed')]).toEqual([death, kind === 'replay' ? 'true' : null]);
        expect(again.json.value).toBe('116.13');
        expect([death, (await tenant.usage()).test_used]).toEqual([death, USED + 1]);
        expect((await answered(tenant)).text).toBe(again.text);
      }),
    );
  });
});

/** The function sees that few conversions are left: it takes the key first, and then the conversion. */
const USED = 220;
const KEYED = { headers: { 'idempotency-key': 'key' } };

async function killed(death: Death) {
  const tenant = await newTenant();
  await tenant.setUsed({ tu: USED - 1 });
  expect((await tenant.call(CONVERT, ITEM)).status).toBe(200);
  service.cloud.faults.kill(FUNCTION, death);
  const headers = { authorization: `Bearer ${tenant.test}`, 'content-type': 'application/json', ...KEYED.headers };
  const lost = await service.call(CONVERT, { method: 'POST', headers, body: JSON.stringify(ITEM) });
  expect([death, lost.status]).toEqual([death, 500]);
  return tenant;
}

/** Calls again as a client does that waits as long as it is told. */
async function answered({ call }: ConversionTenant) {
  for (;;) {
    const answer = await call(CONVERT, ITEM, KEYED);
    if (answer.status === 200) return answer;
    expect([409, 429]).toContain(answer.status);
    service.cloud.clock.advance(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

describe('too many requests', () => {
  it('are told when to come back, and whoever waits so long is served', async () => {
    const { call, usage } = await newTenant('free');
    // The limit fills with the clock.
    const start = service.cloud.clock.stop();
    try {
      let served = 0;
      let last = await call(CONVERT, ITEM);
      for (; last.status === 200 && served < 100; served += 1) last = await call(CONVERT, ITEM);
      expect([last.status, last.json.code]).toEqual([429, 'rate-limited']);
      expect(served).toBeGreaterThanOrEqual(10);
      const seconds = Number(last.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      service.cloud.clock.advance(seconds * 1_000);
      expect((await call(CONVERT, ITEM)).status).toBe(200);
      expect((await usage()).test_used).toBe(served + 1);
    } finally {
      start();
    }
  });
});

describe('a function that is refused every AWS call', () => {
  // No other test calls it many times at once: a copy that loads late would have no secrets.
  const NORMALIZE = 'Conversions/Normalize';
  const RECORD = { type: 'business', record: { name: ' Acme ' } };

  it('serves on with all headers, and counts again when calls are allowed', async () => {
    const tenant = await newTenant('free');
    await tenant.call('/v1/normalize', RECORD);
    service.cloud.denyAll(NORMALIZE);
    try {
      const { status, headers } = await tenant.call('/v1/normalize', RECORD, { headers: { 'idempotency-key': 'a' } });
      expect([status, headers.get('ratelimit-limit'), headers.get('x-quota-cost')]).toEqual([200, '10', '1']);
      // A credential that was never seen here is proven all the same.
      const fresh = await newTenant('free');
      expect((await fresh.call('/v1/normalize', RECORD)).status).toBe(200);
      expect((await tenant.call('/v1/normalize', RECORD, { credential: tenant.test.slice(0, -1) })).status).toBe(401);
    } finally {
      service.cloud.allow(NORMALIZE);
    }
    const before = (await tenant.usage()).test_used;
    await eventually(
      service.cloud,
      () => tenant.call('/v1/normalize', RECORD),
      ({ headers }) => headers.get('x-quota-remaining') === String(250 - before),
    );
    expect((await tenant.usage()).test_used).toBeGreaterThan(before);
    const logs = JSON.stringify(service.cloud.logsOf(NORMALIZE));
    expect(logs).toContain('UsageWaits');
    expect(logs).not.toContain(tenant.test.slice(-40));
  });
});
