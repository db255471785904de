import { editDistance } from '#shared/formats/edit-distance';

/** The maximum number of suggestions. */
const SUGGESTIONS_MAX = 3;
/** Names that begin with the same letters, at least this many, are similar. */
const COMMON_PREFIX_MIN = 4;

/** The names most similar to a mistyped one: a few letters away, ignoring case, or with the same first letters. */
export function nearestNames(mistyped: string, names: readonly string[]): string[] {
  const typed = mistyped.toLowerCase();
  const near = names.flatMap((name) => {
    const other = name.toLowerCase();
    const distance = editDistance(typed, other, Number.POSITIVE_INFINITY);
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
