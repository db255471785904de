/** Sorted, disjoint ranges of code points, both ends included. */
export type CharSet = readonly (readonly [first: number, last: number])[];

const LAST = 0x10ffff;

export const NONE: CharSet = [];
export const ANY: CharSet = [[0, LAST]];
export const DIGITS: CharSet = [[0x30, 0x39]];
export const WORD: CharSet = union([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
export const SPACE: CharSet = union([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
export const LINE_ENDS: CharSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

export const only = (codePoint: number): CharSet => [[codePoint, codePoint]];

export function union(...sets: readonly CharSet[]): CharSet {
  const ranges = sets.flat().sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const [first, last] of ranges) {
    const open = joined.at(-1);
    if (open && first <= open[1] + 1) open[1] = Math.max(open[1], last);
    else joined.push([first, last]);
  }
  return joined;
}

export function complement(set: CharSet): CharSet {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [first, last] of set) {
    if (first > next) rest.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= LAST) rest.push([next, LAST]);
  return rest;
}

export function overlap(one: CharSet, other: CharSet): boolean {
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    const [a, b] = [one[i]!, other[j]!];
    if (a[1] < b[0]) i += 1;
    else if (b[1] < a[0]) j += 1;
    else return true;
  }
  return false;
}

/** Latin characters, which are looked up one by one for a Unicode property; lone surrogates are not among them. */
const LATIN = Array.from({ length: 0x300 }, (_, code) => String.fromCodePoint(code));

/**
 * The characters of `\p{...}` or `\P{...}`: exact for Latin text, and everything beyond it. A set that is too large is
 * safe: it makes two parts of a pattern overlap that do not. Its complement would be too small, so nobody may take it.
 */
export function propertySet(escape: string): CharSet {
  const inProperty = new RegExp(escape, 'u');
  const found = LATIN.flatMap((char, code): CharSet => (inProperty.test(char) ? only(code) : NONE));
  return union(found, [[LATIN.length, LAST]]);
}
