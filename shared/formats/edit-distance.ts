/**
 * The edit distance: letters to add, remove, replace or swap with their neighbour. Above the limit any greater number
 * may be returned.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const width = b.length + 1;
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const costs = new Uint16Array((a.length + 1) * width);
  for (let j = 0; j < width; j++) costs[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    const row = i * width;
    costs[row] = i;
    let least = i;
    for (let j = 1; j < width; j++) {
      const at = row + j;
      const above = at - width;
      let cost = (costs[above - 1] ?? 0) + (letter === b.charCodeAt(j - 1) ? 0 : 1);
      cost = Math.min(cost, (costs[above] ?? 0) + 1, (costs[at - 1] ?? 0) + 1);
      const swapped = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (costs[above - width - 2] ?? 0) + 1);
      costs[at] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
  }
  return costs[a.length * width + b.length] ?? 0;
}
