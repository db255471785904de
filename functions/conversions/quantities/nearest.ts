/** The choice whose text differs least from the wanted one, the first of equals; undefined when all differ by more than the limit. */
export function nearest<T>(wanted: string, choices: Iterable<readonly [string, T]>, limit: number): T | undefined {
  let best: T | undefined;
  let allowed = limit;
  for (const [text, choice] of choices) {
    if (allowed < 0) break;
    const distance = editDistance(wanted, text, allowed);
    if (distance > allowed) continue;
    best = choice;
    allowed = distance - 1;
  }
  return best;
}

/** Letters to add, leave out, replace or swap with their neighbour. Beyond the limit any greater number may come out. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      least = Math.min(least, cost);
      row.push(cost);
    }
    if (least > limit) return limit + 1;
    [before, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
