/**
 * A range of the index: sort keys of one partition, from the first to the last possible one, both included. A sort key
 * is `<leaf>#<place id>`.
 */
export interface IndexRange {
  readonly cell: string;
  readonly from: string;
  readonly to: string;
}

/** Sorts before every character of a place id, and after the end of a key. */
const JUST_AFTER = '!';
/** Sorts after every character of a place id. */
const LAST = '~';

/** The range of all sort keys of these leaves. */
export const keysOf = ({ cell, from, to }: IndexRange): IndexRange => ({ cell, from, to: `${to}${LAST}` });

const isEmpty = ({ from, to }: IndexRange): boolean => from > to;

/** Splits a range at a key: the part before it, and the part that starts with it. */
export const halves = (range: IndexRange, key: string): [before: IndexRange, from: IndexRange] => [
  { ...range, to: justBefore(key) },
  { ...range, from: key },
];

/** The part after a key, and the part before it. */
export const rangeAfter = (range: IndexRange, key: string): IndexRange => ({ ...range, from: `${key}${JUST_AFTER}` });
const rangeBefore = (range: IndexRange, key: string): IndexRange => ({ ...range, to: justBefore(key) });

/** The parts of a range outside another one. */
export function without(range: IndexRange, other: IndexRange): IndexRange[] {
  if (isEmpty(other) || range.cell !== other.cell || other.to < range.from || range.to < other.from) return [range];
  return [rangeBefore(range, other.from), rangeAfter(range, other.to)].filter((piece) => !isEmpty(piece));
}

/** The part of a range inside another one. */
export function rangeWithin(range: IndexRange, other: IndexRange): IndexRange[] {
  if (range.cell !== other.cell) return [];
  const from = range.from > other.from ? range.from : other.from;
  const to = range.to < other.to ? range.to : other.to;
  return from > to ? [] : [{ ...range, from, to }];
}

/** The greatest bound below a key and all keys that start with it. */
function justBefore(key: string): string {
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}${LAST}`;
}
