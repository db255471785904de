import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLANS } from '../../../functions/conversions/billing/subscriptions/plan.ts';
import {
  type Bucket,
  highestAdmitted,
  opensAt,
  rebased,
  retryAfterSeconds,
  secondsUntilFull,
  steadyMicros,
  tokensLeft,
} from '../../../shared/metering/token-bucket.ts';

const NOW = 1_794_268_800_000_000;
const buckets = fc.constantFrom<Bucket>(
  ...Object.values(PLANS).map(({ ratePerSecond, burst }) => ({ tokenMicros: 1_000_000 / ratePerSecond, burst })),
);
/** Arrival times that a bucket can have: from long ago to in full debt. */
const states = fc
  .tuple(buckets, fc.double({ min: -0.5, max: 1, noNaN: true }))
  .map(([bucket, share]) => ({ bucket, arrival: NOW + Math.round(share * bucket.burst * bucket.tokenMicros) }));
const isAdmitted = (bucket: Bucket, arrival: number, now: number) => arrival <= highestAdmitted(bucket, now);

describe('a bucket', () => {
  it('admits as many calls in a row as it says are left', () => {
    fc.assert(
      fc.property(states, ({ bucket, arrival }) => {
        let [admitted, at] = [0, arrival];
        for (; isAdmitted(bucket, at, NOW); admitted += 1) at = Math.max(at, NOW) + bucket.tokenMicros;
        expect(tokensLeft(bucket, arrival, NOW)).toBe(admitted);
      }),
    );
  });

  it('admits the next call at the very microsecond that it says it opens at', () => {
    fc.assert(
      fc.property(states, ({ bucket, arrival }) => {
        const at = opensAt(bucket, arrival);
        expect([isAdmitted(bucket, arrival, at - 1), isAdmitted(bucket, arrival, at)]).toEqual([false, true]);
      }),
    );
  });

  it('admits a caller who waits as long as it is told, at least a second and less than one too long', () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 0, max: 5_000_000 }), ({ bucket, arrival }, more) => {
        const at = arrival + more;
        const wait = retryAfterSeconds(bucket, at, NOW);
        expect(wait).toBeGreaterThanOrEqual(1);
        expect(isAdmitted(bucket, at, NOW + wait * 1_000_000)).toBe(true);
        if (wait > 1) expect(isAdmitted(bucket, at, NOW + (wait - 1) * 1_000_000)).toBe(false);
      }),
    );
  });

  it('is full after the seconds that it says, and not a second before', () => {
    fc.assert(
      fc.property(states, ({ bucket, arrival }) => {
        const seconds = secondsUntilFull(arrival, NOW);
        expect(tokensLeft(bucket, arrival, NOW + seconds * 1_000_000)).toBe(bucket.burst);
        if (seconds > 0) expect(arrival).toBeGreaterThan(NOW + (seconds - 1) * 1_000_000);
      }),
    );
  });
});

describe('a bucket whose limits change', () => {
  it('keeps its debt in whole tokens, as far as the new one holds them', () => {
    fc.assert(
      fc.property(buckets, buckets, fc.integer({ min: 0, max: 400 }), (from, to, tokens) => {
        const debt = Math.min(tokens, from.burst);
        const arrival = rebased(NOW + debt * from.tokenMicros, NOW, { from, to });
        expect(tokensLeft(to, arrival, NOW)).toBe(Math.max(0, to.burst - debt));
      }),
    );
  });

  it('adds at most the tokens by which it is larger, and never more', () => {
    fc.assert(
      fc.property(states, buckets, ({ bucket, arrival }, to) => {
        const before = tokensLeft(bucket, arrival, NOW);
        const after = tokensLeft(to, rebased(arrival, NOW, { from: bucket, to }), NOW);
        expect(after - before).toBeLessThanOrEqual(Math.max(0, to.burst - bucket.burst));
      }),
    );
  });

  it('forgives no part of a debt but what is more than the new one holds', () => {
    fc.assert(
      fc.property(states, buckets, ({ bucket, arrival }, to) => {
        const changed = rebased(arrival, NOW, { from: bucket, to });
        if (arrival <= NOW) {
          expect(changed).toBe(arrival);
          return;
        }
        const tokens = Math.min((arrival - NOW) / bucket.tokenMicros, to.burst);
        expect(changed - NOW).toBeGreaterThanOrEqual(tokens * to.tokenMicros);
        expect(changed - NOW).toBeLessThan(tokens * to.tokenMicros + 1);
        expect(changed - NOW).toBeLessThanOrEqual(to.burst * to.tokenMicros);
      }),
    );
  });

  it('stays full if it was full, and a change that is taken back adds nothing', () => {
    fc.assert(
      fc.property(states, buckets, ({ bucket, arrival }, to) => {
        const back = rebased(rebased(arrival, NOW, { from: bucket, to }), NOW, { from: to, to: bucket });
        if (arrival <= NOW) expect(back).toBe(arrival);
        if (to.burst >= bucket.burst) expect(back).toBeGreaterThanOrEqual(arrival);
      }),
    );
  });
});

describe('the time of a function', () => {
  it('is in whole microseconds and never goes back, whatever its clock does', () => {
    const times = [1_000.25, 1_000.9, 400, 1_000.5, 1_001];
    let index = 0;
    const now = steadyMicros(() => times[index++]!);
    expect(times.map(() => now())).toEqual([1_000_250, 1_000_900, 1_000_900, 1_000_900, 1_001_000]);
  });
});
