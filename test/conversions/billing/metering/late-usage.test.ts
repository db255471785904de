import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { Problem } from '../../../../functions/conversions/serving/problem.ts';
import { account, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { type Fate, MeteringDesk } from '../../../support/conversions/metering-desk.ts';
import { isThorough } from '../../../support/runner/thoroughness.ts';

const ACME = 'acme';
const MILLI = 1_000;

/** A desk whose time limits pass in virtual time, so that what is waited for can be counted exactly. */
function newDesk(item?: Account): MeteringDesk {
  const desk = new MeteringDesk(item);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(desk.timeout);
  return desk;
}
afterEach(() => {
  vi.restoreAllMocks();
});

describe('usage', () => {
  const fates = fc.array(
    fc.record({
      fate: fc.constantFrom<Fate>('answered', 'answered', 'refused', 'hung', 'written-and-hung'),
      isCounted: fc.boolean(),
      pause: fc.constantFrom(0, 10, 1_500),
    }),
    { maxLength: 40 },
  );

  it('is never counted twice or given back twice, and only what nobody can know is missing', async () => {
    await fc.assert(
      fc.asyncProperty(fates, async (requests) => {
        const desk = newDesk(account('scale', { burst: 10_000, q_p20261110: 5 }));
        let countable = 0;
        await desk.inTime(async () => {
          for (const [index, { fate, isCounted, pause }] of requests.entries()) {
            desk.fate = () => fate;
            const { answer } = await desk.serve(`r${index}`, isCounted);
            if (!(answer instanceof Problem) && isCounted) countable += 1;
            await desk.time.after(pause * MILLI);
          }
        });
        const ambiguous = desk.events.filter((event) => event === 'MeterAmbiguous').length;
        const leaked = desk.events.filter((event) => event === 'RefundLeaked').length;
        const later = desk.late.reduce((sum, { amount }) => sum + amount, 0);
        const counted = desk.used - 5 + later;
        expect(counted).toBeGreaterThanOrEqual(countable - ambiguous);
        expect(counted).toBeLessThanOrEqual(countable + ambiguous + leaked);
        expect(new Set(desk.late.map(({ id }) => id)).size).toBe(desk.late.length);
      }),
      { numRuns: isThorough ? 60 : 25 },
    );
  });

  it('of a request that the table did not see is sent once, and taken back if its answer does not count', async () => {
    const desk = newDesk();
    desk.fate = () => 'refused';
    await desk.inTime(() => desk.serve('good', true));
    await desk.inTime(() => desk.serve('bad', false));
    expect(desk.late.map(({ id, amount }) => [id, amount])).toEqual([
      ['good', 1],
      ['bad', 1],
      ['bad-back', -1],
    ]);
    expect(desk.used).toBe(0);
  });

  it('of a write whose answer never came is left as it is', async () => {
    for (const fate of ['hung', 'written-and-hung'] as const) {
      const desk = newDesk();
      await desk.inTime(() => desk.admit({ ...spendOf(ACME), counts: false }));
      desk.fate = () => fate;
      await desk.inTime(() => desk.serve('r', true));
      expect([desk.late, desk.used]).toEqual([[], fate === 'hung' ? 0 : 1]);
    }
  });

  it('of a first call that read nothing is sent', async () => {
    const desk = newDesk();
    desk.fate = () => 'hung';
    await desk.inTime(() => desk.serve('r', true));
    expect(desk.late).toMatchObject([{ id: 'r', amount: 1, tenant: ACME, mode: 'live' }]);
  });
});

describe('usage that was served without a count', () => {
  const requests = fc.array(
    fc.record({
      table: fc.constantFrom<Fate>('answered', 'slow', 'slow', 'refused'),
      queue: fc.constantFrom('answered', 'slow', 'refused'),
      isCounted: fc.boolean(),
      pause: fc.constantFrom(0, 10, 1_500),
    }),
    { maxLength: 40 },
  );

  it('is counted exactly once all the same, while the table and the queue are slow and when they are well again', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const desk = newDesk(account('scale', { burst: 10_000 }));
        let countable = 0;
        await desk.inTime(async () => {
          for (const [index, { table, queue, isCounted, pause }] of all.entries()) {
            // What is given back at once is the subject of the tests below.
            desk.fate = (call) => (call === 'giveBack' ? 'answered' : table);
            desk.queueFate = () => queue;
            await desk.serve(`r${index}`, isCounted);
            if (isCounted) countable += 1;
            await desk.time.after(pause * MILLI);
          }
          desk.fate = () => 'answered';
          desk.queueFate = () => 'answered';
          for (let call = 0; call < 20; call += 1) {
            await desk.time.after(1_500 * MILLI);
            await desk.admit({ ...spendOf(ACME), counts: false });
          }
        });
        expect([desk.counted, desk.events.includes('UsageLost')]).toEqual([countable, false]);
      }),
      { numRuns: isThorough ? 60 : 25 },
    );
  });

  it('costs a request no wait for the queue more often than once a second', async () => {
    const desk = newDesk();
    desk.fate = () => 'refused';
    desk.queueFate = () => 'slow';
    const waits = await desk.inTime(async () => {
      const waited: number[] = [];
      for (let call = 0; call < 30; call += 1) {
        const since = desk.time.now;
        await desk.serve(`r${call}`, true);
        waited.push((desk.time.now - since) / MILLI);
        await desk.time.after(100 * MILLI);
      }
      return waited;
    });
    expect(waits.filter((waited) => waited > 0).length).toBeLessThanOrEqual(3);
    expect(Math.max(...waits)).toBeLessThan(2_000);
  });

  it('is lost, and named in the log, only beyond ten thousand that wait', async () => {
    const desk = newDesk(account('scale', { burst: 100_000 }));
    desk.fate = () => 'refused';
    desk.queueFate = () => 'refused';
    await desk.inTime(async () => {
      const usage = { tenant: ACME, mode: 'live', at: 0, amount: 1 } as const;
      for (let count = 0; count <= 10_000; count += 1) await desk.metering.countLater({ ...usage, id: `r${count}` });
    });
    expect(desk.events.filter((event) => event === 'UsageLost')).toHaveLength(1);
  });
});

describe('a conversion that does not count in the end', () => {
  /** Calls of the refund itself, which end like this one after the other. */
  async function refundEnds(...ends: Fate[]) {
    const desk = newDesk();
    const fates = [...ends];
    desk.fate = (call) => (call === 'giveBack' ? fates.shift()! : 'answered');
    await desk.inTime(() => desk.serve('r', false));
    return { desk, unused: fates.length };
  }

  it('is given back at once', async () => {
    const { desk } = await refundEnds('answered');
    expect([desk.used, desk.late, desk.events]).toEqual([0, [], []]);
  });

  it('is given back by a second call when the first one was refused', async () => {
    const { desk, unused } = await refundEnds('refused', 'answered');
    expect([desk.used, desk.late, unused]).toEqual([0, [], 0]);
  });

  it('is given back by way of the queue when both were refused, to the counter that it was taken from', async () => {
    const { desk } = await refundEnds('refused', 'refused');
    expect(desk.used).toBe(1);
    expect(desk.late).toMatchObject([{ id: 'r-back', amount: -1, counter: 'q_p20261110' }]);
  });

  it('is not given back a second time when nobody knows what became of the first', async () => {
    for (const fate of ['hung', 'written-and-hung'] as const) {
      const { desk } = await refundEnds(fate);
      expect([desk.late, desk.events]).toEqual([[], ['RefundLeaked']]);
    }
  });

  it('is kept when even the queue does not take it, and sent with a later call', async () => {
    const desk = newDesk();
    desk.fate = (call) => (call === 'giveBack' ? 'refused' : 'answered');
    desk.queueFate = () => 'refused';
    await desk.inTime(() => desk.serve('r', false));
    expect([desk.events, desk.late]).toEqual([['UsageWaits'], []]);
    desk.queueFate = () => 'answered';
    await desk.inTime(async () => {
      await desk.time.after(1_000 * MILLI);
      await desk.admit({ ...spendOf(ACME), counts: false });
    });
    expect(desk.late).toMatchObject([{ id: 'r-back', amount: -1 }]);
  });
});
