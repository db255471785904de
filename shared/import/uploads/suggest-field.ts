import type { MapFields } from '../rows/parse-import-map.ts';

/** Shorter prefixes match too many names. */
const PREFIX_LENGTH_MIN = 3;

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The field that a column is likely to fill: the one of its name, the one of its name without
 * case, spaces and punctuation (`Postal Code`), or the only one whose name begins with it (`lat`). Undefined if there is none.
 */
export function suggestionFor(column: string, { has, names }: Pick<MapFields, 'has' | 'names'>): string | undefined {
  if (has(column)) return column;
  const letters = lettersOf(column);
  const same = names.find((name) => lettersOf(name) === letters);
  if (same !== undefined || letters.length < PREFIX_LENGTH_MIN) return same;
  const [first, ...others] = names.filter((name) => !name.includes('.') && lettersOf(name).startsWith(letters));
  return others.length === 0 ? first : undefined;
}
