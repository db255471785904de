import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { meterKey } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
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

describe('a repeated request', () => {
  it.each([
    ['200', '{"n":2}', 200],
    ['422', '{"n":13}', 422],
    ['400', '{"n":"x"}', 400],
    ['400 for what is no JSON', '{"n"', 400],
    ['400 for half of a surrogate pair', String.raw`{"n":"\ud800"}`, 400],
    ['400 for too many levels', '['.repeat(5_000), 400],
  ])('with the answer %s gets it again, byte by byte, and is not counted', async (_what, body, status) => {
    const { live, counter, current } = await storedAccount(table);
    const { call, runs } = newRoute();
    const first = await call({ key: live, body, headers: keyed('a') });
    const again = await call({ key: live, body, headers: keyed('"a"') });
    expect([first.status, again.status]).toEqual([status, status]);
    expect(again.text).toBe(first.text);
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect([first.headers['x-quota-cost'], again.headers['x-quota-cost']]).toEqual(['1', '0']);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(missingHeaders(again.headers)).toEqual([]);
    expect(Number(again.headers['x-quota-remaining'])).toBe(Number(first.headers['x-quota-remaining']) - 1);
    expect((await current())[counter]).toBe(1);
    expect(runs()).toBeLessThanOrEqual(1);
  });

  it('with another body is refused, and neither counted nor processed', async () => {
    const { test, current } = await storedAccount(table);
    const { call, runs } = newRoute();
    await call({ key: test, body: '{"n":1}', headers: keyed('a') });
    const other = await call({ key: test, body: '{"n":2}', headers: keyed('a') });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency-key-reused']);
    expect(other.headers).toMatchObject({ 'x-quota-cost': '0', 'x-quota-remaining': '249' });
    expect(other.headers['idempotent-replayed']).toBeUndefined();
    expect([(await current()).testUsed, runs()]).toEqual([1, 1]);
    // The first answer is still there.
    expect((await call({ key: test, body: '{ "n": 1 }', headers: keyed('a') })).json.double).toBe(2);
  });

  it('is a request of its own for another mode or another tenant', async () => {
    const [one, other] = [await storedAccount(table), await storedAccount(table)];
    const { call, runs } = newRoute();
    for (const key of [one.live, one.test, other.live]) await call({ key, headers: keyed('a') });
    expect(runs()).toBe(3);
  });

  it('whose first one failed through a fault runs again, and is counted once', async () => {
    const { live, counter, current } = await storedAccount(table);
    const { call, runs } = newRoute();
    const failed = await call({ key: live, body: '{"n":500}', headers: keyed('a') });
    expect([failed.status, failed.json.code, failed.headers['x-quota-cost']]).toEqual([500, 'internal', '0']);
    expect(missingHeaders(failed.headers)).toEqual([]);
    expect((await current())[counter]).toBe(0);
    expect((await call({ key: live, body: '{"n":1}', headers: keyed('a') })).status).toBe(200);
    expect([(await current())[counter], runs()]).toEqual([1, 2]);
  });

  it('that arrives many times at once in several functions is processed once', async () => {
    const { live, counter, current } = await storedAccount(table);
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    // At one moment: who finds the bucket idle, and then in use, tries twice at most.
    const now = Date.now() * 1_000;
    const routes = Array.from({ length: 3 }, () =>
      newRoute(
        () => gate,
        () => now,
      ),
    );
    const answers = Array.from({ length: 12 }, (_, n) => routes[n % 3]!.call({ key: live, headers: keyed('a') }));
    const early = await Promise.race([Promise.any(answers), Promise.all(answers).then(() => undefined)]);
    expect([early?.status, early?.json.code]).toEqual([409, 'idempotency-in-progress']);
    expect(early?.headers['retry-after']).toBe('1');
    expect(missingHeaders(early?.headers ?? {})).toEqual([]);
    open();
    const all = await Promise.all(answers);
    expect(all.filter(({ headers }) => headers['x-quota-cost'] === '1')).toHaveLength(1);
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(routes.reduce((sum, { runs }) => sum + runs(), 0)).toBe(1);
    expect((await current())[counter]).toBe(1);
    expect((await newRoute().call({ key: live, headers: keyed('a') })).headers['idempotent-replayed']).toBe('true');
  });

  it('succeeds when the quota is used up, in a new function and in one that saw plenty', async () => {
    const { tenant, live, counter, current } = await storedAccount(table, { plan: 'free' });
    const saw = newRoute();
    expect((await saw.call({ key: live, headers: keyed('a') })).status).toBe(200);
    await table.client.send(
      new UpdateItemCommand({
        TableName: table.name,
        Key: marshall(meterKey(tenant)),
        UpdateExpression: 'SET #used = :most',
        ExpressionAttributeNames: { '#used': counter },
        ExpressionAttributeValues: marshall({ ':most': 1_000 }),
      }),
    );
    for (const { call } of [saw, newRoute()]) {
      const again = await call({ key: live, headers: keyed('a') });
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
      expect(again.headers).toMatchObject({ 'x-quota-remaining': '0', 'x-quota-cost': '0' });
      const fresh = await call({ key: live, headers: keyed('b') });
      expect([fresh.status, fresh.json.quota]).toEqual([429, 'live-monthly']);
      expect(fresh.headers['retry-after']).toBeUndefined();
      expect(missingHeaders(fresh.headers)).toEqual([]);
    }
    expect((await current())[counter]).toBe(1_000);
  });
});

describe('a function that dies', () => {
  it('at any of its calls leaves a key that the next request can use, and counts at most once too much', async () => {
    const deaths = [1, 2, 3, 4].flatMap((call) => [[call, 'before'] as const, [call, 'after'] as const]);
    await Promise.all(
      deaths.map(async ([dieAt, when]) => {
        const { live, counter, current } = await storedAccount(table);
        const mortality = new Mortality(dieAt, when);
        const dying = doublingRoute(functionParts({ ...table, client: mortality.bind(table.client) }).parts);
        // Nobody hears its answer.
        await dying.call({ key: live, headers: keyed('a'), remainingMillis: 600 });
        const later = { micros: () => (Date.now() + 650) * 1_000 };
        const alive = doublingRoute(functionParts(table, later).parts);
        const again = await alive.call({ key: live, headers: keyed('a') });
        expect([dieAt, when, again.status, again.json.double]).toEqual([dieAt, when, 200, 2]);
        const isReplay = again.headers['idempotent-replayed'] === 'true';
        expect(alive.runs()).toBe(isReplay ? 0 : 1);
        const count = Number((await current())[counter] ?? 0);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(count).toBeLessThanOrEqual(isReplay ? 1 : 2);
        const last = await alive.call({ key: live, headers: keyed('a') });
        expect([last.text, Number((await current())[counter])]).toEqual([again.text, count]);
      }),
    );
  });
});
