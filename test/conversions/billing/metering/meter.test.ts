import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Account, quotaOf } from '../../../../functions/conversions/billing/balances/account.ts';
import type { Admission } from '../../../../functions/conversions/billing/metering/admission.ts';
import { account, NOW, SECOND, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { excessOf, Traffic } from '../../../support/conversions/metered-traffic.ts';
import { type Guessing, MeteringFunction } from '../../../support/conversions/metering-functions.ts';
import { MemoryMeter } from '../../../support/runner/memory-meter.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

const TENANT = 'acme';
const PLANS = ['free', 'starter', 'growth', 'scale'] as const;

/** Everything that may differ between runs: plan, clocks, guesses, load, and what is left of the month. */
const runs = fc.record({
  plan: fc.constantFrom(...PLANS),
  seed: fc.integer(),
  skew: fc.constantFrom(0, 1_000, 40_000, 400_000),
  functions: fc.integer({ min: 1, max: 8 }),
  guessing: fc.constantFrom<Guessing>('as-built', 'idle', 'busy', 'at-random'),
  /** Of the plan's rate. */
  load: fc.constantFrom(0.3, 0.9, 1.5, 5),
  left: fc.constantFrom(0, 5, 60, 1_000),
  refunded: fc.constantFrom(0, 0.3),
});
type Run = typeof runs extends fc.Arbitrary<infer One> ? One : never;

interface Observed {
  readonly traffic: Traffic;
  readonly item: Account;
  readonly refunds: number;
}

/** Live and test callers, some of which only ask, and some of whose conversions are given back. */
async function observed({ plan, seed, skew, functions, guessing, load, left, refunded }: Run): Promise<Observed> {
  const full = account(plan);
  const item = { ...full, hardLimit: 1_000, [`q_${full.periodId}`]: 1_000 - left, testUsed: 240 };
  const skews = Array.from({ length: functions }, (_, index) => (index % 2 === 0 ? skew : -skew));
  const traffic = new Traffic({ item, seed, skews, guessing });
  let refunds = 0;
  const one = async () => {
    const kind = traffic.chance();
    const id = kind < 0.1 ? 'test1' : kind < 0.15 ? 'client1' : 'live1';
    const admission = await traffic.request({ ...spendOf(TENANT, id), counts: kind < 0.9 });
    if (admission.kind !== 'admitted' || !admission.reservation || traffic.chance() >= refunded) return;
    if (await traffic.functions[0]!.refund(admission)) refunds += 1;
  };
  const arrive = async () => {
    const all: Promise<void>[] = [];
    // A crowd at once, and then a stream.
    for (let call = 0; call < 40; call += 1) all.push(one());
    for (let call = 0; call < 60; call += 1) {
      await traffic.time.after((-Math.log(1 - traffic.chance()) * item.tokenMicros) / load);
      all.push(one());
    }
    await Promise.all(all);
  };
  const done = arrive();
  await traffic.time.run();
  await done;
  return { traffic, item, refunds };
}

const holds = (check: (seen: Observed, run: Run) => void, numRuns = isThorough ? 40 : 20) =>
  fc.assert(
    fc.asyncProperty(runs, async (run) => check(await observed(run), run)),
    { numRuns },
  );

describe('in any order of calls, with clocks that differ and guesses that are wrong', () => {
  it('no window admits more than the burst and the rate of its length, by the times that the requests state', async () => {
    await holds(({ traffic, item }) => {
      const clockTimes = traffic.admitted.map((one) => one.clockTime);
      expect(excessOf(clockTimes, item)).toBeLessThanOrEqual(1e-6);
    });
  });

  it('the time that a request states is its own, save the error of its clock, a call, and never a token of waiting', async () => {
    await holds(({ traffic, item }, { skew }) => {
      for (const { at, clockTime } of traffic.admitted) {
        expect(clockTime - at).toBeLessThanOrEqual(skew);
        const call = 2 * traffic.longestWay;
        expect(at - clockTime).toBeLessThanOrEqual(skew + traffic.longestWay + Math.min(call, item.tokenMicros) + 1);
      }
    });
  });

  it('a refusal changes nothing, and the arrival time of a bucket never falls', async () => {
    const check = fc.asyncProperty(runs, async (run) => {
      const seen = new Traffic({ item: account(run.plan), seed: run.seed, skews: [run.skew, 0] });
      let tat = 0;
      seen.memory.onTake = (_taking, before, after) => {
        expect(after.arrival).toBeGreaterThanOrEqual(tat);
        tat = after.arrival;
        if (before === after) return;
        expect(after.arrival).toBeGreaterThan(before.arrival);
      };
      const done = seen.arrivals(run.load * 50, 60, spendOf(TENANT));
      await seen.time.run();
      await done;
    });
    await fc.assert(check, { numRuns: 15 });
  });

  it('what is counted is what was admitted less what was given back, within the limit and never below zero', async () => {
    await holds(({ traffic, item, refunds }, { left }) => {
      const taken = (mode: 'live' | 'test') => quotaOf(traffic.item, mode).used - quotaOf(item, mode).used;
      const reserved = (counter: string) =>
        traffic.decisions.filter(({ admission }) => hasReserved(admission, counter)).length;
      expect(taken('live') + taken('test')).toBe(reserved(`q_${item.periodId}`) + reserved('testUsed') - refunds);
      expect(taken('live')).toBeLessThanOrEqual(left);
      expect(quotaOf(traffic.item, 'test').used).toBeLessThanOrEqual(250);
      expect(quotaOf(traffic.item, 'live').used).toBeGreaterThanOrEqual(0);
    });
  });

  it('a call that takes no conversion is never refused for want of one', async () => {
    await holds(({ traffic }) => {
      const asked = traffic.decisions.filter(({ spend }) => !spend.counts);
      expect(asked.map(({ admission }) => admission.kind)).not.toContain('quota-exceeded');
    });
  });
});

const hasReserved = (admission: Admission, counter: string) =>
  admission.kind === 'admitted' && admission.reservation?.counter === counter;

describe('a lone client', () => {
  it('within the rate is never refused after its first burst, whatever the order of its waits', async () => {
    const waits = fc.array(fc.integer({ min: 1_000, max: 3_000 }), { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PLANS), fc.integer(), waits, async (plan, seed, thousandths) => {
        const item = account(plan);
        const traffic = new Traffic({ item, seed, skews: [0] });
        const client = async () => {
          for (const wait of [...Array.from({ length: item.burst }, () => 0), ...thousandths]) {
            await traffic.time.after((wait / 1_000) * item.tokenMicros);
            await traffic.request(spendOf(TENANT));
          }
        };
        const done = client();
        await traffic.time.run();
        await done;
        expect(new Set(traffic.decisions.map(({ admission }) => admission.kind))).toEqual(new Set(['admitted']));
      }),
      { numRuns: 12 },
    );
  });

  it('that waits as long as it is told is admitted then, even after many refusals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PLANS),
        fc.integer(),
        fc.integer({ min: 1, max: 900_000 }),
        async (plan, seed, pause) => {
          const item = account(plan, { arrival: NOW + 4 * SECOND });
          const traffic = new Traffic({ item: { ...item, burst: 1, tokenMicros: 200_000 }, seed, skews: [0] });
          const client = async () => {
            for (let call = 0; call < 6; call += 1) {
              const admission = await traffic.request(spendOf(TENANT));
              if (admission.kind !== 'rate-limited') continue;
              // Impatient at first, and then obedient.
              await traffic.time.after(call < 4 ? pause : admission.retryAfterSeconds * SECOND);
              if (call >= 4) expect((await traffic.request(spendOf(TENANT))).kind).toBe('admitted');
            }
          };
          const done = client();
          await traffic.time.run();
          await done;
        },
      ),
      { numRuns: 60 },
    );
  });

  it('sees what remains fall by one at each call, from the limit to nothing, and then a refusal', async () => {
    const item = account('scale', { hardLimit: 30, burst: 1_000 });
    const traffic = new Traffic({ item, seed: 1, skews: [0, 1_000, -1_000] });
    const seen: number[] = [];
    const client = async () => {
      for (let call = 0; call < 31; call += 1) {
        const admission = await traffic.request(spendOf(TENANT));
        if (admission.kind === 'admitted') seen.push(30 - (quotaOf(admission.item, 'live').used - 1));
      }
    };
    const done = client();
    await traffic.time.run();
    await done;
    expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => 30 - index));
    expect(traffic.decisions.at(-1)?.admission.kind).toBe('quota-exceeded');
  });
});

describe('a function whose clock is put back', () => {
  it('admits nothing for it, and what is due when the time has come again', async () => {
    let at = NOW;
    const memory = new MemoryMeter();
    memory.items.set(TENANT, account('free'));
    const own = new MeteringFunction(memory, { now: () => at, chance: () => 0 });
    const kinds = async (calls: number) => {
      const all: string[] = [];
      for (let call = 0; call < calls; call += 1) all.push((await own.admit(spendOf(TENANT))).kind);
      return all.filter((kind) => kind === 'admitted').length;
    };
    expect(await kinds(20)).toBe(10);
    at -= 3_600 * SECOND;
    expect(await kinds(5)).toBe(0);
    at = NOW + SECOND;
    expect(await kinds(20)).toBe(5);
    at -= 10 * SECOND;
    expect(await kinds(5)).toBe(0);
  });
});
