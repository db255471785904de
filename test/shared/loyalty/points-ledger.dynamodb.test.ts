import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  balanceOf,
  balancesOf,
  type PointsEntry,
  pointsWrites,
} from '../../../shared/loyalty/points-ledger.dynamodb.ts';
import { marshalled, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'points');
});
afterAll(() => endpoint.close());

const entry = (customer: string, id: string, points: number): PointsEntry => ({
  tenant: 'acme',
  customer,
  id,
  points,
  source: 'check-in',
  at: '2026-11-15T10:30:00.000Z',
  details: { place: 'place-1', venue: 4_503_599_627_370_495 },
});
const enter = (one: PointsEntry) => transact(table, pointsWrites(table.name, one));

async function ledgerOf(customer: string) {
  const { Items: items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: marshalled({ ':pk': `POINTS#acme#${customer}` }),
    }),
  );
  const all = items.map((item) => unmarshall(item));
  return {
    entries: all.filter(({ sk }) => String(sk).startsWith('ENTRY#')),
    balance: all.find(({ sk }) => sk === 'BALANCE'),
  };
}

describe('the points of a customer', () => {
  it('are zero before the first entry', async () => {
    expect(await balanceOf(table, { tenant: 'acme', id: 'nobody' })).toBe(0);
    expect(await balancesOf(table, [])).toEqual([]);
  });

  it('are the sum of the ledger, however entries of one customer race', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 8 }),
        async (id, points) => {
          const outcomes = await Promise.all(points.map((each, n) => enter(entry(id, `e${n}`, each))));
          expect(outcomes.every(({ done }) => done)).toBe(true);
          const sum = points.reduce((total, each) => total + each, 0);
          expect(await balanceOf(table, { tenant: 'acme', id })).toBe(sum);
          const { entries, balance } = await ledgerOf(id);
          expect(entries.map((one) => one['points'] as number).reduce((total, each) => total + each, 0)).toBe(sum);
          expect(balance?.['entries'] ?? 0).toBe(entries.length);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are entered once when 10 callers enter the same', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => enter(entry('once', 'same', 5))));
    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    for (const outcome of outcomes.filter(({ done }) => !done)) {
      expect(outcome).toMatchObject({ refused: [{}, undefined] });
    }
    expect(await balanceOf(table, { tenant: 'acme', id: 'once' })).toBe(5);
  });

  it('change with all that the transaction writes, or not at all', async () => {
    const forbidden = {
      ConditionCheck: {
        TableName: table.name,
        Key: marshalled({ pk: 'no', sk: 'no' }),
        ConditionExpression: 'attribute_exists(pk)',
      },
    };
    const outcome = await transact(table, [...pointsWrites(table.name, entry('all', 'e1', 5)), forbidden]);
    expect(outcome.done).toBe(false);
    expect(await ledgerOf('all')).toEqual({ entries: [], balance: undefined });
  });

  it('are integers, and 0 is entered too', async () => {
    for (const points of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => pointsWrites(table.name, entry('odd', 'e1', points))).toThrow('not a valid number of points');
    }
    await enter(entry('zero', 'e1', 0));
    expect((await ledgerOf('zero')).entries).toHaveLength(1);
    expect(await balanceOf(table, { tenant: 'acme', id: 'zero' })).toBe(0);
  });

  it('are separate per tenant, and read for many customers in their order', async () => {
    await enter(entry('many-1', 'e1', 1));
    await enter(entry('many-2', 'e1', 2));
    await enter({ ...entry('many-1', 'e1', 100), tenant: 'other' });
    const keys = ['many-2', 'nobody', 'many-1'].map((id) => ({ tenant: 'acme', id }));
    expect(await balancesOf(table, keys)).toEqual([2, 0, 1]);
    expect(await balanceOf(table, { tenant: 'other', id: 'many-1' })).toBe(100);
  });

  it('cost an entry of less than 1 KB, with the longest ids that there are', () => {
    const long = { ...entry('c'.repeat(100), 'i'.repeat(60), 1_000_000), tenant: 't'.repeat(63) };
    const details = { place: 'p'.repeat(64), app: 'a'.repeat(30), venue: 4_503_599_627_370_495 };
    const [put] = pointsWrites(table.name, { ...long, details });
    expect(Buffer.byteLength(JSON.stringify(unmarshall(put?.Put?.Item ?? {})))).toBeLessThan(1_024);
  });
});
