import * as fc from 'fast-check';
import { parseList, Token } from 'structured-headers';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { PLAN_NAMES, PLANS, type PlanName } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { rateHeaders, type Standing } from '../../../functions/conversions/serving/rate-and-quota-headers.ts';

const MILLIS = Date.UTC(2026, 10, 15);
const NOW = MILLIS * 1_000;

function itemOf(
  plan: PlanName,
  { used = 0, own = {}, capMicros }: { used?: number; own?: object; capMicros?: number } = {},
) {
  const subscription = { ...newSubscription('USD', MILLIS), ...(capMicros !== undefined && { capMicros }) };
  const item = newAccount(onPlan(subscription, plan, MILLIS));
  return { ...item, [`q_${item.periodId}`]: used, ...own };
}

const standing = (item: Account, own: Partial<Standing> = {}): Standing => ({ item, mode: 'live', now: NOW, ...own });
const METERED = { quota: { taken: 1, cost: 1 } } as const;

/** A structured field: each policy with its parameters. */
function parsed(field: string | undefined) {
  return Object.fromEntries(parseList(field ?? '').map(([name, parameters]) => [name, Object.fromEntries(parameters)]));
}

describe('headers of the rate', () => {
  it('are those of the bucket, with nothing taken from it', () => {
    expect(rateHeaders(standing(itemOf('free')))).toEqual({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '10',
      'ratelimit-reset': '0',
      'ratelimit-policy': '"burst";q=10;w=2',
      ratelimit: '"burst";r=10;t=0',
    });
  });

  it('count down to zero, and tell when the bucket is full again', () => {
    const seen = Array.from({ length: 11 }, (_, taken) => {
      const headers = rateHeaders(standing(itemOf('free', { own: { arrival: NOW + taken * 200_000 } })));
      return [headers['ratelimit-remaining'], headers['ratelimit-reset']];
    });
    expect(seen.map(([left]) => Number(left))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(seen.map(([, reset]) => Number(reset))).toEqual([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it('tell a refused caller when to come back, wherever they tell a time', () => {
    const headers = rateHeaders(
      standing(itemOf('free', { own: { arrival: NOW + 2_000_000 } }), { retryAfterSeconds: 3 }),
    );
    expect(headers).toMatchObject({
      'retry-after': '3',
      'ratelimit-reset': '3',
      'ratelimit-remaining': '0',
      ratelimit: '"burst";r=0;t=3',
    });
    // Refused although there are tokens: too many came at once.
    const lost = rateHeaders(standing(itemOf('free'), { retryAfterSeconds: 1 }));
    expect(lost).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': '1' });
  });

  it('say nothing of a quota on routes that have none', () => {
    const headers = rateHeaders(standing(itemOf('growth')));
    expect(Object.keys(headers).filter((name) => name.includes('quota'))).toEqual([]);
    expect(headers['ratelimit-policy']).not.toContain('quota');
  });
});

describe('headers of the quota', () => {
  it('tell the count before the request, down to zero and not below', () => {
    const told = [1, 2, 999, 1_000].map((used) => rateHeaders(standing(itemOf('free', { used }), METERED)));
    expect(told.map((headers) => headers['x-quota-remaining'])).toEqual(['1000', '999', '2', '1']);
    const refused = rateHeaders(standing(itemOf('free', { used: 1_000 }), { quota: { taken: 0, cost: 0 } }));
    expect(refused).toMatchObject({ 'x-quota-limit': '1000', 'x-quota-remaining': '0', 'x-quota-cost': '0' });
    const over = rateHeaders(standing(itemOf('starter', { used: 12_000 }), METERED));
    expect(over).toMatchObject({ 'x-quota-limit': '10000', 'x-quota-remaining': '0' });
  });

  it('are those of the test pool for test keys, on every plan, without a window or overage', () => {
    for (const plan of PLAN_NAMES) {
      const headers = rateHeaders(
        standing(itemOf(plan, { used: 5, own: { testUsed: 250 } }), { ...METERED, mode: 'test' }),
      );
      expect(headers).toMatchObject({ 'x-quota-limit': '250', 'x-quota-remaining': '1', 'x-quota-cost': '1' });
      expect(headers['x-quota-overage']).toBeUndefined();
      expect([headers['ratelimit-policy']?.split(', ')[1], headers['ratelimit']?.split(', ')[1]]).toEqual([
        '"quota";q=250',
        '"quota";r=1',
      ]);
    }
  });

  it('tell overage on paid plans alone, and the limit beyond which nothing goes where there is one', () => {
    const overage = (item: Account, quota: Standing['quota'] = METERED.quota) => {
      const headers = rateHeaders(standing(item, { quota }));
      return [headers['x-quota-overage'], headers['x-quota-hard-limit']];
    };
    expect(overage(itemOf('free', { used: 1_000 }))).toEqual([undefined, undefined]);
    expect(overage(itemOf('starter', { used: 10_000 }))).toEqual(['0', undefined]);
    expect(overage(itemOf('starter', { used: 10_002 }))).toEqual(['2', undefined]);
    expect(overage(itemOf('starter', { used: 10_002, capMicros: 25_000_000 }))).toEqual(['2', '16250']);
    expect(overage(itemOf('starter', { used: 10_000, capMicros: 0 }))).toEqual(['0', '10000']);
    // Given back, or not taken at all.
    expect(overage(itemOf('starter', { used: 10_002 }), { taken: 1, cost: 0 })).toEqual(['1', undefined]);
    expect(overage(itemOf('starter', { used: 10_002 }), { taken: 0, cost: 1 })).toEqual(['3', undefined]);
  });
});

it('the structured fields parse, and say what the plain headers say', () => {
  const item = fc.record({
    plan: fc.constantFrom(...PLAN_NAMES),
    used: fc.nat(20_000),
    ahead: fc.integer({ min: -5_000_000, max: 80_000_000 }),
    mode: fc.constantFrom('live', 'test'),
    taken: fc.constantFrom(0, 1),
    refused: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(item, ({ plan, used, ahead, mode, taken, refused }) => {
      const account = itemOf(plan, { used, own: { arrival: NOW + ahead, testUsed: Math.min(250, used) } });
      const headers = rateHeaders({
        item: account,
        mode,
        now: NOW,
        quota: { taken, cost: 0 },
        ...(refused !== undefined && { retryAfterSeconds: refused }),
      });
      const [policy, state] = [parsed(headers['ratelimit-policy']), parsed(headers['ratelimit'])];
      const numbers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Number(value)]));
      expect(state['burst']).toEqual({ r: numbers['ratelimit-remaining'], t: numbers['ratelimit-reset'] });
      expect(policy['burst']?.['q']).toBe(PLANS[plan === 'scale' ? 'growth' : plan].burst);
      expect(policy['burst']?.['q']).toBe(numbers['ratelimit-limit']);
      expect(policy['quota']?.['q']).toBe(numbers['x-quota-limit']);
      expect(state['quota']?.['r']).toBe(numbers['x-quota-remaining']);
      expect(numbers['ratelimit-remaining']).toBeGreaterThanOrEqual(0);
      expect(numbers['ratelimit-remaining']).toBeLessThanOrEqual(numbers['ratelimit-limit'] ?? 0);
      for (const values of [...Object.values(policy), ...Object.values(state)]) {
        for (const value of Object.values(values as object)) {
          expect(value).not.toBeInstanceOf(Token);
          expect(Number.isSafeInteger(value)).toBe(true);
          expect(Number(value)).toBeGreaterThanOrEqual(0);
        }
      }
    }),
  );
});
