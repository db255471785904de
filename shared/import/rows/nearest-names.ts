/** The most names that are suggested for one. */
const MOST = 3;
/** Letters at the beginning that make two names alike. */
const PREFIX = 4;

/** The names most like a mistyped one: a few letters away, ignoring case, or with the same beginning. */
export function nearestNames(mistyped: string, names: readonly string[]): string[] {
  const wanted = mistyped.toLowerCase();
  const near = names.flatMap((name) => {
    const other = name.toLowerCase();
    const distance = editDistance(wanted, other);
    const isNear = distance <= Math.max(1, Math.floor(wanted.length / 4)) || samePrefix(wanted, other);
    return isNear ? [{ name, distance }] : [];
  });
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ name }) => name);
}

function samePrefix(a: string, b: string): boolean {
  return a.length >= PREFIX && b.length >= PREFIX && a.slice(0, PREFIX) === b.slice(0, PREFIX);
}

/** Letters to insert, remove or replace to make `b` of `a`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
