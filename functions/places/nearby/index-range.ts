/**
 * A stretch of the index: sort keys of one partition, from the first to the last that may be there, both included. A
 * sort key is `<leaf>#<place id>`.
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

/** Every sort key of these leaves. */
export const keysOf = ({ cell, from, to }: IndexRange): IndexRange => ({ cell, from, to: `${to}${LAST}` });

const isEmpty = ({ from, to }: IndexRange): boolean => from > to;

/** What is before a key, and what begins with it. */
export const halves = (range: IndexRange, key: string): [before: IndexRange, from: IndexRange] => [
  { ...range, to: justBefore(key) },
  { ...range, from: key },
];

/** What comes after a key, and what comes before it. */
export const after = (range: IndexRange, key: string): IndexRange => ({ ...range, from: `${key}${JUST_AFTER}` });
const before = (range: IndexRange, key: string): IndexRange => ({ ...range, to: justBefore(key) });

/** The pieces of a range that lie outside of another one. */
export function without(range: IndexRange, known: IndexRange): IndexRange[] {
  if (isEmpty(known) || range.cell !== known.cell || known.to < range.from || range.to < known.from) return [range];
  return [before(range, known.from), after(range, known.to)].filter((piece) => !isEmpty(piece));
}

/** The part of a range that lies inside another one. */
export function within(range: IndexRange, other: IndexRange): IndexRange[] {
  if (range.cell !== other.cell) return [];
  const from = range.from > other.from ? range.from : other.from;
  const to = range.to < other.to ? range.to : other.to;
  return from > to ? [] : [{ ...range, from, to }];
}

/** The greatest bound that is below a key and all that begins with it. */
function justBefore(key: string): string {
  return `${key.slice(0, -1)}${String.fromCharCode(key.charCodeAt(key.length - 1) - 1)}${LAST}`;
}
