import type { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableIds } from '../../../shared/table/integer-ids.dynamodb.ts';
import { type IdBlock, type IntegerIds, integerIds } from '../../../shared/table/integer-ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'ids');
});
afterAll(() => endpoint.close());

/** A counter in memory: each write may be lost with its answer, made twice, or made. */
function counter(fates: readonly ('made' | 'answer-lost' | 'made-twice' | 'not-made')[]) {
  let last = 0;
  let writes = 0;
  return {
    writes: () => writes,
    reserve: async (_sequence: string, count: number): Promise<IdBlock> => {
      const fate = fates[writes % Math.max(1, fates.length)] ?? 'made';
      writes += 1;
      await Promise.resolve();
      if (fate === 'not-made') throw new Error('The table does not answer.');
      last += fate === 'made-twice' ? 2 * count : count;
      if (fate === 'answer-lost') throw new Error('The answer was lost.');
      return { first: last - count + 1, end: last + 1 };
    },
  };
}

describe('integer ids', () => {
  it('are unique across instances, crashes and repeated writes', async () => {
    const fate = fc.constantFrom('made', 'answer-lost', 'made-twice', 'not-made' as const);
    const step = fc.record({
      instance: fc.nat({ max: 2 }),
      calls: fc.integer({ min: 1, max: 15 }),
      dies: fc.boolean(),
    });
    const runs = fc.asyncProperty(fc.array(fate), fc.array(step, { maxLength: 15 }), async (fates, steps) => {
      const { reserve } = counter(fates);
      const instances: IntegerIds[] = Array.from({ length: 3 }, () => integerIds(reserve, 20));
      const given: number[] = [];
      for (const { instance, calls, dies } of steps) {
        const ids = instances[instance] ?? integerIds(reserve);
        const outcomes = await Promise.allSettled(Array.from({ length: calls }, () => ids.next('a')));
        given.push(...outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
        if (dies) instances[instance] = integerIds(reserve, 20);
      }
      expect(new Set(given).size).toBe(given.length);
      expect(given.every((id) => Number.isSafeInteger(id) && id >= 1)).toBe(true);
    });
    await fc.assert(runs, { numRuns: 200 });
  });

  it('take one write for ten ids, then for a hundred, then for every thousand', async () => {
    const { reserve, writes } = counter([]);
    const ids = integerIds(reserve);
    const writesAfter = async (count: number) => {
      const given = await Promise.all(Array.from({ length: count }, () => ids.next('a')));
      return [given.at(-1), writes()];
    };
    expect(await writesAfter(10)).toEqual([10, 1]);
    expect(await writesAfter(100)).toEqual([110, 2]);
    expect(await writesAfter(2_000)).toEqual([2_110, 4]);
  });

  it('are given again only when they were given back', async () => {
    const ids = integerIds(counter([]).reserve);
    expect([await ids.next('a'), await ids.next('a')]).toEqual([1, 2]);
    ids.giveBack('a', 1);
    expect([await ids.next('a'), await ids.next('a')]).toEqual([1, 3]);
  });
});

describe('sequences in a table', () => {
  it('grow from 1 each, and never give an id twice to functions that take them at the same time', async () => {
    const functions = Array.from({ length: 4 }, () => tableIds(table));
    const take = async (sequence: string) =>
      (await Promise.all(functions.flatMap((ids) => Array.from({ length: 60 }, () => ids.next(sequence))))).toSorted(
        (a, b) => a - b,
      );
    for (const sequence of ['acme#venue', 'other#venue']) {
      const given = await take(sequence);
      expect(given[0]).toBe(1);
      expect(new Set(given).size).toBe(240);
      expect(given.at(-1)).toBeLessThanOrEqual(440);
    }
  });

  it('with a block of one grow with time, whichever function takes', async () => {
    const [one, other] = [tableIds(table, 1), tableIds(table, 1)];
    const given: number[] = [];
    for (let n = 0; n < 6; n += 1) given.push(await (n % 2 === 0 ? one : other).next('request'));
    expect(given).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('skip a block whose answer was lost', async () => {
    let loses = true;
    const client = {
      async send(command: UpdateItemCommand) {
        const answer = await table.client.send(command);
        if (!loses) return answer;
        loses = false;
        throw new Error('The answer was lost.');
      },
    } as unknown as Table['client'];
    const ids = tableIds({ name: table.name, client });
    await expect(ids.next('lossy')).rejects.toThrow('lost');
    expect([await ids.next('lossy'), await tableIds(table).next('lossy')]).toEqual([11, 21]);
  });
});
