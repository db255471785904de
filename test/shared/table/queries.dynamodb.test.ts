import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryItems, queryPage } from '../../../shared/table/queries.dynamodb.ts';
import { listPage, type Table, wholeList } from '../../../shared/table/table.dynamodb.ts';
import { putItem } from '../../../shared/table/writes.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

const COUNT = 120;
const numbers = Array.from({ length: COUNT }, (_, n) => n);
const sortKey = (n: number) => `N#${String(n).padStart(3, '0')}`;

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'queries');
  for (const n of numbers) {
    await putItem(table, { pk: 'some', sk: sortKey(n), n, list: 'SOME', position: sortKey(n) });
  }
  await putItem(table, { pk: 'some', sk: 'OTHER', n: -1 });
});
afterAll(() => endpoint.close());

const ALL = { where: 'pk = :pk AND begins_with(sk, :prefix)', values: { pk: 'some', prefix: 'N#' } };
const numbersIn = (items: readonly { readonly [name: string]: unknown }[]) => items.map(({ n }) => n);

describe('a query', () => {
  it.each([undefined, 1, 7, COUNT])('reads to the end of the partition in calls of %s items', async (perCall) => {
    const query = perCall === undefined ? ALL : { ...ALL, perCall };
    expect(numbersIn(await Array.fromAsync(queryItems(table, query)))).toEqual(numbers);
  });

  it('reads from an index, and only the attributes that it names', async () => {
    const query = { index: 'Listing', where: '#list = :list', values: { list: 'SOME' }, attributes: '#position' };
    const items = await Array.fromAsync(queryItems(table, query));
    expect(items).toEqual(numbers.map((n) => ({ position: sortKey(n) })));
  });

  it('reads pages of any size in both directions, without a gap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: COUNT + 1 }), fc.boolean(), async (limit, backwards) => {
        const read: unknown[] = [];
        let page = await queryPage(table, { ...ALL, backwards, limit });
        for (; page.last; page = await queryPage(table, { ...ALL, backwards, limit, after: page.last })) {
          expect(page.items).toHaveLength(limit);
          read.push(...numbersIn(page.items));
        }
        read.push(...numbersIn(page.items));
        expect(read).toEqual(backwards ? numbers.toReversed() : numbers);
      }),
      { numRuns: 20 },
    );
  });

  it('fills a page that one call cannot return, because it returns at most 1 MB', async () => {
    const body = 'x'.repeat(390_000);
    for (const n of [0, 1, 2, 3, 4]) await putItem(table, { pk: 'large', sk: sortKey(n), n, body });
    const large = { ...ALL, values: { ...ALL.values, pk: 'large' }, limit: 4 };
    expect(numbersIn((await queryPage(table, large)).items)).toEqual([0, 1, 2, 3]);
  });
});

describe('a list', () => {
  it('is read to its end, newest first or oldest first', async () => {
    expect(numbersIn(await Array.fromAsync(wholeList(table, 'SOME')))).toEqual(numbers.toReversed());
    expect(numbersIn(await Array.fromAsync(wholeList(table, 'SOME', { oldestFirst: true })))).toEqual(numbers);
    expect(await Array.fromAsync(wholeList(table, 'NONE'))).toEqual([]);
  });

  it('has pages of what is read from its items', async () => {
    const first = await listPage(table, 'SOME', { limit: 2 }, ({ n }) => Number(n));
    expect(first).toEqual({ items: [COUNT - 1, COUNT - 2], nextCursor: expect.any(String) });
  });
});
