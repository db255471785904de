import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { usageIn } from '../../../functions/conversions/billing/balances/account.ts';
import { setPlan } from '../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { doublingRoute, functionParts, missingHeaders, storedAccount } from '../../support/conversions/metered-desk.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const newRoute = (meanwhile?: () => Promise<unknown>, micros?: () => number) =>
  doublingRoute(functionParts(table, micros && { micros }).parts, meanwhile);
const keyed = (key: string) => ({ 'idempotency-key': key });

describe('the limits of an account', () => {
  const T = 200_000;

  it('admit exactly the burst of those that come at once, and after Retry-After the next', async () => {
    let now = Date.now() * 1_000;
    const { test, current } = await storedAccount(table, { plan: 'free' });
    const functions = Array.from({ length: 3 }, () => doublingRoute(functionParts(table, { micros: () => now }).parts));
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => functions[n % 3]!.call({ key: test })));
    const limited = answers.filter(({ status }) => status === 429);
    const admitted = answers.filter(({ status }) => status === 200);
    // Functions that lose four times in a row refuse too.
    expect(admitted.length).toBeLessThanOrEqual(10);
    expect((await current()).testUsed).toBe(admitted.length);
    for (const { json, headers } of limited) {
      expect(json.code).toBe('rate-limited');
      expect(headers).toMatchObject({ 'retry-after': '1', 'ratelimit-reset': '1', 'ratelimit-remaining': '0' });
      expect(missingHeaders(headers)).toEqual([]);
    }
    now += 1_000_000;
    for (const { call } of functions) expect((await call({ key: test })).status).toBe(200);
  });

  it('count down one by one for a caller that comes alone, and stay at zero', async () => {
    let now = Date.now() * 1_000;
    const { live, test } = await storedAccount(table, {
      plan: 'free',
      own: { hardLimit: 4, included: 4, testQuota: 3 },
    });
    const { call } = doublingRoute(functionParts(table, { micros: () => (now += T) }).parts);
    const seen = async (key: string) => {
      const { status, headers } = await call({ key });
      return [status, Number(headers['x-quota-remaining'])];
    };
    for (const left of [4, 3, 2, 1]) expect(await seen(live)).toEqual([200, left]);
    for (let n = 0; n < 3; n += 1) expect(await seen(live)).toEqual([429, 0]);
    for (const left of [3, 2, 1]) expect(await seen(test)).toEqual([200, left]);
    expect(await seen(test)).toEqual([429, 0]);
  });

  it('change in the middle of a burst without an answer that is neither served nor limited', async () => {
    const { tenant, live, counter, current } = await storedAccount(table, { plan: 'starter' });
    const functions = [newRoute(), newRoute()];
    const burst = Array.from({ length: 30 }, (_, n) => functions[n % 2]!.call({ key: live }));
    const change = setPlan(table, tenant, { plan: 'growth' }, Date.now());
    const answers = await Promise.all(burst);
    await change;
    const served = answers.filter(({ status }) => status === 200);
    for (const { status } of answers) expect([200, 429]).toContain(status);
    expect(served.length).toBeGreaterThan(0);
    for (const { headers } of answers) expect(['40', '100']).toContain(headers['ratelimit-limit']);
    const item = await current();
    expect(usageIn(item)).toBe(served.length);
    expect(item[counter]).toBe(served.length);
    expect((await functions[0]!.call({ key: live })).headers['ratelimit-limit']).toBe('100');
  });
});

describe('a request without a valid credential', () => {
  it('is refused without a call to the table, unless its revocation is only in the table', async () => {
    const { live, tenant } = await storedAccount(table);
    const counting = new Mortality();
    const { call, runs } = doublingRoute(functionParts({ ...table, client: counting.bind(table.client) }).parts);
    const forged = [
      live.slice(0, -1),
      `${live}a`,
      live.replace(tenant, crypto.randomUUID()),
      live.replace('cv_live', 'cv_test'),
      `cv_live_${tenant}_klive_${'a'.repeat(24)}_1${'0'.repeat(50)}`,
      'eyJhbGciOiJub25lIn0.e30.',
    ];
    for (const key of forged) {
      const { status, headers, json } = await call({ key });
      expect([key, status, json.code]).toEqual([key, 401, 'unauthorized']);
      expect(Object.keys(headers).filter((name) => /ratelimit|quota/.test(name))).toEqual([]);
    }
    expect([counting.calls, runs()]).toEqual([0, 0]);
    const revoked = await storedAccount(table, { own: { credentials: {} } });
    const { status, headers } = await call({ key: revoked.live, headers: keyed('a') });
    expect([status, Object.keys(headers).filter((name) => /ratelimit|quota/.test(name))]).toEqual([401, []]);
    expect([(await revoked.current()).arrival, runs()]).toEqual([0, 0]);
  });
});

describe('a table that is down', () => {
  it('neither blocks a request nor takes its headers, and the usage is counted later', async () => {
    const { live } = await storedAccount(table, { plan: 'free' });
    const dead = { ...table, client: new Mortality(1).bind(table.client) };
    const { parts, late } = functionParts(dead);
    const { call } = doublingRoute(parts);
    const { status, headers } = await call({ key: live, headers: keyed('a'), requestId: 'r-1' });
    expect(status).toBe(200);
    expect(missingHeaders(headers)).toEqual([]);
    // Of the largest plan: this function has never seen the account.
    expect(headers['ratelimit-limit']).toBe('100');
    expect(late).toMatchObject([{ id: 'r-1', mode: 'live', amount: 1 }]);
    expect((await call({ key: live, body: '{"n":500}' })).status).toBe(500);
    expect(late.map(({ amount }) => amount)).toEqual([1, 1, -1]);
  });
});

describe('work that takes too long', () => {
  it('is answered 503 within its time, not counted, and its key is free again', async () => {
    const { live, counter, current } = await storedAccount(table);
    const { call } = newRoute(() => new Promise(() => undefined));
    const { status, json, headers } = await call({ key: live, headers: keyed('a'), remainingMillis: 320 });
    expect([status, json.code, headers['x-quota-cost']]).toEqual([503, 'deadline', '0']);
    expect(missingHeaders(headers)).toEqual([]);
    expect((await current())[counter]).toBe(0);
    expect((await newRoute().call({ key: live, headers: keyed('a') })).status).toBe(200);
  });
});
