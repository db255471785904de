import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bucketStore } from '../../../shared/metering/shared-buckets.dynamodb.ts';
import { SharedBuckets } from '../../../shared/metering/shared-buckets.ts';
import type { Bucket } from '../../../shared/metering/token-bucket.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

/** Ten a second, four at once. */
const BUCKET: Bucket = { tokenMicros: 100_000, burst: 4 };
const NOW = Date.UTC(2026, 10, 25) * 1_000;

let endpoint: LocalEndpoint;
let table: Table;
let holders = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'buckets');
});
afterAll(() => endpoint.close());

const newHolder = () => `holder-${(holders += 1)}`;
/** The buckets as so many functions have them. */
const functions = (count: number) =>
  Array.from(
    { length: count },
    () =>
      new SharedBuckets(
        bucketStore(table, (holder) => ({ pk: `PREVIEWS#${holder}`, sk: 'BUCKET' })),
        BUCKET,
      ),
  );
const admitted = (taken: readonly { retryAfterSeconds?: number }[]) =>
  taken.filter(({ retryAfterSeconds }) => retryAfterSeconds === undefined).length;

describe('a shared bucket', () => {
  it('admits a burst and no more, however many functions take from it at the same time', async () => {
    const holder = newHolder();
    const taken = await Promise.all(
      functions(3).flatMap((buckets) => Array.from({ length: 5 }, () => buckets.take(holder, NOW))),
    );
    expect(admitted(taken)).toBe(4);
    expect(taken.filter(({ retryAfterSeconds }) => retryAfterSeconds === 1)).toHaveLength(11);
  });

  it('admits exactly what an ideal bucket admits, whichever function a request comes to', async () => {
    const call = fc.record({ by: fc.integer({ min: 0, max: 2 }), wait: fc.integer({ min: 0, max: 300_000 }) });
    const runs = fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (calls) => {
      const holder = newHolder();
      const [...all] = functions(3);
      let now = NOW;
      let tokens = BUCKET.burst;
      for (const { by, wait } of calls) {
        now += wait;
        tokens = Math.min(BUCKET.burst, tokens + wait / BUCKET.tokenMicros);
        const { retryAfterSeconds } = (await all[by]?.take(holder, now)) ?? {};
        expect(retryAfterSeconds === undefined).toBe(tokens >= 1 - 1e-9);
        if (retryAfterSeconds === undefined) tokens -= 1;
      }
    });
    await fc.assert(runs, { numRuns: 30 });
  });

  it('has the same arrival time for all functions, and none before it was used', async () => {
    const holder = newHolder();
    const [one, other] = functions(2);
    expect(await other?.arrivalOf(holder, NOW)).toBe(0);
    await one?.take(holder, NOW);
    expect(await other?.arrivalOf(holder, NOW)).toBe(NOW + BUCKET.tokenMicros);
    expect(await one?.arrivalOf(holder, NOW)).toBe(NOW + BUCKET.tokenMicros);
  });

  it('refuses from memory what the table would refuse too', async () => {
    let calls = 0;
    const store = bucketStore(table, (holder) => ({ pk: `PREVIEWS#${holder}`, sk: 'BUCKET' }));
    const counting = {
      ...store,
      take: (...call: Parameters<typeof store.take>) => ((calls += 1), store.take(...call)),
    };
    const buckets = new SharedBuckets(counting, BUCKET);
    const holder = newHolder();
    for (let time = 0; time < 10; time += 1) await buckets.take(holder, NOW);
    expect(calls).toBe(BUCKET.burst);
  });
});
