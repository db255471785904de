import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../../functions/conversions/billing/balances/account.ts';
import { AccountCache } from '../../../../functions/conversions/billing/metering/account-cache.ts';
import { opensAt } from '../../../../shared/metering/token-bucket.ts';
import { account, NOW, SECOND, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { Traffic } from '../../../support/conversions/metered-traffic.ts';

const ACME = 'acme';
const CONVERTS = { mode: 'live', counts: true } as const;
const ASKS = { mode: 'live', counts: false } as const;
const ITEM = account('free');
/** A bucket that is empty now and has a token after a tenth of a second. */
const EMPTY = { ...ITEM, arrival: NOW + 9 * 200_000 + 100_000 };
const OPENS = NOW + 100_000;

/** The memory of a function that has just been refused so many times. */
function refused(times: number, { chance = 0.999, item = EMPTY } = {}) {
  const cache = new AccountCache(() => chance);
  cache.saw(ACME, item);
  for (let time = 0; time < times; time += 1) cache.deniedByRate(ACME, opensAt(bucketOf(item), item.arrival), NOW);
  return cache;
}

describe('the cache of rate limits in a function', () => {
  it('refuses nothing that the table would admit, save the short wait of those who convert again and again', async () => {
    const runs = fc.asyncProperty(
      fc.integer(),
      fc.constantFrom(2, 8),
      fc.constantFrom(0, 30_000),
      async (seed, load, skew) => {
        const traffic = new Traffic({ item: ITEM, seed, skews: [0, skew, -skew] });
        let remembered = 0;
        for (const { cache } of traffic.functions) {
          const refusal = cache.refusal.bind(cache);
          cache.refusal = (tenant, spend, now) => {
            const answer = refusal(tenant, spend, now);
            if (answer?.kind === 'rate') {
              remembered += 1;
              expect(opensAt(bucketOf(ITEM), traffic.item.arrival) + (spend.counts ? 100_000 : 0)).toBeGreaterThan(now);
            }
            return answer;
          };
        }
        const done = Promise.all([
          traffic.arrivals(load * 5, 60, spendOf(ACME)),
          traffic.arrivals(load * 5, 60, { ...spendOf(ACME), counts: false }),
        ]);
        await traffic.time.run();
        await done;
        expect(remembered).toBeGreaterThan(0);
      },
    );
    await fc.assert(runs, { numRuns: 15 });
  });

  it('ends when the bucket has a token, after the first refusal', () => {
    const cache = refused(1);
    expect(cache.refusal(ACME, CONVERTS, OPENS - 1)).toMatchObject({ kind: 'rate', retryAfterSeconds: 1 });
    expect(cache.refusal(ACME, CONVERTS, OPENS)).toBeUndefined();
  });

  it('holds callers back who convert again and again, for a tenth of a second at most, and not those who only ask', () => {
    const cache = refused(2);
    expect(cache.refusal(ACME, CONVERTS, OPENS + 99_000)).toMatchObject({ kind: 'rate' });
    expect(cache.refusal(ACME, CONVERTS, OPENS + 100_000)).toBeUndefined();
    expect(cache.refusal(ACME, ASKS, OPENS - 1)).toMatchObject({ kind: 'rate' });
    expect(cache.refusal(ACME, ASKS, OPENS)).toBeUndefined();
  });

  it('holds callers back less where tokens come back faster', () => {
    const item = account('scale', { tokenMicros: 5_000, burst: 400, arrival: NOW + 399 * 5_000 + 1_000 });
    const cache = refused(2, { item });
    expect(cache.refusal(ACME, CONVERTS, NOW + 10_000)).toMatchObject({ kind: 'rate' });
    expect(cache.refusal(ACME, CONVERTS, NOW + 1_000 + 10_000)).toBeUndefined();
  });

  it('begins anew after an admission', () => {
    const cache = refused(5);
    cache.admitted(ACME, 'busy');
    cache.deniedByRate(ACME, OPENS + SECOND, NOW + SECOND);
    expect(cache.refusal(ACME, CONVERTS, OPENS + SECOND)).toBeUndefined();
  });

  it('never lasts beyond the time that the caller was told to wait', () => {
    const item = { ...EMPTY, arrival: NOW + 9 * 200_000 + 990_000 };
    const cache = refused(3, { item });
    expect(cache.refusal(ACME, CONVERTS, NOW + SECOND)).toBeUndefined();
    // One who asks later is told to wait for what is left of it, backoff included.
    const late = refused(3, { item: { ...EMPTY, arrival: NOW + 9 * 200_000 + 1_950_000 } });
    const told = late.refusal(ACME, CONVERTS, NOW + 960_000);
    expect(told).toMatchObject({ kind: 'rate', retryAfterSeconds: 2 });
  });

  it('lasts five seconds at most, however far away the next token is', () => {
    const cache = refused(1, { item: { ...EMPTY, arrival: NOW + 3_600 * SECOND } });
    expect(cache.refusal(ACME, CONVERTS, NOW + 5 * SECOND - 1)).toMatchObject({ kind: 'rate' });
    expect(cache.refusal(ACME, CONVERTS, NOW + 5 * SECOND)).toBeUndefined();
  });

  it('is over with new limits, and with the end of the old ones', () => {
    const cache = refused(1);
    cache.saw(ACME, { ...EMPTY, version: EMPTY.version + 1 });
    expect(cache.refusal(ACME, CONVERTS, NOW)).toBeUndefined();
    const ending = refused(1, { item: { ...EMPTY, validUntil: NOW + 50_000 } });
    expect(ending.refusal(ACME, CONVERTS, NOW + 49_999)).toMatchObject({ kind: 'rate' });
    expect(ending.refusal(ACME, CONVERTS, NOW + 50_000)).toBeUndefined();
  });

  it('is of one account', () => {
    const cache = refused(1);
    cache.saw('other', EMPTY);
    expect(cache.refusal('other', CONVERTS, NOW)).toBeUndefined();
    cache.forget(ACME);
    expect(cache.refusal(ACME, CONVERTS, NOW)).toBeUndefined();
  });
});

describe('the cache of exhausted quotas in a function', () => {
  it('lasts a second, for conversions of that mode alone', () => {
    const cache = new AccountCache();
    cache.saw(ACME, ITEM);
    cache.deniedByQuota(ACME, 'live', NOW);
    expect(cache.refusal(ACME, CONVERTS, NOW + SECOND - 1)).toMatchObject({ kind: 'quota', item: ITEM });
    expect(cache.refusal(ACME, ASKS, NOW)).toBeUndefined();
    expect(cache.refusal(ACME, { mode: 'test', counts: true }, NOW)).toBeUndefined();
    expect(cache.refusal(ACME, CONVERTS, NOW + SECOND)).toBeUndefined();
  });

  it('is over with new limits, and with the period', () => {
    const cache = new AccountCache();
    cache.saw(ACME, { ...ITEM, validUntil: NOW + 500_000 });
    cache.deniedByQuota(ACME, 'live', NOW);
    expect(cache.refusal(ACME, CONVERTS, NOW + 499_999)).toMatchObject({ kind: 'quota' });
    expect(cache.refusal(ACME, CONVERTS, NOW + 500_000)).toBeUndefined();
    cache.saw(ACME, { ...ITEM, version: ITEM.version + 1 });
    expect(cache.refusal(ACME, CONVERTS, NOW)).toBeUndefined();
  });
});

describe('the item that a function remembers', () => {
  it('is the latest one, in whatever order answers arrive', () => {
    const cache = new AccountCache();
    cache.saw(ACME, { ...ITEM, version: 3, arrival: NOW + 20 });
    cache.saw(ACME, { ...ITEM, version: 3, arrival: NOW + 10 });
    expect(cache.itemOf(ACME)).toMatchObject({ version: 3, arrival: NOW + 20 });
    cache.saw(ACME, { ...ITEM, version: 2, arrival: NOW + 90 });
    expect(cache.itemOf(ACME)).toMatchObject({ version: 3, arrival: NOW + 20 });
    cache.saw(ACME, { ...ITEM, version: 3, arrival: NOW + 20, testUsed: 5 });
    expect(cache.itemOf(ACME)).toMatchObject({ testUsed: 5 });
    cache.saw(ACME, { ...ITEM, version: 4, arrival: 0 });
    expect(cache.itemOf(ACME)).toMatchObject({ version: 4, arrival: 0 });
  });

  it('tells which of the two writes is likely to fit', () => {
    const cache = new AccountCache();
    expect(cache.guess(ACME, NOW)).toBe('idle');
    cache.saw(ACME, { ...ITEM, arrival: NOW });
    expect(cache.guess(ACME, NOW)).toBe('idle');
    expect(cache.guess(ACME, NOW - 1)).toBe('busy');
    for (let write = 0; write < 4; write += 1) cache.admitted(ACME, 'busy');
    // A bucket that is mostly in use is in use again by the time that the write arrives.
    expect(cache.guess(ACME, NOW)).toBe('busy');
    for (let write = 0; write < 4; write += 1) cache.admitted(ACME, 'idle');
    expect(cache.guess(ACME, NOW)).toBe('idle');
  });
});
