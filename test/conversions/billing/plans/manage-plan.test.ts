import { describe, expect, it } from 'vitest';
import { newAccount } from '../../../../functions/conversions/billing/balances/account-changes.ts';
import {
  presentCap,
  presentPlan,
  previewChange,
  StatedCap,
  StatedPayment,
  StatedPlan,
} from '../../../../functions/conversions/billing/plans/manage-plan.ts';
import {
  newSubscription,
  onPlan,
  withCap,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

describe('the input of a tenant', () => {
  it.each([
    [{ amount: '25.00' }, 25_000_000],
    [{ amount: '0' }, 0],
    [{ amount: '0.000001' }, 1],
    [{ mode: 'hard-stop' }, 0],
    [{ mode: 'none' }, undefined],
  ])('as a cap, %j, is read', (body, capMicros) => {
    expect(StatedCap.parse(body)).toEqual({ capMicros });
  });

  it.each([
    {},
    { amount: 25 },
    { amount: '-1' },
    { amount: '1e3' },
    { amount: '' },
    { mode: 'soft' },
    { amount: '25.00', mode: 'none' },
    { amount: '25.00', currency: 'USD' },
    null,
  ])('as a cap, %j, is refused', (body) => {
    expect(StatedCap.safeParse(body).success).toBe(false);
  });

  it.each([{ plan: 'scale' }, { plan: 'free', paymentMethod: 'card' }])('as a plan, %j, is read', (body) => {
    expect(StatedPlan.parse(body)).toEqual(body);
  });

  it.each([
    {},
    { plan: 'Scale' },
    { plan: 'toString' },
    { plan: 'scale', paymentMethod: 'cash' },
    { plan: 'free', x: 1 },
  ])('as a plan, %j, is refused', (body) => {
    expect(StatedPlan.safeParse(body).success).toBe(false);
  });

  it.each([
    [{ id: 'e', payment: 'p', kind: 'settled' }, true],
    [{ id: 'e', payment: 'p', kind: 'failed', time: '2026-11-15T10:30:00+01:00' }, true],
    [{ id: '', payment: 'p', kind: 'settled' }, false],
    [{ id: 'e', payment: ' ', kind: 'settled' }, false],
    [{ id: 'e'.repeat(101), payment: 'p', kind: 'settled' }, false],
    [{ id: 'e', payment: 'p', kind: 'refunded' }, false],
    [{ id: 'e', payment: 'p', kind: 'settled', time: 'yesterday' }, false],
    [{ id: 'e', payment: 'p', kind: 'settled', tenant: 'other' }, false],
  ])('as a payment event, %j, is taken: %s', (body, isTaken) => {
    expect(StatedPayment.safeParse(body).success).toBe(isTaken);
  });
});

describe('the plan that a tenant sees', () => {
  const growth = () => withCap(onPlan(newSubscription('GBP', NOW), 'growth', NOW), 25_500_000);

  it('is the plan with its period, a downgrade, the cap and the method', () => {
    const item = newAccount({
      ...growth(),
      next: { plan: 'starter', at: Date.parse('2026-12-15T10:30:00.000Z') },
      paymentMethod: 'bacs',
    });
    expect(presentPlan(item, NOW)).toEqual({
      plan: 'growth',
      state: 'active',
      currency: 'GBP',
      periodStart: '2026-11-15T10:30:00.000Z',
      periodEnd: '2026-12-15T10:30:00.000Z',
      next: { plan: 'starter', at: '2026-12-15T10:30:00.000Z' },
      spendCap: { amount: '25.50' },
      paymentMethod: 'bacs',
    });
  });

  it('is the plan of the present, though no request has written it yet', () => {
    const end = Date.parse('2026-12-15T10:30:00.000Z');
    const item = newAccount({ ...growth(), next: { plan: 'free', at: end } });
    expect(presentPlan(item, end - 1)).toMatchObject({ plan: 'growth' });
    const after = presentPlan(item, end);
    expect(after).toMatchObject({ plan: 'free', state: 'free', periodEnd: '2027-01-01T00:00:00.000Z' });
    expect(after).not.toHaveProperty('next');
  });

  it('is what a change would do: an upgrade now, for the difference', () => {
    const item = newAccount(growth());
    expect(previewChange(item, { plan: 'scale', paymentMethod: 'bacs' }, NOW + 5)).toEqual({
      effective: 'now',
      at: '2026-11-15T10:30:00.005Z',
      charge: { amount: '400.00', currency: 'GBP' },
      version: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(() => previewChange(item, { plan: 'scale', paymentMethod: 'card' }, NOW)).toThrow(
      expect.objectContaining({ code: 'payment-method-not-allowed' }),
    );
  });

  it('is what a change would do: a downgrade at the end of the period that is under way by then', () => {
    const item = newAccount(growth());
    const month = { effective: 'period-end', charge: { amount: '0.00', currency: 'GBP' } };
    expect(previewChange(item, { plan: 'free' }, NOW)).toMatchObject({ ...month, at: '2026-12-15T10:30:00.000Z' });
    const later = Date.parse('2026-12-20T00:00:00.000Z');
    expect(previewChange(item, { plan: 'free' }, later)).toMatchObject({ ...month, at: '2027-01-15T10:30:00.000Z' });
  });

  it.each([
    [undefined, { mode: 'none' }],
    [0, { mode: 'hard-stop' }],
    [1, { amount: '0.000001' }],
  ])('is a cap of %s micro-units as %j', (micros, view) => {
    expect(presentCap(micros)).toEqual(view);
  });
});
