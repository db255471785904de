/** The conversion API as a customer meets it: keys, clients, plans, caps, payments, thresholds, and its description. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { allVariables, checkEvent } from '../../support/contract/described-events.ts';
import { type ConversionTenant, conversionTenants } from '../../support/conversions/conversion-tenant.ts';
import { METERED_OPERATIONS } from '../../support/conversions/metered-operations.ts';

const ITEM = { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 };

let service: RunningService;
let newTenant: Awaited<ReturnType<typeof conversionTenants>>;
/** Shared by tests that do not change its plan. */
let acme: ConversionTenant;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  newTenant = await conversionTenants(service);
  acme = await newTenant();
});
afterAll(() => service?.close());

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
    expect((await acme.call('/v1/convert', ITEM, own)).status).toBe(401);
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
      left.push(...numbers((await call('/v1/convert', ITEM, { credential })).headers, 'x-quota-remaining'));
    }
    expect(left).toEqual([250, 249, 248]);
    expect((await manage('DELETE', `oauth-clients/${clientId}`)).status).toBe(204);
    expect((await call('/v1/convert', ITEM, { credential: json.access_token })).status).toBe(401);
    expect((await token(clientSecret)).status).toBe(401);
  });
});

describe('a plan', () => {
  it('that is raised applies to the next request, with what is used already', async () => {
    const free = await newTenant('free');
    const live = await free.key('live');
    const limits = async () => {
      const { status, headers } = await free.call('/v1/convert', ITEM, { credential: live });
      return [status, ...numbers(headers, 'ratelimit-limit', 'x-quota-limit', 'x-quota-remaining')];
    };
    expect(await limits()).toEqual([200, 10, 1_000, 1_000]);
    const raised = await free.manage('PUT', 'plan', { plan: 'starter', paymentMethod: 'card' });
    expect(raised.json).toMatchObject({ charge: { amount: '29.00', currency: 'USD' } });
    expect(await limits()).toEqual([200, 40, 10_000, 9_999]);
    expect((await free.manage('PUT', 'plan', { plan: 'growth' })).json.charge.amount).toBe('70.00');
    expect(await limits()).toEqual([200, 100, 50_000, 49_998]);
    // A downgrade waits for the end of the period.
    expect((await free.manage('PUT', 'plan', { plan: 'free' })).status).toBe(200);
    expect(await limits()).toEqual([200, 100, 50_000, 49_997]);
    const invoices = (await free.manage('GET', 'invoices')).json.items;
    expect(invoices.map(({ amount }: { amount: string }) => amount).toSorted()).toEqual(['29.00', '70.00']);
  });

  it('is changed as it was shown, and not at all when it has changed since', async () => {
    const tenant = await newTenant('starter');
    const preview = async (query: string) => (await tenant.manage('GET', `plan?${query}`)).json;
    const { change, ...booked } = await preview('to=growth');
    expect(booked).toEqual((await tenant.manage('GET', 'plan')).json);
    expect(change).toEqual({
      effective: 'now',
      at: expect.any(String),
      charge: { amount: '70.00', currency: 'USD' },
      version: expect.any(String),
    });
    const later = (await preview('to=free')).change;
    expect(later).toMatchObject({ effective: 'period-end', at: booked.periodEnd, charge: { amount: '0.00' } });
    expect((await preview('to=scale&paymentMethod=card')).code).toBe('payment-method-not-allowed');
    const put = (version: string) => tenant.manage('PUT', 'plan', { plan: 'growth', version });
    expect((await put(change.version)).json).toEqual({ effective: 'now', charge: change.charge });
    expect((await put(change.version)).json).toMatchObject({ status: 409, code: 'plan-changed' });
  });

  it('with a cap stops at it, and goes on when the cap is lifted', async () => {
    const capped = await newTenant('starter');
    const live = await capped.key('live');
    const call = () => capped.call('/v1/convert', ITEM, { credential: live });
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
    for (const each of [credential, credential, test]) await call('/v1/convert', ITEM, { credential: each });
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
      for (let n = 0; n < 4; n += 1) seen.push(await free.call('/v1/convert', ITEM, { credential }));
      expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(seen.flatMap(({ headers }) => numbers(headers, 'x-quota-remaining'))).toEqual([3, 2, 1, 0]);
      const { headers, json } = seen[3]!;
      expect(json).toMatchObject({ code: 'quota-exceeded', quota, limit, used: limit });
      expect(json.detail).toContain(quota === 'test-pool' ? 'live key' : '-01T00:00:00.000Z');
      expect([headers.has('retry-after'), headers.get('x-quota-cost')]).toEqual([false, '0']);
    }
    expect(await free.usage()).toMatchObject({ test_used: 250, live_used: 1_000 });
  });

  it('of tests ends at 250 for all that come at once, on any plan', async () => {
    const { call, setUsed, usage } = await newTenant();
    await setUsed({ tu: 240 });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) =>
        call(`/v1/${n % 2 === 0 ? 'convert' : 'normalize'}`, n % 2 === 0 ? ITEM : RECORD),
      ),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength((await usage()).test_used - 240);
    expect(served.length).toBeLessThanOrEqual(10);
    // Some lose their turn to others; those that come alone do not.
    for (let n = served.length; n < 10; n += 1) {
      await eventually(
        service.cloud,
        () => call('/v1/convert', ITEM),
        ({ status }) => status === 200,
      );
    }
    expect((await call('/v1/convert', ITEM)).json.quota).toBe('test-pool');
    expect((await usage()).test_used).toBe(250);
  });

  it('that reaches a threshold fires the rules of the module Conversions, once', async () => {
    const { call, tenant, setUsed } = await newTenant();
    const token = await service.managementToken(tenant);
    const manage = (method: string, path: string, body?: unknown) =>
      service.call(`/manage/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const { id } = (
      await manage('POST', 'api-configurations', { name: 'Quota', targetUrl: 'https://quota.invalid/hook' })
    ).json;
    const body = allVariables('Quota threshold reached');
    const rule = { module: 'conversions', trigger: 'Quota threshold reached', apiConfigurationId: id, body };
    expect((await manage('POST', 'rules', rule)).status).toBe(201);
    await setUsed({ tu: 124 });
    for (let n = 0; n < 3; n += 1) expect((await call('/v1/convert', ITEM)).status).toBe(200);
    const runs = async () => (await manage('GET', 'runs')).json.items;
    const [run, ...others] = await eventually(service.cloud, runs, (items) => items.length > 0);
    expect([others, run.moduleName, run.record]).toEqual([[], 'Conversions', 'quota: quota-test-pool-50']);
    const { payload } = (await manage('GET', `runs/${run.id}`)).json;
    checkEvent('Quota threshold reached', JSON.parse(payload));
    expect(JSON.parse(payload)).toMatchObject({ quota: 'test', percent: 50, used: 125 });
  });
});

const RECORD = { type: 'business', record: { name: ' Acme ' } };
