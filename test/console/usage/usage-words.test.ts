import { describe, expect, it } from 'vitest';
import {
  capBodyOf,
  capFieldsOf,
  capText,
  PAYMENT_METHODS,
  shareText,
  stateText,
} from '../../../functions/console/usage/usage-words.ts';
import { StatedCap } from '../../../functions/conversions/billing/plans/manage-plan.ts';
import { PAYMENT_METHODS as METHODS } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import { STATES } from '../../../functions/conversions/billing/subscriptions/subscription.ts';

describe('the cap on overage', () => {
  it.each([{ mode: 'none' }, { mode: 'hard-stop' }, { amount: '75.00' }])('%j is sent as it was read', (cap) => {
    expect(capBodyOf(capFieldsOf(cap))).toEqual(cap);
    expect(StatedCap.safeParse(capBodyOf(capFieldsOf(cap))).success).toBe(true);
  });

  it('is told in words', () => {
    expect(capText({ mode: 'hard-stop' }, 'USD')).toBe('Stop at the included amount');
    expect(capText({ amount: '75.00' }, 'EUR')).toBe('75.00 EUR');
    expect(capText({ mode: 'later' }, 'EUR')).toBe('later');
  });
});

it('a share is whole only when all is used', () => {
  expect(shareText(49_999, 50_000)).toBe('49,999 of 50,000 used, 99%');
  expect(shareText(50_000, 50_000)).toBe('50,000 of 50,000 used, 100%');
  expect(shareText(0, 0)).toBe('0 of 0 used');
});

it('every state and payment method has words', () => {
  for (const state of STATES) expect(stateText(state), state).not.toBe(state);
  expect(stateText('constructor')).toBe('constructor');
  expect(PAYMENT_METHODS.map(([value]) => value)).toEqual(METHODS);
});
