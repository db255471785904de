import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../../../functions/conversions/billing/balances/account.ts';
import { account, callerOf, NOW, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { MeteringDesk } from '../../../support/conversions/metering-desk.ts';

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

describe('a table that does not answer', () => {
  const CALLS = ['read', 'take', 'knowsOverflow'] as const;
  for (const hanging of CALLS) {
    it(`makes a request wait 50 ms for ${hanging}, and lets it through`, async () => {
      const desk = newDesk();
      desk.fate = (call) => (call === hanging ? 'hung' : 'answered');
      const spend = { ...spendOf(ACME), caller: { ...callerOf(ACME), credentialId: 'xoutside' } };
      const { metered, waited } = await desk.inTime(() => desk.admit(spend));
      const before = { read: 3, take: 6, knowsOverflow: 0 }[hanging];
      expect(waited).toBe(before + 50);
      expect([metered.kind, 'write' in metered]).toEqual(['unmetered', hanging === 'take']);
      expect(desk.events).toEqual([hanging === 'take' ? 'MeterAmbiguous' : 'MeterUnavailable']);
    });
  }

  it('makes a request wait 80 ms in all at the end of a period, which counts nothing', async () => {
    const desk = newDesk(account('free', { validUntil: NOW }));
    desk.fate = (call) => (call === 'advance' ? 'hung' : 'answered');
    const { metered, waited } = await desk.inTime(() => desk.admit());
    expect([metered.kind, waited]).toEqual(['unmetered', 80]);
    expect('write' in metered).toBe(false);
  });

  it('makes a request wait 80 ms in all, however many calls are slow', async () => {
    const desk = newDesk();
    const slow = desk.memory.take.bind(desk.memory);
    desk.memory.take = async (taking) => {
      await desk.time.after(30 * MILLI);
      const item = desk.memory.items.get(ACME)!;
      desk.memory.items.set(ACME, { ...item, version: item.version + 1 });
      return slow(taking);
    };
    const { waited } = await desk.inTime(() => desk.admit());
    expect(waited).toBe(80);
  });

  it('costs a function three waits and one for each probe, and is metered again within ten seconds', async () => {
    const desk = newDesk();
    let isDown = true;
    desk.fate = () => (isDown ? 'hung' : 'answered');
    const waits: number[] = [];
    const kinds: string[] = [];
    await desk.inTime(async () => {
      for (let second = 0; second < 40; second += 1) {
        isDown = second < 30;
        for (let request = 0; request < 10; request += 1) {
          const { metered, waited } = await desk.admit();
          waits.push(waited);
          if (second >= 40 - 1) kinds.push(metered.kind);
          await desk.time.after(100 * MILLI);
        }
      }
    });
    // Three in a row, then after 1, 2, 4, 8 and 8 seconds, and the one that finds the table well again.
    const slow = waits.filter((waited) => waited === 50);
    expect(slow.length).toBeGreaterThanOrEqual(3 + 5);
    expect(slow.length).toBeLessThanOrEqual(3 + 6);
    expect(Math.max(...waits)).toBe(50);
    expect(new Set(kinds)).toEqual(new Set(['admitted']));
  });

  it('is probed by one request at a time, while the others go on at once', async () => {
    const desk = newDesk();
    desk.fate = () => 'hung';
    const waits = await desk.inTime(async () => {
      for (let call = 0; call < 3; call += 1) await desk.admit();
      await desk.time.after(1_000 * MILLI);
      return Promise.all(Array.from({ length: 40 }, async () => (await desk.admit()).waited));
    });
    expect(waits.filter((waited) => waited > 0)).toEqual([50]);
    expect(desk.calls).toBe(4);
  });

  it('is not taken as well again for a refusal that a function remembers', async () => {
    const desk = newDesk(account('growth', { hardLimit: 0 }));
    await desk.inTime(async () => {
      await desk.admit();
      desk.fate = () => 'hung';
      const ask = { ...spendOf(ACME), counts: false };
      for (let call = 0; call < 3; call += 1) {
        expect((await desk.admit(ask)).metered.kind).toBe('unmetered');
        // In between, the remembered quota refuses conversions without a call.
        expect((await desk.admit()).waited).toBe(0);
      }
      expect(desk.breaker.isOpen).toBe(true);
    });
  });

  it('lets through what a bucket of the plan has in this function, and no more', async () => {
    const desk = newDesk(account('free'));
    await desk.inTime(async () => {
      await desk.admit();
      desk.fate = () => 'refused';
      const kinds: string[] = [];
      for (let call = 0; call < 30; call += 1) kinds.push((await desk.admit()).metered.kind);
      expect(kinds.filter((kind) => kind === 'unmetered')).toHaveLength(9);
      expect((await desk.admit()).metered).toMatchObject({ kind: 'rate-limited-locally', retryAfterSeconds: 1 });
      await desk.time.after(400 * MILLI);
      const later: string[] = [];
      for (let call = 0; call < 5; call += 1) later.push((await desk.admit()).metered.kind);
      expect(later.filter((kind) => kind === 'unmetered')).toHaveLength(2);
    });
  });

  it('lets through what the largest plan has for an account that this function has never seen', async () => {
    const desk = newDesk();
    desk.fate = () => 'refused';
    await desk.inTime(async () => {
      const kinds: string[] = [];
      for (let call = 0; call < 450; call += 1) kinds.push((await desk.admit()).metered.kind);
      expect(kinds.filter((kind) => kind === 'unmetered')).toHaveLength(400);
    });
  });
});

describe('a throttled table', () => {
  const throttled = (...reasons: string[]) =>
    Object.assign(new Error('throttled'), {
      name: 'ProvisionedThroughputExceededException',
      ThrottlingReasons: reasons.map((reason) => ({ reason })),
    });
  const throwing = (desk: MeteringDesk, error: Error) => {
    desk.memory.take = () => Promise.reject(error);
    desk.memory.read = () => Promise.reject(error);
  };

  it('is no reason to admit the flood of the account that throttles its own item, known or not', async () => {
    for (const isKnown of [true, false]) {
      const desk = newDesk();
      await desk.inTime(async () => {
        if (isKnown) await desk.admit();
        throwing(desk, throttled('TableWriteKeyRangeThroughputExceeded'));
        for (let call = 0; call < 10; call += 1) {
          expect((await desk.admit()).metered).toMatchObject({ kind: 'rate-limited-locally', retryAfterSeconds: 1 });
        }
      });
      const settled = await desk.inTime(() => desk.serve('r1', true));
      expect(settled).toMatchObject({ answer: { status: 429 }, retryAfterSeconds: 1 });
      expect([desk.late, desk.breaker.isOpen]).toEqual([[], false]);
    }
  });

  it('lets other accounts through, counts them later, tells operators, and is asked again each time', async () => {
    const desk = newDesk();
    throwing(desk, throttled('TableWriteAccountLimitExceeded'));
    for (let call = 0; call < 5; call += 1) await desk.inTime(() => desk.serve(`r${call}`, true));
    expect(desk.late.map(({ id, amount }) => [id, amount])).toEqual([0, 1, 2, 3, 4].map((call) => [`r${call}`, 1]));
    expect([new Set(desk.events), desk.breaker.isOpen]).toEqual([new Set(['MeterThrottled']), false]);
  });

  it('that denies access lets requests through and reports the fault to operators', async () => {
    const desk = newDesk();
    throwing(desk, Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
    const { metered } = await desk.inTime(() => desk.admit());
    expect([metered.kind, 'write' in metered]).toEqual(['unmetered', false]);
    expect(desk.events).toEqual(['MeterRefused']);
  });
});
