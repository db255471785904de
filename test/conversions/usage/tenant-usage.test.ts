import { describe, expect, it } from 'vitest';
import type { Account } from '../../../functions/conversions/billing/balances/account.ts';
import { newAccount } from '../../../functions/conversions/billing/balances/account-changes.ts';
import { periodInvoice, totalMicros } from '../../../functions/conversions/billing/invoices/invoice.ts';
import { amountText } from '../../../functions/conversions/billing/subscriptions/amount.ts';
import {
  advance,
  newSubscription,
  onPlan,
  withCap,
} from '../../../functions/conversions/billing/subscriptions/subscription.ts';
import { presentDays, presentUsage, rangeOf, UsageQuery } from '../../../functions/conversions/usage/tenant-usage.ts';

const NOW = Date.UTC(2026, 10, 15, 12);
const DAY = 86_400_000;
const free = newSubscription('EUR', NOW);
const item = (plan: 'starter' | 'growth' | 'scale', members: Partial<Account> = {}): Account => ({
  ...newAccount(onPlan(free, plan, NOW), NOW),
  ...members,
});

describe('the usage of a tenant', () => {
  it('has every member of the interface, with what the period costs so far', () => {
    const account = item('starter', { q_p20261115: 10_250, liveTotal: 10_250, testUsed: 7 });
    expect(presentUsage('acme', account, NOW)).toEqual({
      periodStart: '2026-11-15T12:00:00.000Z',
      periodEnd: '2026-12-15T12:00:00.000Z',
      resetsAt: '2026-12-15T12:00:00.000Z',
      testQuota: 250,
      testUsed: 7,
      testRemaining: 243,
      liveIncluded: 10_000,
      liveUsed: 10_250,
      liveRemaining: 0,
      liveOverage: 250,
      hardLimit: null,
      spendCap: null,
      plan: 'starter',
      planState: 'active',
      currency: 'EUR',
      spend: { flat: '29.00', overage: '1.00', total: '30.00' },
      rateLimit: { perSecond: 20, burst: 40 },
    });
  });

  it.each([undefined, 0, 500_000, 2_000_000])('spends what the invoice will say, with a cap of %s', (capMicros) => {
    const subscription = withCap(onPlan(free, 'growth', NOW), capMicros);
    const end = subscription.period.end;
    const { closed } = advance({ ...subscription, next: { plan: 'free', at: end } }, end);
    for (const used of [0, 50_000, 50_100, 60_000]) {
      const account: Account = { ...newAccount(subscription, NOW), q_p20261115: used };
      const invoice = periodInvoice('acme', closed[0]!, { used, now: end });
      expect(presentUsage('acme', account, NOW).spend.overage).toBe(amountText(totalMicros(invoice)));
    }
  });

  it('keeps the overage that a cap allowed before it was lowered', () => {
    const lowered = withCap(withCap(onPlan(free, 'growth', NOW), 3_000_000), 0);
    const account: Account = { ...newAccount(lowered, NOW), q_p20261115: 50_900 };
    expect(presentUsage('acme', account, NOW).spend.overage).toBe('2.70');
  });

  it('costs nothing on Free, and for an account whose payments failed', () => {
    const spend = { flat: '0.00', overage: '0.00', total: '0.00' };
    expect(presentUsage('acme', newAccount(free, NOW), NOW).spend).toEqual(spend);
    const unpaid = { ...onPlan(free, 'scale', NOW), failures: [NOW] };
    const usage = presentUsage('acme', newAccount(unpaid, NOW), NOW + 14 * DAY);
    expect(usage).toMatchObject({ planState: 'scale_blocked', spend, rateLimit: { perSecond: 5, burst: 10 } });
  });

  it('is that of the present period, though no request has written it yet', () => {
    const account = item('starter', { q_p20261115: 400 });
    const usage = presentUsage('acme', account, Date.UTC(2026, 11, 15, 12));
    expect(usage).toMatchObject({ periodStart: '2026-12-15T12:00:00.000Z', liveUsed: 0 });
  });
});

describe('the days of a query', () => {
  it('are the last thirty, those that it states, and none to come', () => {
    expect(rangeOf({}, NOW)).toEqual({ from: '2026-10-17', to: '2026-11-15' });
    expect(rangeOf({ from: '2026-10-01', to: '2026-11-22' }, NOW)).toEqual({ from: '2026-10-01', to: '2026-11-15' });
    expect(rangeOf({ to: '2026-02-28' }, NOW)).toEqual({ from: '2026-01-30', to: '2026-02-28' });
  });

  it.each([[{ from: '2026-11-02', to: '2026-11-01' }], [{ from: '2025-10-11', to: '2026-11-15' }]])(
    'are refused for %j',
    (query) => {
      expect(() => rangeOf(query, NOW)).toThrow(expect.objectContaining({ status: 400, code: 'invalid-input' }));
    },
  );

  it.each([{ by: 'week' }, { by: 'day', from: 'yesterday' }, { by: 'day', to: '2026-02-30' }])(
    'cannot be stated as %j',
    (query) => expect(UsageQuery.safeParse(query).success).toBe(false),
  );

  it('are shown each once, those without use too, and today as the account counts it', () => {
    const ended = [
      { date: '2026-11-13', live: 5, test: 1 },
      { date: '2026-11-15', live: 2, test: 0 },
    ];
    const account = item('growth', { liveTotal: 30, liveTotalAtDayStart: 20, testUsed: 9, testUsedAtDayStart: 9 });
    expect(presentDays({ from: '2026-11-13', to: '2026-11-15' }, ended, account)).toEqual({
      from: '2026-11-13',
      to: '2026-11-15',
      days: [
        { date: '2026-11-13', live: 5, test: 1 },
        { date: '2026-11-14', live: 0, test: 0 },
        { date: '2026-11-15', live: 12, test: 0 },
      ],
    });
  });
});
