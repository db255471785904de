import { describe, expect, it } from 'vitest';
import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { newSubscription, onPlan } from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { Usage, usageOf } from '../../../functions/conversions/usage/usage.ts';

const MILLIS = Date.UTC(2026, 10, 15, 12);
const free = newSubscription('USD', MILLIS);

describe('the usage record', () => {
  it('has the fields of the specification, and those of live keys', () => {
    const item: Account = { ...newAccount(free), q_m202611: 40, testUsed: 7 };
    expect(usageOf(item)).toEqual({
      period_start: '2026-11-01T00:00:00.000Z',
      period_end: '2026-12-01T00:00:00.000Z',
      resets_at: '2026-12-01T00:00:00.000Z',
      test_quota: 250,
      test_used: 7,
      test_remaining: 243,
      live_included: 1_000,
      live_used: 40,
      live_remaining: 960,
      live_overage: 0,
      hard_limit: 1_000,
      spend_cap: null,
      plan: 'free',
      plan_state: 'free',
    });
  });

  it('tells overage and the cap of a paid plan', () => {
    const capped = newAccount(onPlan({ ...free, capMicros: 25_000_000 }, 'starter', MILLIS));
    expect(usageOf({ ...capped, q_p20261115: 10_003 })).toMatchObject({
      live_included: 10_000,
      live_used: 10_003,
      live_remaining: 0,
      live_overage: 3,
      hard_limit: 16_250,
      spend_cap: '25.00',
    });
    const open = newAccount(onPlan(free, 'growth', MILLIS));
    expect(usageOf(open)).toMatchObject({ hard_limit: null, spend_cap: null, plan: 'growth', plan_state: 'active' });
  });

  it('is what its schema says, which clients are given', () => {
    for (const plan of ['free', 'starter', 'growth', 'scale'] as const) {
      const item = newAccount(onPlan(free, plan, MILLIS));
      expect(Usage.parse(usageOf({ ...item, [`q_${item.periodId}`]: 2_000_000, testUsed: 250 }))).toBeDefined();
    }
  });
});
