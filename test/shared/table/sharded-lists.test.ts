import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMerged, type Placed, shardOf } from '../../../shared/table/sharded-lists.ts';

const placed = (n: number): Placed & { readonly n: number } => ({ position: String(n).padStart(4, '0'), n });

/** Numbers, spread over lists that are each sorted. */
const Spread = fc.array(fc.nat(5), { maxLength: 80 });
async function* listOf(numbers: readonly number[]) {
  for (const n of numbers) yield placed(n);
}

describe('lists that are read as one', () => {
  it('return every entry once and in order, however they are spread and however many are taken', async () => {
    await fc.assert(
      fc.asyncProperty(Spread, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (spread, count, oldestFirst) => {
        const order = (numbers: number[]) => (oldestFirst ? numbers : numbers.toReversed());
        const inList = (list: number) => order(spread.flatMap((of, n) => (of === list ? [n] : [])));
        const merged = await openMerged(
          [0, 1, 2, 3, 4, 5].map((list) => listOf(inList(list))),
          { oldestFirst },
        );
        const taken: number[] = [];
        while (!merged.isOver()) {
          const entries = await merged.take(count);
          taken.push(...entries.map(({ n }) => n));
          expect(entries).toHaveLength(Math.min(count, spread.length - taken.length + entries.length));
        }
        expect(taken).toEqual(order(spread.map((_, n) => n)));
        expect(await merged.next()).toBeUndefined();
      }),
    );
  });

  it('are read no further than one entry beyond what was taken', async () => {
    let reads = 0;
    async function* counted() {
      for (let n = 9; n >= 0; n -= 1) {
        reads += 1;
        yield placed(n);
      }
    }
    const merged = await openMerged([counted(), listOf([])]);
    expect((await merged.take(3)).map(({ n }) => n)).toEqual([9, 8, 7]);
    expect(reads).toBe(4);
  });

  it('fail if one of them cannot be read', async () => {
    const broken = async function* (): AsyncGenerator<Placed, void> {
      yield placed(1);
      throw new Error('throttled');
    };
    const merged = await openMerged([listOf([0]), broken()]);
    await expect(merged.take(2)).rejects.toThrow('throttled');
  });
});

describe('the shard of an entry', () => {
  it('is always the same, and no shard has far more than its share', () => {
    const counts = Array.from({ length: 4 }, () => 0);
    for (let n = 0; n < 4_000; n += 1) {
      const shard = shardOf(`val_${n}`, 4);
      expect(shardOf(`val_${n}`, 4)).toBe(shard);
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});
