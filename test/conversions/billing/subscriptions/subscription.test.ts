import { describe, expect, it } from 'vitest';
import {
  advance,
  newSubscription,
  onPlan,
  periodAt,
  STATES,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';
import { search } from './subscription-search.ts';

const at = (time: string) => Date.parse(time);
const START = at('2026-11-15T10:30:00.000Z');

describe('a subscription', () => {
  const events = isThorough ? 5 : 4;
  it(`breaks no rule in any order of ${events} events, and reaches every state`, () => {
    const result = search(events);
    expect(result.violations.slice(0, 5)).toEqual([]);
    expect([...result.states].toSorted()).toEqual(STATES.toSorted());
    expect(result.nodes).toBeGreaterThan(isThorough ? 20_000 : 2_000);
  });

  it('over months in which nobody looked ends every period on the plan of that time', () => {
    const growth = onPlan(newSubscription('USD', START), 'growth', START);
    const down = { ...growth, next: { plan: 'starter' as const, at: growth.period.end } };
    const { subscription, closed } = advance(down, at('2027-02-20T00:00:00Z'));
    expect(closed.map(({ period, plan, nextFlat }) => [period.id, plan, nextFlat?.plan, nextFlat?.micros])).toEqual([
      ['p20261115', 'growth', 'starter', 29_000_000],
      ['p20261215', 'starter', 'starter', 29_000_000],
      ['p20270115', 'starter', 'starter', 29_000_000],
    ]);
    expect(subscription).toMatchObject({ plan: 'starter', period: { id: 'p20270215' } });
  });
});

describe('the period that counts a time', () => {
  const free = newSubscription('USD', START);
  const starter = onPlan(free, 'starter', START);

  it.each([
    ['now', '2026-11-16T00:00:00Z', 'p20261115'],
    ['before the account was paid: the usage of Free was carried over', '2026-11-10T00:00:00Z', 'p20261115'],
    ['after the end that nobody has applied yet', '2026-12-15T10:30:00.000Z', 'p20261215'],
  ])('%s', (_when, time, id) => {
    expect(periodAt(starter, at(time)).id).toBe(id);
  });

  it('is the earlier one of a request that comes late', () => {
    const { subscription } = advance(starter, at('2026-12-16T00:00:00Z'));
    expect(periodAt(subscription, at('2026-12-15T10:29:59.999Z')).id).toBe('p20261115');
    expect(periodAt(subscription, at('2026-12-15T10:30:00.000Z')).id).toBe('p20261215');
    expect(periodAt(free, at('2026-10-31T23:59:59.999Z')).id).toBe('m202610');
  });

  it('is that of the plan after a downgrade that nobody has applied yet', () => {
    const down = { ...starter, next: { plan: 'free' as const, at: starter.period.end } };
    expect(periodAt(down, starter.period.end - 1).id).toBe('p20261115');
    expect(periodAt(down, starter.period.end).id).toBe('m202612');
  });
});
