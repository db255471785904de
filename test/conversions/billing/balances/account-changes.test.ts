import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, counterOf } from '../../../../functions/conversions/billing/balances/account.ts';
import {
  accountChange,
  afterStep,
  itemAfter,
  newAccount,
} from '../../../../functions/conversions/billing/balances/account-changes.ts';
import { attributesOf } from '../../../../functions/conversions/billing/balances/account-item.dynamodb.ts';
import { periodInvoice, totalMicros } from '../../../../functions/conversions/billing/invoices/invoice.ts';
import { changePlan } from '../../../../functions/conversions/billing/subscriptions/change-plan.ts';
import { PLAN_NAMES, PLANS, type PlanName } from '../../../../functions/conversions/billing/subscriptions/plan.ts';
import {
  newSubscription,
  onPlan,
  type Subscription,
  withCap,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';
import { tokensLeft } from '../../../../shared/metering/token-bucket.ts';
import { marshalled } from '../../../../shared/table/table.dynamodb.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const DAY = 86_400_000;
const itemOn = (plan: PlanName, members: Partial<Account> = {}): Account => {
  const free = newSubscription('USD', NOW);
  return { ...newAccount(plan === 'free' ? free : onPlan(free, plan, NOW), NOW), ...members };
};
const stepped = (item: Account, now: number, step: (current: Subscription) => Subscription = (same) => same) =>
  accountChange('acme', item, afterStep(item, now, step), { nowMicros: now * 1_000 });
const onto = (plan: PlanName, now: number) => (current: Subscription) =>
  changePlan(current, { plan }, now).subscription;
/** An account that had this cap when its period began. */
function capped(plan: PlanName, capMicros: number | undefined): Account {
  const free = withCap(newSubscription('USD', NOW), capMicros);
  return newAccount(onPlan(free, plan, NOW));
}
const plans = fc.constantFrom(...PLAN_NAMES);

describe('the bucket', () => {
  /** Scale begins with the limits of Growth. */
  const BURSTS = { free: 10, starter: 40, growth: 100, scale: 100 } as const;
  const left = ({ tokenMicros: T, burst: B, arrival: tat }: Account, now: number) =>
    tokensLeft({ tokenMicros: T, burst: B }, tat, now * 1_000);

  it('gets at most the difference of the bursts by a change of plan, once (I15)', () => {
    fc.assert(
      fc.property(plans, plans, fc.integer({ min: -10, max: 400 }), (from, to, debt) => {
        const before = itemOn(from);
        const item = { ...before, arrival: NOW * 1_000 + debt * before.tokenMicros };
        const after = itemAfter(stepped(item, NOW, onto(to, NOW)));
        const isUp = PLANS[to].flatMicros > PLANS[from].flatMicros;
        const added = isUp ? BURSTS[to] - BURSTS[from] : 0;
        expect(left(after, NOW)).toBeLessThanOrEqual(Math.max(0, left(item, NOW)) + added);
        if (!isUp) expect(after.arrival).toBe(item.arrival);
        // A debt within the old burst stays the same debt.
        if (debt >= 0 && debt <= item.burst) expect(left(after, NOW)).toBe(left(item, NOW) + added);
      }),
      { numRuns: 500 },
    );
  });

  it('gets no more by a change that leaves requests time in between, however much of that they take', () => {
    const used = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(
        fc.constantFrom('free' as const, 'starter' as const),
        used,
        used,
        fc.integer({ min: 0, max: 150 }),
        (from, debt, taken, spare) => {
          const before = itemOn(from);
          const item = { ...before, arrival: NOW * 1_000 + debt * before.tokenMicros };
          const steps = afterStep(item, NOW, onto('growth', NOW));
          const change = accountChange('acme', item, steps, { nowMicros: NOW * 1_000, spare });
          const { from: least, to: most } = change.arrivals!;
          const meanwhile = { ...item, arrival: item.arrival + taken * item.tokenMicros };
          if (meanwhile.arrival < least || meanwhile.arrival > most) return;
          const added = BURSTS.growth - BURSTS[from];
          expect(left(itemAfter(change), NOW)).toBeLessThanOrEqual(left(meanwhile, NOW) + added);
          expect(spare >= item.burst || taken <= spare).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is left alone by a downgrade that is requested and taken back', () => {
    const item = itemOn('growth', { arrival: NOW * 1_000 + 700_000 });
    const down = stepped(item, NOW, onto('starter', NOW));
    const back = stepped(itemAfter(down), NOW, onto('growth', NOW));
    expect([down.arrivals, back.arrivals]).toEqual([undefined, undefined]);
    expect(itemAfter(back)).toEqual({ ...item, version: item.version + 2 });
  });
});

describe('the usage of an account', () => {
  it('on Free goes on to the first paid period, and its counter stays for conversions given back', () => {
    const item = itemOn('free', { q_m202611: 871 });
    const after = itemAfter(stepped(item, NOW, onto('starter', NOW)));
    expect(after).toMatchObject({ periodId: 'p20261115', q_p20261115: 871, q_m202611: 871 });
  });

  it('in a month of Free that is over is not carried into a paid period', () => {
    const item = itemOn('free', { q_m202611: 871 });
    const december = Date.UTC(2026, 11, 1);
    expect(stepped(item, december, onto('starter', december))).not.toHaveProperty('carries');
    expect(stepped(item, december - 1, onto('starter', december - 1))).toHaveProperty('carries');
  });

  it('stays counted over an upgrade between paid plans', () => {
    const item = itemOn('starter', { q_p20261115: 13_000 });
    const change = stepped(item, NOW + DAY, onto('growth', NOW + DAY));
    expect(change).not.toHaveProperty('carries');
    expect(itemAfter(change)).toMatchObject({ q_p20261115: 13_000, included: 50_000 });
  });

  it('is counted from zero once Scale is blocked, and goes on in its period after a settlement', () => {
    const item = itemOn('scale', { q_p20261115: 40_000 });
    const block = (current: Subscription): Subscription => ({
      ...current,
      state: 'scale_dunning',
      failures: [NOW - 13 * DAY],
    });
    const waiting = itemAfter(stepped(item, NOW, block));
    const blocked = itemAfter(stepped(waiting, NOW + DAY));
    expect(blocked).toMatchObject({ periodId: 'b202611', hardLimit: 1_000, q_p20261115: 40_000 });
    expect(blocked).not.toHaveProperty('q_b202611');
  });

  it('is forgotten 33 days after the month or day that a period began with, when the account moves on', () => {
    const item = itemOn('starter', { q_p20261115: 5, q_p20261015: 4, q_p20261113: 3, q_m202610: 2, other: 1 });
    const end = item.periodEnd / 1_000;
    expect(stepped(item, end - 1).remove).toEqual([]);
    expect(stepped(item, end).remove).toEqual(['q_p20261015', 'q_m202610']);
    expect(stepped(item, Date.parse('2026-12-18T00:00:00.000Z')).remove).toEqual([
      'q_p20261015',
      'q_p20261113',
      'q_m202610',
    ]);
  });

  it('is kept with a period that is closed so late that its counter goes', () => {
    const item = itemOn('starter', { q_p20261115: 13_000 });
    const { closed, remove } = stepped(item, NOW + 70 * DAY);
    expect(closed.map(({ period, used }) => [period.id, used])).toEqual([
      ['p20261115', 13_000],
      ['p20261215', 0],
    ]);
    expect(remove).toEqual(['q_p20261115']);
  });
});

describe('overage, reading R1', () => {
  const endOf = (item: Account) => {
    const { closed } = stepped(item, item.periodEnd / 1_000);
    return periodInvoice('acme', closed[0]!, { used: closed[0]!.used, now: item.periodEnd / 1_000 });
  };
  const overageOf = (item: Account) =>
    totalMicros({ lines: endOf(item).lines.filter(({ kind }) => kind === 'overage') });
  const starter = (used: number) => itemOn('starter', { [counterOf('p20261115')]: used });
  const upgraded = (item: Account) => itemAfter(stepped(item, NOW + DAY, onto('growth', NOW + DAY)));

  it('is 12.00 on Starter after 13,000, forgiven by an upgrade, and 36.00 after 62,000 on Growth', () => {
    expect(overageOf(starter(13_000))).toBe(12_000_000);
    expect(overageOf(upgraded(starter(13_000)))).toBe(0);
    expect(overageOf({ ...upgraded(starter(13_000)), q_p20261115: 62_000 })).toBe(36_000_000);
  });

  it('is never more than the highest cap that was in force in the period, and not less than what was used under it (I14)', () => {
    const caps = fc.option(fc.integer({ min: 0, max: 20_000_000 }), { nil: undefined });
    const step = fc.record({ cap: caps, uses: fc.integer({ min: 0, max: 4_000 }) });
    fc.assert(
      fc.property(
        fc.constantFrom('starter' as const, 'growth' as const),
        caps,
        fc.array(step, { maxLength: 6 }),
        (plan, first, steps) => {
          let item: Account = { ...capped(plan, first), q_p20261115: PLANS[plan].included - 500 };
          let highest = first ?? Number.POSITIVE_INFINITY;
          for (const [index, { cap, uses }] of steps.entries()) {
            item = itemAfter(stepped(item, NOW + index, (current) => withCap(current, cap)));
            highest = Math.max(highest, cap ?? Number.POSITIVE_INFINITY);
            const used = Number(item['q_p20261115']);
            item = { ...item, q_p20261115: Math.max(used, Math.min(item.hardLimit, used + uses)) };
          }
          const used = Number(item['q_p20261115']);
          expect(overageOf(item)).toBeLessThanOrEqual(highest);
          expect(overageOf(item)).toBe(Math.max(0, used - PLANS[plan].included) * PLANS[plan].overageMicros);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('under a cap of the period before is bounded by the cap of this one', () => {
    const lowered = itemAfter(stepped(starter(20_000), NOW + DAY, (current) => withCap(current, 0)));
    expect(overageOf(lowered)).toBe(40_000_000);
    const next = itemAfter(stepped(lowered, lowered.periodEnd / 1_000));
    expect(overageOf({ ...next, q_p20261215: 20_000 })).toBe(0);
  });

  it('of conversions that an outage let through beyond the limit is not billed', () => {
    const starter = capped('starter', 8_000_000);
    expect(overageOf({ ...starter, q_p20261115: 99_999 })).toBe(8_000_000);
    const lowered = itemAfter(stepped(starter, NOW, (current) => withCap(current, 4_000_000)));
    expect(lowered.hardLimit).toBe(11_000);
    expect(overageOf({ ...lowered, q_p20261115: 99_999 })).toBe(8_000_000);
    const raised = itemAfter(stepped(lowered, NOW, (current) => withCap(current, 12_000_000)));
    expect(overageOf({ ...raised, q_p20261115: 99_999 })).toBe(12_000_000);
  });

  it('is left to pay when an account is blocked, and the next period is not', () => {
    const item = itemOn('scale');
    const blocked = stepped(
      { ...item, subscription: { ...item.subscription, hasPaidScale: true, failures: [NOW - 14 * DAY] } },
      NOW,
      (current) => current,
    );
    expect(blocked.closed).toMatchObject([{ plan: 'scale', included: 50_000, overageMicros: 1_500 }]);
    expect(blocked.closed[0]).not.toHaveProperty('nextFlat');
  });
});

describe('an account with all that it may hold', () => {
  it('stays below one kilobyte, which a write is billed by', () => {
    const micros = 999_999_999_999_999;
    const item = itemOn('scale', {
      arrival: NOW * 1_000,
      version: 99_999,
      testUsed: 250,
      announcedTestPercent: 100,
      announcedThreshold: { periodId: 'p20261115', included: 500_000, percent: 100 },
      q_p20261115: 10_000_000,
      q_p20261015: 10_000_000,
      liveTotal: 999_999_999_999,
      liveTotalAtDayStart: 999_999_999_999,
      testUsedAtDayStart: 249,
      credentials: Object.fromEntries(
        Array.from({ length: 12 }, (_, n) => [
          `k${n}abcdefgh`.slice(0, 10),
          { mode: 'live' as const, state: 'active' as const, hash: 'h'.repeat(20) },
        ]),
      ),
    });
    const subscription = {
      ...item.subscription,
      state: 'scale_dunning' as const,
      paymentMethod: 'sepa' as const,
      capMicros: micros,
      peakCap: { period: 'p20261115', micros },
      next: { plan: 'starter' as const, at: NOW },
      settledAt: NOW,
      failures: Array.from({ length: 8 }, (_, n) => NOW + n),
    };
    const tenant = 'a'.repeat(40);
    expect(
      sizeOf(marshalled({ pk: `METER#${tenant}`, sk: 'METER', ...attributesOf({ ...item, subscription }) })),
    ).toBeLessThan(1_024);
  });

  /** As DynamoDB counts: names and texts in bytes, numbers by half their digits, three bytes for a map or list and one for each element. */
  function sizeOf(attributes: Record<string, object>): number {
    return Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + valueSize(value), 0);
  }
  function valueSize(value: object): number {
    const [[type, content] = ['', '']] = Object.entries(value);
    if (type === 'S') return String(content).length;
    if (type === 'N') return Math.ceil(String(content).replace(/0+$/, '').length / 2) + 1;
    if (type === 'M') return 3 + Object.keys(content).length + sizeOf(content);
    if (type === 'L') return 3 + content.length + content.reduce((sum: number, one: object) => sum + valueSize(one), 0);
    return 1;
  }
});
