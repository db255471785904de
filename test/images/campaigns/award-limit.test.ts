import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AWARD_SHARDS, openShard, shardLimits } from '../../../functions/images/campaigns/award-limit.ts';

const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
const Counts = fc.array(fc.nat(40), {
  minLength: AWARD_SHARDS,
  maxLength: AWARD_SHARDS,
});
const Maximum = fc.integer({ min: 1, max: 400 });

/** A writer reads the counts, perhaps with a limit that is changed afterwards, and writes later. */
const Step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      random: fc.nat(999),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      nth: fc.nat(999),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      maxAwards: Maximum,
    }),
  },
);

describe('shards of a campaign with a limit', () => {
  it('together count as many awards as the campaign has, however they were filled', () => {
    fc.assert(
      fc.property(Counts, Maximum, (counts, maxAwards) => {
        const limits = shardLimits(counts, maxAwards);
        expect(total(limits)).toBe(Math.max(maxAwards, total(counts)));
        expect(limits.every((limit, shard) => limit >= counts[shard]!)).toBe(true);
      }),
    );
  });

  it('keep their limits while awards are counted within them', () => {
    fc.assert(
      fc.property(Counts, Maximum, fc.array(fc.nat(999)), (counts, maxAwards, picks) => {
        const limits = shardLimits(counts, maxAwards);
        const now = [...counts];
        for (const pick of picks) {
          const open = openShard(now, {
            maxAwards,
            random: () => pick / 1_000,
          });
          if (open) now[open.shard]! += 1;
          expect(shardLimits(now, maxAwards)).toEqual(limits);
        }
      }),
    );
  });

  it('never count more awards than the highest limit, with writers that have read at any time before', () => {
    fc.assert(
      fc.property(Maximum, fc.array(Step, { maxLength: 600, size: 'max' }), (first, steps) => {
        const counts = Array.from({ length: AWARD_SHARDS }, () => 0);
        const waiting: { shard: number; limit: number }[] = [];
        let [maxAwards, highest] = [first, first];
        for (const step of steps) {
          if (step.kind === 'limit') {
            maxAwards = step.maxAwards;
            highest = Math.max(highest, maxAwards);
          } else if (step.kind === 'read') {
            const open = openShard([...counts], {
              maxAwards,
              random: () => step.random / 1_000,
            });
            if (open) waiting.push(open);
            else expect(total(counts)).toBeGreaterThanOrEqual(maxAwards);
          } else if (waiting.length > 0) {
            const [{ shard, limit }] = waiting.splice(step.nth % waiting.length, 1) as [(typeof waiting)[0]];
            if (counts[shard]! < limit) counts[shard]! += 1;
          }
          expect(total(counts)).toBeLessThanOrEqual(highest);
        }
      }),
    );
  });

  it('count no further award after the limit was lowered below what was awarded', () => {
    const counts = Array.from({ length: AWARD_SHARDS }, (_, shard) => (shard === 3 ? 30 : 0));
    expect(openShard(counts, { maxAwards: 20, random: () => 0 })).toBeUndefined();
    expect(total(shardLimits(counts, 31))).toBe(31);
  });
});
