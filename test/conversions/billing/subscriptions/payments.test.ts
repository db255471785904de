import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changePlan } from '../../../../functions/conversions/billing/subscriptions/change-plan.ts';
import {
  afterEvent,
  afterPayment,
  type PaymentEvent,
} from '../../../../functions/conversions/billing/subscriptions/payments.ts';
import {
  advance,
  limitsOf,
  newSubscription,
  onPlan,
  type Payment,
  type Subscription,
  validUntil,
} from '../../../../functions/conversions/billing/subscriptions/subscription.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const DAY = 86_400_000;
const day = (days: number) => NOW + days * DAY;

/** An account that hears of payments, each event once. */
class Hearing {
  subscription: Subscription;
  private readonly payments = new Map<string, Payment>();
  private readonly heard = new Set<string>();

  constructor(subscription: Subscription) {
    this.subscription = subscription;
  }

  hear(event: PaymentEvent, now: number): this {
    this.at(now);
    if (this.heard.has(event.id)) return this;
    this.heard.add(event.id);
    const payment = afterEvent(this.payments.get(event.payment), event);
    this.payments.set(event.payment, payment);
    this.subscription = afterPayment(this.subscription, { event, payment }, now);
    return this;
  }

  at(now: number): this {
    this.subscription = advance(this.subscription, now).subscription;
    return this;
  }

  /** Of a payment of its own, at the time at which it arrives. */
  settled(days: number, payment = `s${days}`): this {
    return this.hear({ id: `settled ${payment} ${days}`, payment, kind: 'settled', at: day(days) }, day(days));
  }

  failed(days: number, payment = `f${days}`): this {
    return this.hear({ id: `failed ${payment} ${days}`, payment, kind: 'failed', at: day(days) }, day(days));
  }

  get state() {
    return this.subscription.state;
  }
}

const scale = () => new Hearing(onPlan(newSubscription('USD', NOW), 'scale', NOW));
const full = () => scale().settled(3);
const dunning = () => full().failed(5);
const blocked = () => scale().failed(3);
/** Scale was paid at some time, left, and is booked anew. */
const introAgain = () => {
  const left = changePlan(full().subscription, { plan: 'growth' }, day(4)).subscription;
  const growth = advance(left, left.period.end).subscription;
  return new Hearing(onPlan(growth, 'scale', growth.period.start));
};
const growth = () => new Hearing(onPlan(newSubscription('USD', NOW), 'growth', NOW));
const free = () => new Hearing(newSubscription('USD', NOW));

describe('states of payment', () => {
  it.each([
    ['free', free, { settled: 'free', failed: 'free', later: 'free' }],
    ['active', growth, { settled: 'active', failed: 'active', later: 'active' }],
    ['scale_intro', scale, { settled: 'scale_full', failed: 'scale_blocked', later: 'scale_intro' }],
    ['scale_intro', introAgain, { settled: 'scale_full', failed: 'scale_intro', later: 'scale_intro' }],
    ['scale_full', full, { settled: 'scale_full', failed: 'scale_dunning', later: 'scale_full' }],
    ['scale_dunning', dunning, { settled: 'scale_full', failed: 'scale_dunning', later: 'scale_blocked' }],
    ['scale_blocked', blocked, { settled: 'scale_full', failed: 'scale_blocked', later: 'scale_blocked' }],
  ] as const)('of %s follow from what the provider says (%#)', (state, account, after) => {
    const from = account === introAgain ? 30 : 0;
    expect(account().state).toBe(state);
    expect(account().settled(from + 10).state).toBe(after.settled);
    expect(account().failed(from + 10).state).toBe(after.failed);
    expect(account().at(day(from + 60)).state).toBe(after.later);
  });

  it.each([
    ['scale_full', full],
    ['scale_dunning', dunning],
    ['scale_blocked', blocked],
  ] as const)('are kept by choosing Scale again: %s', (state, account) => {
    const before = { ...account().subscription, paymentMethod: 'ach' as const };
    expect(before.state).toBe(state);
    expect(changePlan(before, { plan: 'scale' }, day(6))).toEqual({
      subscription: before,
      effective: 'now',
      chargeMicros: 0,
    });
  });

  it('that block an account let a downgrade wait for the end of the paid period that it would be in', () => {
    const account = blocked();
    account.subscription = changePlan(account.subscription, { plan: 'starter' }, day(6)).subscription;
    const end = Date.parse('2026-12-15T10:30:00.000Z');
    expect(account.subscription.next).toEqual({ plan: 'starter', at: end });
    expect(account.at(end - 1).state).toBe('scale_blocked');
    expect(account.at(end).subscription).toMatchObject({ plan: 'starter', state: 'active', period: { start: end } });
  });

  it('of a first payment that fails on Scale booked anew leave two weeks of the introductory limits', () => {
    const account = introAgain();
    const from = (account.subscription.period.start - NOW) / DAY;
    account.failed(from + 1);
    expect(account.at(day(from + 15) - 1).state).toBe('scale_intro');
    expect(account.at(day(from + 15)).state).toBe('scale_blocked');
  });

  it('leave two weeks of full limits after a failure, to the millisecond', () => {
    const account = dunning();
    expect(validUntil(account.subscription)).toBe(day(19));
    expect(account.at(day(19) - 1).state).toBe('scale_dunning');
    expect(account.at(day(19)).state).toBe('scale_blocked');
  });

  it('are not won back by further failures: patience is counted from the first one', () => {
    const account = dunning().failed(18);
    expect(account.state).toBe('scale_dunning');
    expect(account.at(day(19)).state).toBe('scale_blocked');
    expect(account.failed(20).state).toBe('scale_blocked');
    expect(account.failed(40).state).toBe('scale_blocked');
    expect(account.settled(41).state).toBe('scale_full');
    expect(account.failed(42).state).toBe('scale_dunning');
    expect(account.at(day(56)).state).toBe('scale_blocked');
  });

  it('ignore a failure of a payment that has settled', () => {
    const account = scale().settled(3, 'one').failed(4, 'one');
    expect(account.state).toBe('scale_full');
  });

  it('take a failure that is heard after two weeks as one of which patience is over', () => {
    const account = full().hear({ id: 'late', payment: 'x', kind: 'failed', at: day(5) }, day(19));
    expect(account.state).toBe('scale_blocked');
    const early = full().hear({ id: 'late', payment: 'x', kind: 'failed', at: day(5) }, day(19) - 1);
    expect(early.state).toBe('scale_dunning');
  });

  it('keep few failures of very many, the first among them', () => {
    const account = full();
    for (let n = 4; n < 40; n += 1) account.failed(n);
    expect(account.subscription.failures).toHaveLength(8);
    expect(account.subscription.failures[0]).toBe(day(4));
    expect(account.subscription.failures.at(-1)).toBe(day(39));
    expect(account.settled(38.5).state).toBe('scale_dunning');
    expect(account.settled(41).subscription.failures).toEqual([]);
  });
});

describe('limits', () => {
  const rate = ({ subscription }: Hearing) => {
    const { tokenMicros, burst, included, hardLimit } = limitsOf(subscription);
    return [1_000_000 / tokenMicros, burst, included, hardLimit];
  };
  const NONE = 9_000_000_000_000_000;

  it.each([
    ['Free', free, [5, 10, 1_000, 1_000]],
    ['Growth', growth, [50, 100, 50_000, NONE]],
    ['Scale before it is paid: Growth', scale, [50, 100, 50_000, NONE]],
    ['Scale', full, [200, 400, 500_000, NONE]],
    ['Scale in dunning', dunning, [200, 400, 500_000, NONE]],
    ['Scale after failed payments: Free', blocked, [5, 10, 1_000, 1_000]],
  ] as const)('are those of %s', (_plan, account, expected) => {
    expect(rate(account())).toEqual(expected);
  });

  it('of a blocked account count a UTC month of its own, from zero, and the paid period goes on after a settlement', () => {
    const account = scale();
    const { period } = account.subscription;
    expect(account.failed(3).subscription.period.id).toBe('b202611');
    expect(account.at(Date.UTC(2026, 11, 2)).subscription.period.id).toBe('b202612');
    expect(account.settled(20).subscription.period).toEqual(period);
  });
});

describe('events of payments', () => {
  const event = fc.record({
    payment: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom('settled' as const, 'failed' as const),
    at: fc.integer({ min: 0, max: 40 }).map(day),
  });
  const moments = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 24, maxLength: 24 });
  const starts = fc.constantFrom(scale, full, introAgain);

  function* orders<T>(things: readonly T[]): Generator<T[]> {
    if (things.length === 0) yield [];
    for (const [index, one] of things.entries())
      for (const rest of orders(things.toSpliced(index, 1))) yield [one, ...rest];
  }

  it('in every order, repeated, and with time passing in between, end in one state (I16)', () => {
    fc.assert(
      fc.property(starts, fc.array(event, { maxLength: 4 }), moments, (start, payments, random) => {
        const events = payments.map((one, index) => ({ ...one, id: `e${index}` }));
        const end = day(90);
        const ends = [...orders(events)].map((order, turn) => {
          const account = start();
          const from = account.subscription.period.start;
          // Each comes once more, at the end or at once; in between the account sometimes moves on.
          const arriving = turn % 2 === 0 ? [...order, ...order] : order.flatMap((one) => [one, one]);
          const times = arriving
            .map((_, index) => from + (random[(index + turn) % random.length] ?? 0) * DAY)
            .toSorted((a, b) => a - b);
          for (const [index, one] of arriving.entries()) {
            account.hear(one, times[index] ?? from);
            if ((random[(index * 7 + turn) % random.length] ?? 0) % 3 === 0) account.at(times[index + 1] ?? from);
          }
          return account.at(end).subscription;
        });
        for (const one of ends) expect(one).toEqual(ends[0]);
      }),
      { numRuns: 150 },
    );
  });

  it('end in what the last settlement and the first failure after it say', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), (events) => {
        const account = scale();
        for (const [index, one] of events.entries()) account.hear({ ...one, id: `e${index}` }, day(45));
        const ofPayment = (name: string) => events.filter(({ payment }) => payment === name);
        const paid = ['a', 'b', 'c']
          .map(ofPayment)
          .filter((own) => own.some(({ kind }) => kind === 'settled'))
          .map((own) => Math.max(...own.map(({ at }) => at)));
        const settledAt = Math.max(...paid);
        const failedAt = Math.min(
          ...events.filter(({ kind, at }) => kind === 'failed' && at > settledAt).map(({ at }) => at),
        );
        const isPaid = paid.length > 0;
        const expected = () => {
          if (failedAt === Number.POSITIVE_INFINITY) return isPaid ? 'scale_full' : 'scale_intro';
          return isPaid && failedAt + 14 * DAY > day(45) ? 'scale_dunning' : 'scale_blocked';
        };
        expect(account.state).toBe(expected());
      }),
      { numRuns: 500 },
    );
  });
});
