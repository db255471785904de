import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changePlan } from '../../../../functions/conversions/billing/subscriptions/change-plan.ts';
import {
  type Currency,
  PAYMENT_METHODS,
  PLAN_NAMES,
  PLANS,
  type PlanName,
} from '../../../../functions/conversions/billing/subscriptions/plan.ts';
import {
  advance,
  limitsOf,
  newSubscription,
  onPlan,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const DAY = 86_400_000;
const free = (currency: Currency = 'USD') => newSubscription(currency, NOW);
const booked = (plan: PlanName, currency?: Currency) =>
  plan === 'free' ? free(currency) : onPlan(free(currency), plan, NOW);
const later = NOW + 3 * DAY;

const FLAT = { free: 0, starter: 29, growth: 99, scale: 499 } as const;
const STATE = { free: 'free', starter: 'active', growth: 'active', scale: 'scale_intro' } as const;

describe('a change of plan', () => {
  it('knows the plans of the price list', () => {
    expect(Object.entries(PLANS).map(([name, { flatMicros }]) => [name, flatMicros / 1_000_000])).toEqual(
      Object.entries(FLAT),
    );
  });

  const pairs = PLAN_NAMES.flatMap((from) => PLAN_NAMES.map((to) => [from, to] as const));

  it.each(pairs.filter(([from, to]) => FLAT[to] > FLAT[from]))(
    'up from %s to %s applies at once and costs the difference of the flat prices',
    (from, to) => {
      const before = booked(from);
      const { subscription, ...answer } = changePlan(before, { plan: to }, later);
      expect(answer).toEqual({ effective: 'now', chargeMicros: (FLAT[to] - FLAT[from]) * 1_000_000 });
      expect(subscription).toMatchObject({ plan: to, state: STATE[to] });
      expect(subscription.anchor).toBe(from === 'free' ? later : NOW);
      if (from !== 'free') expect(subscription.period).toEqual(before.period);
    },
  );

  it.each(pairs.filter(([from, to]) => FLAT[to] < FLAT[from]))(
    'down from %s to %s costs nothing and changes nothing before the end of the period',
    (from, to) => {
      const before = booked(from);
      const { subscription, ...answer } = changePlan(before, { plan: to }, later);
      expect(answer).toEqual({ effective: 'period-end', chargeMicros: 0 });
      const { next, paymentMethod: _method, ...rest } = subscription;
      expect(next).toEqual({ plan: to, at: before.period.end });
      expect(rest).toEqual(before);
      expect(limitsOf(advance(subscription, before.period.end - 1).subscription)).toEqual(limitsOf(before));
      const { subscription: after } = advance(subscription, before.period.end);
      expect(after).toMatchObject({ plan: to, state: STATE[to] });
      expect(after).not.toHaveProperty('next');
      expect(after.period.id).toBe(to === 'free' ? 'm202612' : 'p20261215');
      expect(after.anchor).toBe(to === 'free' ? undefined : NOW);
    },
  );

  it.each(PLAN_NAMES)('to the plan in force, %s, costs nothing and takes a downgrade back', (plan) => {
    const before = booked(plan);
    expect(changePlan(before, { plan }, later)).toMatchObject({ effective: 'now', chargeMicros: 0 });
    if (plan === 'free') return;
    const down = changePlan(before, { plan: 'free' }, later).subscription;
    const { subscription, ...answer } = changePlan(down, { plan }, later + DAY);
    expect(answer).toEqual({ effective: 'now', chargeMicros: 0 });
    const { paymentMethod: _method, ...rest } = subscription;
    expect(rest).toEqual(before);
  });

  it('up cancels a downgrade, and is charged against the plan in force', () => {
    const down = changePlan(booked('growth'), { plan: 'starter' }, later).subscription;
    const { subscription, chargeMicros } = changePlan(down, { plan: 'scale' }, later);
    expect(chargeMicros).toBe(400_000_000);
    expect(subscription).not.toHaveProperty('next');
  });

  it('down again to a third plan keeps the time of the first downgrade', () => {
    const down = changePlan(booked('growth'), { plan: 'starter' }, later).subscription;
    expect(changePlan(down, { plan: 'free' }, later + DAY).subscription.next).toEqual({
      plan: 'free',
      at: down.period.end,
    });
  });

  it('charges in all what the last plan costs, whatever the way and the days (I13)', () => {
    const day = fc.integer({ min: 0, max: 29 * DAY });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...PLAN_NAMES), day)), (steps) => {
        const inOrder = steps.toSorted(([, a], [, b]) => a - b);
        let [current, charged] = [booked('free'), 0];
        for (const [plan, offset] of inOrder) {
          const { subscription, chargeMicros } = changePlan(current, { plan }, NOW + offset);
          current = subscription;
          charged += chargeMicros;
        }
        const highest = Math.max(0, ...steps.map(([plan]) => FLAT[plan]));
        // Within a period nobody comes down, so the plan in force is the highest one.
        expect(charged).toBe(highest * 1_000_000);
        expect(FLAT[current.plan]).toBe(highest);
      }),
    );
  });
});

describe('the method of payment', () => {
  const DEBIT = { USD: 'ach', EUR: 'sepa', GBP: 'bacs' } as const;
  const cases = (['USD', 'EUR', 'GBP'] as const).flatMap((currency) =>
    PAYMENT_METHODS.map((method) => [method, currency] as const),
  );

  it.each(cases)('%s in %s is taken on Scale only if it is the debit of the currency', (paymentMethod, currency) => {
    const change = () => changePlan(booked('growth', currency), { plan: 'scale', paymentMethod }, later);
    if (paymentMethod === DEBIT[currency]) expect(change().subscription.paymentMethod).toBe(paymentMethod);
    else expect(change).toThrow(expect.objectContaining({ status: 422, code: 'payment-method-not-allowed' }));
  });

  it.each(cases)('%s in %s is taken on other plans if it is a card or that debit', (paymentMethod, currency) => {
    const change = () => changePlan(booked('free', currency), { plan: 'starter', paymentMethod }, later);
    if (paymentMethod === 'card' || paymentMethod === DEBIT[currency])
      expect(change().subscription.paymentMethod).toBe(paymentMethod);
    else expect(change).toThrow(expect.objectContaining({ status: 422, code: 'payment-method-not-allowed' }));
  });

  it.each(['USD', 'EUR', 'GBP'] as const)('on Scale is the debit of %s where none is stated or stored', (currency) => {
    expect(changePlan(booked('free', currency), { plan: 'scale' }, later).subscription.paymentMethod).toBe(
      DEBIT[currency],
    );
  });

  it('that is stored stays where none is stated, and a stored card keeps Scale closed', () => {
    const starter = changePlan(booked('free'), { plan: 'starter', paymentMethod: 'card' }, NOW).subscription;
    const growth = changePlan(starter, { plan: 'growth' }, later).subscription;
    expect(growth.paymentMethod).toBe('card');
    expect(() => changePlan(growth, { plan: 'scale' }, later)).toThrow(
      expect.objectContaining({ status: 422, code: 'payment-method-not-allowed' }),
    );
    expect(changePlan(growth, { plan: 'scale', paymentMethod: 'ach' }, later).subscription.paymentMethod).toBe('ach');
  });

  it('becomes no card by a downgrade, as long as Scale is in force', () => {
    const scale = changePlan(booked('free'), { plan: 'scale' }, NOW).subscription;
    for (const plan of ['free', 'starter', 'growth', 'scale'] as const) {
      expect(() => changePlan(scale, { plan, paymentMethod: 'card' }, later)).toThrow(
        expect.objectContaining({ status: 422, code: 'payment-method-not-allowed' }),
      );
    }
    const down = changePlan(scale, { plan: 'growth' }, later).subscription;
    const growth = advance(down, down.period.end).subscription;
    expect(
      changePlan(growth, { plan: 'growth', paymentMethod: 'card' }, growth.period.start).subscription,
    ).toMatchObject({ plan: 'growth', paymentMethod: 'card' });
  });
});
