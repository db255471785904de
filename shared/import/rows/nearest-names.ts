/** The maximum number of suggestions. */
const SUGGESTIONS_MAX = 3;
/** Names that begin with the same letters, at least this many, are similar. */
const COMMON_PREFIX_MIN = 4;

/** The names most similar to a mistyped one: a few letters away, ignoring case, or with the same first letters. */
export function nearestNames(mistyped: string, names: readonly string[]): string[] {
  const typed = mistyped.toLowerCase();
  const near = names.flatMap((name) => {
    const other = name.toLowerCase();
    const distance = editDistance(typed, other);
    const isNear = distance <= Math.max(1, Math.floor(typed.length / 4)) || samePrefix(typed, other);
    return isNear ? [{ name, distance }] : [];
  });
  return near
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

function samePrefix(a: string, b: string): boolean {
  return (
    a.length >= COMMON_PREFIX_MIN &&
    b.length >= COMMON_PREFIX_MIN &&
    a.slice(0, COMMON_PREFIX_MIN) === b.slice(0, COMMON_PREFIX_MIN)
  );
}

/** The number of letters to insert, remove or replace to turn `a` into `b`. */
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
