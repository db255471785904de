import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../../functions/conversions/billing/metering/breaker.ts';

function breakerAt(chance = 0.5) {
  const clock = { now: 1_000_000 };
  return {
    clock,
    breaker: new Breaker(
      () => clock.now,
      () => chance,
    ),
  };
}

const fail = (breaker: Breaker, times: number) => {
  for (let time = 0; time < times; time += 1) breaker.failed();
};

describe('a breaker', () => {
  it('opens after three failures in a row, not after two, and an answer in between begins anew', () => {
    const { breaker } = breakerAt();
    fail(breaker, 2);
    breaker.succeeded();
    fail(breaker, 2);
    expect([breaker.isOpen, breaker.allows()]).toEqual([false, true]);
    breaker.failed();
    expect([breaker.isOpen, breaker.allows()]).toEqual([true, false]);
  });

  it('opens when half of the last twenty calls failed', () => {
    const { breaker } = breakerAt();
    for (let call = 0; call < 9; call += 1) {
      breaker.failed();
      breaker.succeeded();
    }
    breaker.succeeded();
    expect(breaker.isOpen).toBe(false);
    breaker.failed();
    expect(breaker.isOpen).toBe(true);
  });

  it('stays closed while less than half of them fail, and forgets older ones', () => {
    const { breaker } = breakerAt();
    for (let call = 0; call < 60; call += 1) {
      breaker.failed();
      breaker.succeeded();
      breaker.succeeded();
    }
    expect(breaker.isOpen).toBe(false);
  });

  it('lets one call through after its time, and no other until that one reports its outcome', () => {
    const { breaker, clock } = breakerAt();
    fail(breaker, 3);
    clock.now += 999;
    expect(breaker.allows()).toBe(false);
    clock.now += 1;
    expect([breaker.allows(), breaker.allows(), breaker.allows()]).toEqual([true, false, false]);
    breaker.unused();
    expect([breaker.isOpen, breaker.allows(), breaker.allows()]).toEqual([true, true, false]);
    breaker.succeeded();
    expect([breaker.isOpen, breaker.allows(), breaker.allows()]).toEqual([false, true, true]);
  });

  it('starts from nothing after an outage', () => {
    const { breaker, clock } = breakerAt();
    fail(breaker, 3);
    clock.now += 1_000;
    breaker.allows();
    breaker.succeeded();
    fail(breaker, 2);
    expect(breaker.isOpen).toBe(false);
    breaker.failed();
    clock.now += 1_000;
    expect(breaker.allows()).toBe(true);
  });

  it('forgets the failures of a long outage when it is over', () => {
    const { breaker, clock } = breakerAt();
    fail(breaker, 3);
    for (let probe = 0; probe < 12; probe += 1) {
      clock.now += 9_000;
      expect(breaker.allows()).toBe(true);
      if (probe < 11) breaker.failed();
    }
    breaker.succeeded();
    breaker.failed();
    expect(breaker.isOpen).toBe(false);
  });

  it('waits twice as long after each probe that fails, and always less than ten seconds', () => {
    for (const chance of [0, 0.999]) {
      const { breaker, clock } = breakerAt(chance);
      fail(breaker, 3);
      const waits: number[] = [];
      for (let probe = 0; probe < 6; probe += 1) {
        const since = clock.now;
        while (!breaker.allows()) clock.now += 10;
        waits.push(clock.now - since);
        breaker.failed();
      }
      const spread = chance === 0 ? 0.8 : 1.2;
      expect(waits.map((wait) => Math.round(wait / spread / 100) * 100)).toEqual([
        1_000, 2_000, 4_000, 8_000, 8_000, 8_000,
      ]);
      expect(Math.max(...waits)).toBeLessThan(10_000);
    }
  });

  it('lets a caller through within ten seconds of any time, whatever has happened before', () => {
    const events = fc.array(fc.tuple(fc.constantFrom('failed', 'succeeded'), fc.integer({ min: 0, max: 4_000 })));
    fc.assert(
      fc.property(events, fc.double({ min: 0, max: 0.999, noNaN: true }), (happened, chance) => {
        const { breaker, clock } = breakerAt(chance);
        for (const [how, wait] of happened) {
          if (breaker.allows()) breaker[how]();
          clock.now += wait;
        }
        clock.now += 9_700;
        expect(breaker.allows()).toBe(true);
      }),
    );
  });

  it('is not kept open by a clock that was put back', () => {
    const { breaker, clock } = breakerAt();
    fail(breaker, 3);
    clock.now -= 3_600_000;
    expect(breaker.allows()).toBe(true);
  });
});
