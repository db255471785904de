import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownRecords } from '../../../functions/records/search/shown-records.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
let holders = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());

const newDay = () => ({ holder: `tok_${(holders += 1)}`, day: '2026-11-25' });
/** A key of five bytes, as a record has. */
const key = (n: number) => Buffer.from([0, 0, 0, n >> 8, n & 255]).toString('base64url');
const keys = (...numbers: number[]) => numbers.map(key);

describe('the records shown on a day', () => {
  it('are counted exactly, whichever function shows which of them', async () => {
    const search = fc.record({
      by: fc.integer({ min: 0, max: 2 }),
      records: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 10 }),
    });
    const runs = fc.asyncProperty(
      fc.array(search, { maxLength: 12 }),
      fc.integer({ min: 1, max: 25 }),
      async (searches, most) => {
        const on = newDay();
        const functions = [shownRecords(table), shownRecords(table), shownRecords(table)];
        const seen = new Set<number>();
        for (const { by, records } of searches) {
          const after = new Set([...seen, ...records]);
          const isNew = after.size > seen.size;
          const noted = await functions[by]?.note(on, keys(...records), most);
          expect(noted?.done).toBe(!isNew || after.size <= most);
          if (noted?.done) for (const record of records) seen.add(record);
        }
        expect(seen.size).toBeLessThanOrEqual(most);
      },
    );
    await fc.assert(runs, { numRuns: 40 });
  });

  it('are never more than the day allows when functions show them at the same time', async () => {
    const on = newDay();
    const all = Array.from({ length: 8 }, (_, i) => ({ one: shownRecords(table), own: [3 * i, 3 * i + 1, 3 * i + 2] }));
    const noted = await Promise.all(all.map(({ one, own }) => one.note(on, keys(...own), 10)));
    expect(noted.filter(({ done }) => done)).toHaveLength(3);
    expect(await shownRecords(table).note(on, keys(99), 10)).toEqual({ done: true, count: 10 });
  });

  it('begin anew on the next day, and for another holder', async () => {
    const on = newDay();
    const store = shownRecords(table);
    expect(await store.note(on, keys(1, 2), 2)).toEqual({ done: true, count: 2 });
    expect(await store.note(on, keys(3), 2)).toEqual({ done: false, count: 2 });
    expect(await store.note({ ...on, day: '2026-11-26' }, keys(3), 2)).toEqual({ done: true, count: 1 });
    expect(await store.note(newDay(), keys(3), 2)).toEqual({ done: true, count: 1 });
  });
});
