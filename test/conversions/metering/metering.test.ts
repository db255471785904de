import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type MeterItem, quotaOf } from '../../../functions/conversions/balances/account.ts';
import { Breaker } from '../../../functions/conversions/metering/breaker.ts';
import { KnownAccounts } from '../../../functions/conversions/metering/known-accounts.ts';
import type { LateUsage } from '../../../functions/conversions/metering/late-usage.ts';
import type { MeterStore } from '../../../functions/conversions/metering/meter.ts';
import { type MeterEvent, Metering } from '../../../functions/conversions/metering/metering.ts';
import { serveMetered } from '../../../functions/conversions/serving/metered-call.ts';
import { Problem } from '../../../functions/conversions/serving/problem.ts';
import { MemoryMeter } from '../../support/memory-meter.ts';
import { account, callerOf, NOW, spendOf } from '../../support/meter-accounts.ts';
import { VirtualTime } from '../../support/virtual-time.ts';

const ACME = 'acme';
const MILLI = 1_000;
const CALL = 50;
const REQUEST = 80;

let time: VirtualTime;
beforeEach(() => {
  time = new VirtualTime(NOW);
  // Time limits pass in virtual time, so that what is waited for can be counted exactly.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((millis) => {
    const controller = new AbortController();
    void time.after(millis * MILLI).then(() => controller.abort(new DOMException('over', 'TimeoutError')));
    return controller.signal;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What becomes of a call to the table. */
type Fate = 'answered' | 'refused' | 'hung' | 'written-and-hung';
const never = new Promise<never>(() => {});
const refused = () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

/** One function and a table whose calls take three milliseconds, and end as the test says. */
class Desk {
  readonly memory = new MemoryMeter();
  readonly late: LateUsage[] = [];
  readonly events: MeterEvent[] = [];
  readonly breaker = new Breaker(
    () => time.now / MILLI,
    () => 0.5,
  );
  calls = 0;
  fate: (call: keyof MeterStore) => Fate = () => 'answered';
  readonly metering: Metering;

  constructor(item: MeterItem = account('scale', { B: 10_000 })) {
    this.memory.items.set(ACME, item);
    this.metering = new Metering(
      {
        store: this.store(),
        known: new KnownAccounts(() => 0.5),
        now: () => time.now,
        breaker: this.breaker,
        lateUsage: { send: async (usage) => void this.late.push(usage) },
        report: (event) => this.events.push(event),
      },
      { callMillis: CALL, requestMillis: REQUEST },
    );
  }

  get used(): number {
    return quotaOf(this.memory.items.get(ACME)!, 'live').used;
  }

  /** A request, and how long it waited, in milliseconds. */
  async admit(spend = spendOf(ACME)) {
    const since = time.now;
    const metered = await this.metering.admit(spend);
    return { metered, waited: (time.now - since) / MILLI };
  }

  private store(): MeterStore {
    const { memory } = this;
    return {
      read: (tenant) => this.ended('read', () => memory.read(tenant)),
      take: (taking) => this.ended('take', () => memory.take(taking)),
      advance: () => this.ended('advance', () => memory.advance()),
      giveBack: (reservation) => this.ended('giveBack', () => memory.giveBack(reservation)),
      knowsOutside: () => this.ended('knowsOutside', () => memory.knowsOutside()),
    };
  }

  /** No call heeds its signal: the time limits must hold all the same. */
  private async ended<T>(call: keyof MeterStore, work: () => Promise<T>): Promise<T> {
    this.calls += 1;
    const fate = this.fate(call);
    if (fate === 'hung') return never;
    if (fate === 'refused') return refused();
    await time.after(3 * MILLI);
    const result = await work();
    return fate === 'written-and-hung' ? never : result;
  }
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  const done = work();
  await time.run();
  return done;
}

describe('a table that does not answer', () => {
  const CALLS = ['read', 'take', 'knowsOutside'] as const;
  for (const hanging of CALLS) {
    it(`makes a request wait 50 ms for ${hanging}, and lets it through`, async () => {
      const desk = new Desk();
      desk.fate = (call) => (call === hanging ? 'hung' : 'answered');
      const spend = { ...spendOf(ACME), caller: { ...callerOf(ACME), credentialId: 'xoutside' } };
      const { metered, waited } = await inTime(() => desk.admit(spend));
      const before = { read: 3, take: 6, knowsOutside: 0 }[hanging];
      expect(waited).toBe(before + 50);
      expect(metered).toMatchObject({ kind: 'unmetered', isAmbiguous: hanging === 'take' });
      expect(desk.events).toEqual([hanging === 'take' ? 'MeterAmbiguous' : 'MeterUnavailable']);
    });
  }

  it('makes a request wait 80 ms in all at the end of a period, which counts nothing', async () => {
    const desk = new Desk(account('free', { vu: NOW }));
    desk.fate = (call) => (call === 'advance' ? 'hung' : 'answered');
    const { metered, waited } = await inTime(() => desk.admit());
    expect([metered.kind, waited]).toEqual(['unmetered', 80]);
    expect(metered).toMatchObject({ isAmbiguous: false });
  });

  it('makes a request wait 80 ms in all, however many calls are slow', async () => {
    const desk = new Desk();
    const slow = desk.memory.take.bind(desk.memory);
    desk.memory.take = async (taking) => {
      await time.after(30 * MILLI);
      const item = desk.memory.items.get(ACME)!;
      desk.memory.items.set(ACME, { ...item, pv: item.pv + 1 });
      return slow(taking);
    };
    const { waited } = await inTime(() => desk.admit());
    expect(waited).toBe(80);
  });

  it('costs a function three waits and one for each probe, and is metered again within ten seconds', async () => {
    const desk = new Desk();
    let isDown = true;
    desk.fate = () => (isDown ? 'hung' : 'answered');
    const waits: number[] = [];
    const kinds: string[] = [];
    await inTime(async () => {
      for (let second = 0; second < 40; second += 1) {
        isDown = second < 30;
        for (let request = 0; request < 10; request += 1) {
          const { metered, waited } = await desk.admit();
          waits.push(waited);
          if (second >= 40 - 1) kinds.push(metered.kind);
          await time.after(100 * MILLI);
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
    const desk = new Desk();
    desk.fate = () => 'hung';
    const waits = await inTime(async () => {
      for (let call = 0; call < 3; call += 1) await desk.admit();
      await time.after(1_000 * MILLI);
      return Promise.all(Array.from({ length: 40 }, async () => (await desk.admit()).waited));
    });
    expect(waits.filter((waited) => waited > 0)).toEqual([50]);
    expect(desk.calls).toBe(4);
  });

  it('is not taken as well again for a refusal that a function remembers', async () => {
    const desk = new Desk(account('growth', { lim: 0 }));
    await inTime(async () => {
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
    const desk = new Desk(account('free'));
    await inTime(async () => {
      await desk.admit();
      desk.fate = () => 'refused';
      const kinds: string[] = [];
      for (let call = 0; call < 30; call += 1) kinds.push((await desk.admit()).metered.kind);
      expect(kinds.filter((kind) => kind === 'unmetered')).toHaveLength(9);
      expect((await desk.admit()).metered).toMatchObject({ kind: 'rate-limited-alone', retryAfterSeconds: 1 });
      await time.after(400 * MILLI);
      const later: string[] = [];
      for (let call = 0; call < 5; call += 1) later.push((await desk.admit()).metered.kind);
      expect(later.filter((kind) => kind === 'unmetered')).toHaveLength(2);
    });
  });

  it('lets through what the largest plan has for an account that this function has never seen', async () => {
    const desk = new Desk();
    desk.fate = () => 'refused';
    await inTime(async () => {
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
  const throwing = (desk: Desk, error: Error) => {
    desk.memory.take = () => Promise.reject(error);
    desk.memory.read = () => Promise.reject(error);
  };

  it('is no reason to admit the flood of the account that throttles its own item, known or not', async () => {
    for (const isKnown of [true, false]) {
      const desk = new Desk();
      await inTime(async () => {
        if (isKnown) await desk.admit();
        throwing(desk, throttled('TableWriteKeyRangeThroughputExceeded'));
        for (let call = 0; call < 10; call += 1) {
          expect((await desk.admit()).metered).toMatchObject({ kind: 'rate-limited-alone', retryAfterSeconds: 1 });
        }
      });
      const settled = await inTime(() => serve(desk, 'r1', true));
      expect(settled).toMatchObject({ answer: { status: 429 }, retryAfterSeconds: 1 });
      expect([desk.late, desk.breaker.isOpen]).toEqual([[], false]);
    }
  });

  it('lets other accounts through, counts them later, tells operators, and is asked again each time', async () => {
    const desk = new Desk();
    throwing(desk, throttled('TableWriteAccountLimitExceeded'));
    for (let call = 0; call < 5; call += 1) await inTime(() => serve(desk, `r${call}`, true));
    expect(desk.late.map(({ id, amount }) => [id, amount])).toEqual([0, 1, 2, 3, 4].map((call) => [`r${call}`, 1]));
    expect([new Set(desk.events), desk.breaker.isOpen]).toEqual([new Set(['MeterThrottled']), false]);
  });

  it('of which we have no access lets requests through and tells operators of our mistake', async () => {
    const desk = new Desk();
    throwing(desk, Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
    expect((await inTime(() => desk.admit())).metered).toMatchObject({ kind: 'unmetered', isAmbiguous: false });
    expect(desk.events).toEqual(['MeterRefused']);
  });
});

/** One call of a metered route, whose handler makes an answer that counts, or fails. */
function serve(desk: Desk, requestId: string, isCounted: boolean) {
  const parts = { metering: desk.metering, answers: NO_ANSWERS, announceThresholds: async () => {} };
  const answer = { status: isCounted ? 200 : 500, contentType: 'application/json', body: '{}' };
  return serveMetered(parts, { caller: callerOf(ACME), requestId, now: time.now / MILLI }, async () => ({
    answer,
    isCounted,
  }));
}
const none = () => Promise.reject(new Error('No request has a key.'));
const NO_ANSWERS = { claim: none, complete: none, release: none };

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
        time = new VirtualTime(NOW);
        const desk = new Desk(account('scale', { B: 10_000, q_p20261110: 5 }));
        let countable = 0;
        await inTime(async () => {
          for (const [index, { fate, isCounted, pause }] of requests.entries()) {
            desk.fate = () => fate;
            const { answer } = await serve(desk, `r${index}`, isCounted);
            if (!(answer instanceof Problem) && isCounted) countable += 1;
            await time.after(pause * MILLI);
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
      { numRuns: 60 },
    );
  });

  it('of a request that the table did not see is sent once, and taken back if its answer does not count', async () => {
    const desk = new Desk();
    desk.fate = () => 'refused';
    await inTime(() => serve(desk, 'good', true));
    await inTime(() => serve(desk, 'bad', false));
    expect(desk.late.map(({ id, amount }) => [id, amount])).toEqual([
      ['good', 1],
      ['bad', 1],
      ['bad-back', -1],
    ]);
    expect(desk.used).toBe(0);
  });

  it('of a write whose answer never came is left as it is', async () => {
    for (const fate of ['hung', 'written-and-hung'] as const) {
      const desk = new Desk();
      await inTime(() => desk.admit({ ...spendOf(ACME), counts: false }));
      desk.fate = () => fate;
      await inTime(() => serve(desk, 'r', true));
      expect([desk.late, desk.used]).toEqual([[], fate === 'hung' ? 0 : 1]);
    }
  });

  it('of a first call that read nothing is sent', async () => {
    const desk = new Desk();
    desk.fate = () => 'hung';
    await inTime(() => serve(desk, 'r', true));
    expect(desk.late).toMatchObject([{ id: 'r', amount: 1, tenant: ACME, mode: 'live' }]);
  });
});

describe('a conversion that does not count in the end', () => {
  /** Calls of the refund itself, which end like this one after the other. */
  async function refundEnds(...ends: Fate[]) {
    const desk = new Desk();
    const fates = [...ends];
    desk.fate = (call) => (call === 'giveBack' ? fates.shift()! : 'answered');
    await inTime(() => serve(desk, 'r', false));
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

  it('is in the log when even the queue does not take it', async () => {
    const desk = new Desk();
    desk.fate = (call) => (call === 'giveBack' ? 'refused' : 'answered');
    desk.late.push = () => {
      throw new Error('The queue is down.');
    };
    await inTime(() => serve(desk, 'r', false));
    expect(desk.events).toEqual(['UsageLost']);
  });
});
