/**
 * The number of items among which a campaign with a limit counts its awards. One item takes some 60 awards a second
 * before its transactions conflict more often than they succeed.
 */
export const AWARD_SHARDS = 16;

/**
 * Returns how far each shard may count, so that all of them together count `maxAwards`. Every shard below the common
 * level may rise to it, the first ones to one more where the level leaves a remainder; those above it (the limit was
 * lowered) stay where they are. Awards that are counted within these limits do not change them, so whoever reads the
 * counts earlier or later gets the same ones.
 */
export function shardLimits(counts: readonly number[], maxAwards: number): number[] {
  const level = levelFor(counts, maxAwards);
  const limits = counts.map((count) => Math.max(count, level));
  let left = maxAwards - sum(limits);
  return limits.map((limit) => {
    if (limit > level || left <= 0) return limit;
    left -= 1;
    return limit + 1;
  });
}

/** Returns a random shard that may count one more award, or undefined if the campaign has none left. */
export function openShard(
  counts: readonly number[],
  { maxAwards, random }: { readonly maxAwards: number; readonly random: () => number },
): { readonly shard: number; readonly limit: number } | undefined {
  const open = shardLimits(counts, maxAwards)
    .map((limit, shard) => ({ shard, limit }))
    .filter(({ shard, limit }) => (counts[shard] ?? 0) < limit);
  return open[Math.floor(random() * open.length)];
}

/** Returns the highest level to which all shards can rise without exceeding the limit; 0 if nothing is left. */
function levelFor(counts: readonly number[], maxAwards: number): number {
  let low = 0;
  let high = maxAwards;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(counts.map((count) => Math.max(count, middle))) <= maxAwards) low = middle;
    else high = middle - 1;
  }
  return low;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
