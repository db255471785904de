import { describe, expect, it } from 'vitest';
import { differencesOf, offerOf, PLANS } from '../../../functions/console/usage/plan-change.ts';
import { PLAN_NAMES } from '../../../functions/conversions/billing/subscriptions/plan.ts';

const change = (stated: object = {}) => ({
  effective: 'period-end',
  at: '2026-12-23T07:00:00.000Z',
  charge: { amount: '0.00', currency: 'USD' },
  version: 'v1',
  ...stated,
});

describe('a change of plan that was refused because the account has changed', () => {
  it('tells a charge and a date that are no longer what was confirmed', () => {
    const offer = offerOf(change());
    expect(differencesOf(offer, change({ version: 'v2' }))).toEqual([]);
    expect(differencesOf(offer, change({ at: '2027-01-23T07:00:00.000Z' }))).toEqual([
      'The change applies on 2027-01-23; it was 2026-12-23.',
    ]);
    const upgrade = change({
      effective: 'now',
      at: '2026-11-22T00:00:00.000Z',
      charge: { amount: '70.00', currency: 'USD' },
    });
    expect(differencesOf(offer, upgrade)).toEqual([
      'The charge is 70.00 USD; it was 0.00 USD.',
      'The change applies at once.',
    ]);
  });

  it('does not take the passing of time for a change', () => {
    const offer = offerOf(change({ effective: 'now', at: '2026-11-22T00:00:00.000Z' }));
    expect(differencesOf(offer, change({ effective: 'now', at: '2026-11-22T00:00:05.000Z' }))).toEqual([]);
  });
});

it('every plan can be chosen', () => {
  expect(PLANS).toEqual(PLAN_NAMES);
});
