import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import {
  advancedAccount,
  readAccount,
} from '../../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { endedDays } from '../../../../functions/conversions/billing/balances/day-items.dynamodb.ts';
import { dateOf, openDay, type UsedDay } from '../../../../functions/conversions/billing/balances/days.ts';
import { recordLateUsage } from '../../../../functions/conversions/billing/late-usage/record-late-usage.dynamodb.ts';
import type { Admission } from '../../../../functions/conversions/billing/metering/admission.ts';
import { applyPaymentEvent, setPlan } from '../../../../functions/conversions/billing/plans/plan-store.dynamodb.ts';
import { PLAN_NAMES } from '../../../../functions/conversions/billing/subscriptions/plan.ts';
import { usedDays } from '../../../../functions/conversions/usage/used-days.dynamodb.ts';
import { newId } from '../../../../shared/ids.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { BOOKED_AT, booked, duringTraffic, itemsOf } from '../../../support/conversions/booked-accounts.ts';
import { account, callerOf, NOW, patientTable, put, stored } from '../../../support/conversions/meter-accounts.ts';
import { burst, countOf, functionsOn, StandingClock } from '../../../support/conversions/metering-functions.ts';
import { withMiddleware } from '../../../support/faults/mortal-clients.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

const RUNS = isThorough ? 60 : 6;
const DAY = 86_400_000;
let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await patientTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const itemOf = async (tenant: string): Promise<Account> => (await readAccount(table, tenant))!;
const liveOf = (item: Account) =>
  Object.entries(item).reduce((sum, [name, count]) => sum + (name.startsWith('q_') ? Number(count) : 0), 0);

/** The days with use, as they are shown. */
async function busyDays(tenant: string, from: number, to: number): Promise<UsedDay[]> {
  const range = { from: dateOf(from), to: dateOf(to) };
  const { days } = await usedDays(table, tenant, await itemOf(tenant), range);
  return days.filter(({ live, test }) => live !== 0 || test !== 0);
}

/** What a test counts by itself, by day. */
class Tally {
  readonly days = new Map<string, UsedDay>();
  add(date: string, mode: 'live' | 'test', amount: number) {
    const before = this.days.get(date) ?? { date, live: 0, test: 0 };
    this.days.set(date, { ...before, [mode]: before[mode] + amount });
  }
  get used(): UsedDay[] {
    return [...this.days.values()]
      .filter(({ live, test }) => live !== 0 || test !== 0)
      .toSorted((a, b) => (a.date < b.date ? -1 : 1));
  }
}

const WAITS = [0, 0, 0, 3_600_000, 9 * 3_600_000, DAY, 3 * DAY, 33 * DAY];
const action = fc.record({
  kind: fc.constantFrom('live', 'live', 'live', 'test', 'refund', 'late', 'late back', 'plan', 'payment'),
  wait: fc.constantFrom(...WAITS),
  pick: fc.nat({ max: 1_000 }),
});
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** An account through requests, refunds, late usage, plans and payments, and what it must have used by days. */
async function lived(actions: readonly Action[]) {
  const tenant = await stored(table, account('free'));
  const clock = new StandingClock();
  const functions = functionsOn(table, clock, [0, 0]);
  const tally = new Tally();
  const taken: { admission: Admission; mode: 'live' | 'test' }[] = [];
  /** The day of the last request or step: what comes after it and before another one belongs to it. */
  let counting = dateOf(clock.now / 1_000);
  for (const { kind, wait, pick } of actions) {
    // Long enough for a token.
    clock.now += (wait + 10_000) * 1_000;
    const now = clock.now / 1_000;
    const before = await itemOf(tenant);
    if (kind === 'live' || kind === 'test') {
      const spend = { caller: callerOf(tenant, kind === 'live' ? 'live1' : 'test1'), counts: true };
      const admission = await functions[pick % 2]!.admit(spend);
      expect(admission.kind).toBe('admitted');
      taken.push({ admission, mode: kind });
      counting = dateOf(now);
      tally.add(counting, kind, 1);
    } else if (kind === 'refund') {
      const [one] = taken.splice(pick % Math.max(1, taken.length), 1);
      if (one && (await functions[0]!.refund(one.admission))) tally.add(counting, one.mode, -1);
    } else if (kind === 'late' || kind === 'late back') {
      const amount = kind === 'late' ? 1 : -1;
      const mode = pick % 3 === 0 ? 'test' : 'live';
      await recordLateUsage(table, { id: newId('req'), tenant, mode, at: now - (pick % 7) * DAY, amount }, now);
      const after = await itemOf(tenant);
      tally.add(counting, 'live', liveOf(after) - liveOf(before));
      tally.add(counting, 'test', after.testUsed - before.testUsed);
    } else {
      if (kind === 'plan') await setPlan(table, tenant, { plan: PLAN_NAMES[pick % 4]! }, now);
      else {
        const event = {
          id: newId('e'),
          payment: `p${pick % 3}`,
          kind: pick % 2 ? 'settled' : 'failed',
          at: now,
        } as const;
        await applyPaymentEvent(table, tenant, event, now);
      }
      counting = dateOf(now);
    }
  }
  return {
    days: await busyDays(tenant, NOW / 1_000, clock.now / 1_000),
    expected: tally.used,
    item: await itemOf(tenant),
  };
}

describe('the days of an account', () => {
  it('have what was used on each, whatever requests, refunds, periods and plans come in whatever order', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30 }), async (actions) => {
        const { days, expected, item } = await lived(actions);
        expect(days).toEqual(expected);
        expect(days.reduce((sum, { live }) => sum + live, 0)).toBe(item.liveTotal ?? 0);
        expect(days.reduce((sum, { test }) => sum + test, 0)).toBe(item.testUsed);
        ended += days.length;
      }),
      { numRuns: RUNS },
    );
    expect(ended).toBeGreaterThan(RUNS);
  });

  it('have every conversion once, though many functions with clocks of their own meet the end of the day', async () => {
    const midnight = NOW + DAY * 1_000;
    const tenant = await stored(table, account('scale', { tokenMicros: 5_000, burst: 400, hardLimit: 1e9 }));
    const clock = new StandingClock();
    const functions = functionsOn(table, clock, [-2_000, -1_000, 0, 500, 1_000, 2_000]);
    const given: Admission[] = [];
    let counted = 0;
    for (const at of [-10_000, -2_500, -1_500, -500, 0, 500, 1_500, 2_500, 10_000]) {
      clock.now = midnight + at;
      const back = given.pop();
      const [admissions, isBack] = await Promise.all([
        burst(functions, 30, (call) => ({ caller: callerOf(tenant, call % 3 ? 'live1' : 'test1'), counts: true })),
        back && functions[0]!.refund(back),
      ]);
      given.push(...admissions.filter(({ kind }) => kind === 'admitted'));
      counted += countOf(admissions, 'admitted') - (isBack ? 1 : 0);
    }
    expect(counted).toBeGreaterThan(50);
    const item = await itemOf(tenant);
    expect([item.liveTotal! + item.testUsed, item.liveTotal]).toEqual([counted, liveOf(item)]);
    const days = await busyDays(tenant, NOW / 1_000, midnight / 1_000);
    expect(days).toHaveLength(2);
    expect(days[0]!.live + days[1]!.live).toBe(item.liveTotal);
    expect(days[0]!.test + days[1]!.test).toBe(item.testUsed);
  });

  it.each(['live1', 'test1'] as const)('do not end on what was read before one more request of %s', async (key) => {
    const tenant = await stored(table, account('growth', { liveTotal: 5, testUsed: 5 }));
    const clock = new StandingClock();
    const [one] = functionsOn(table, clock, [0]);
    const read = await itemOf(tenant);
    const tomorrow = NOW / 1_000 + DAY;
    expect((await one!.admit({ caller: callerOf(tenant, key), counts: true })).kind).toBe('admitted');
    expect(await advancedAccount(table, tenant, read, tomorrow)).toBeUndefined();
    expect(await itemsOf(table, 'USAGE#', tenant)).toEqual([]);
    expect(await advancedAccount(table, tenant, await itemOf(tenant), tomorrow)).toBeDefined();
    const [day] = await busyDays(tenant, NOW / 1_000, tomorrow);
    expect(day).toMatchObject(key === 'live1' ? { live: 6, test: 5 } : { live: 5, test: 6 });
  });

  it('are exact though a clock that is ahead changes the plan of a busy account on the next day', async () => {
    const tenant = await booked(table, 'starter');
    const tomorrow = BOOKED_AT + DAY;
    const admitted = await duringTraffic(table, tenant, { clients: 6, now: BOOKED_AT }, async () => {
      await setPlan(table, tenant, { plan: 'growth' }, tomorrow);
    });
    const days = await busyDays(tenant, BOOKED_AT, tomorrow);
    expect(days.reduce((sum, { live }) => sum + live, 0)).toBe(admitted);
    expect((await itemOf(tenant)).subscription.plan).toBe('growth');
  });

  it('begin, for an account from before days were counted, with its next step', async () => {
    const {
      liveTotal: _,
      liveTotalAtDayStart: __,
      testUsedAtDayStart: ___,
      ...old
    } = account('growth', { testUsed: 40, validUntil: NOW + 5 * DAY * 1_000 });
    const tenant = await stored(table, { ...old, [`q_${old.periodId}`]: 700 });
    const clock = new StandingClock();
    const [one] = functionsOn(table, clock, [0]);
    const call = () => one!.admit({ caller: callerOf(tenant), counts: true });
    await call();
    expect(openDay(await itemOf(tenant))).toBeUndefined();
    expect(await busyDays(tenant, NOW / 1_000, NOW / 1_000 + 9 * DAY)).toEqual([]);
    clock.now = NOW + 5 * DAY * 1_000;
    await call();
    clock.now += DAY * 1_000;
    await call();
    await call();
    const sixth = dateOf(NOW / 1_000 + 6 * DAY);
    expect(await busyDays(tenant, NOW / 1_000, NOW / 1_000 + 9 * DAY)).toEqual([
      { date: dateOf(NOW / 1_000 + 5 * DAY), live: 1, test: 0 },
      { date: sixth, live: 2, test: 0 },
    ]);
  });

  it('without use have no item, and items last for 400 days', async () => {
    const tenant = await stored(table, account('growth'));
    const now = (days: number) => NOW / 1_000 + days * DAY;
    await advancedAccount(table, tenant, await itemOf(tenant), now(1));
    await put(table, tenant, { ...(await itemOf(tenant)), testUsed: 3 });
    await advancedAccount(table, tenant, await itemOf(tenant), now(4));
    const items = await itemsOf(table, 'USAGE#', tenant);
    expect(items).toEqual([
      expect.objectContaining({ sk: `DAY#${dateOf(now(1))}`, live: 0, test: 3, ttl: Math.floor(now(2 + 400) / 1_000) }),
    ]);
    const range = { from: dateOf(now(0)), to: dateOf(now(1)) };
    expect(await endedDays(table, tenant, range)).toEqual([{ date: dateOf(now(1)), live: 0, test: 3 }]);
    expect(await endedDays(table, tenant, { ...range, to: range.from })).toEqual([]);
  });
});

describe('the first request of a day', () => {
  it('costs one refused write and one transaction more than any other', async () => {
    const calls: string[] = [];
    const counting =
      (next: (args: unknown) => Promise<unknown>, { commandName }: { commandName: string }) =>
      (args: unknown) => {
        calls.push(commandName);
        return next(args);
      };
    const counted = { name: table.name, client: withMiddleware(table.client, 'counting', counting) };
    const tenant = await stored(table, account('growth'));
    const clock = new StandingClock();
    const [one] = functionsOn(counted, clock, [0]);
    const call = async () => {
      calls.length = 0;
      await one!.admit({ caller: callerOf(tenant), counts: true });
      return calls.map((name) => name.replace('Command', ''));
    };
    await call();
    clock.now += 3_600_000_000;
    expect(await call()).toEqual(['UpdateItem']);
    clock.now += DAY * 1_000;
    expect(await call()).toEqual(['UpdateItem', 'TransactWriteItems', 'UpdateItem']);
    clock.now += 3_600_000_000;
    expect(await call()).toEqual(['UpdateItem']);
  });
});
