import { editDistance, lettersOf } from './labels.ts';

export interface StoreMatch {
  readonly name: string;
  /** Otherwise it may be another store with a like name. */
  readonly certain: boolean;
}

/** Share of the letters of a name that may be misread. */
const CERTAIN = 0.2;
const POSSIBLE = 0.4;

/** The one of these names that a row of the head shows. */
export function matchStore(
  read: { readonly store?: string | undefined; readonly head: readonly string[] },
  names: readonly string[],
): StoreMatch | undefined {
  const rows = [...(read.store === undefined ? [] : [read.store]), ...read.head].map(plain);
  const ranked = names
    .map((name) => ({ name, errors: Math.min(1, ...rows.map((row) => errorsIn(row, plain(name)))) }))
    .sort((a, b) => a.errors - b.errors);
  const [best] = ranked;
  if (!best || best.errors > POSSIBLE) return undefined;
  return { name: best.name, certain: best.errors <= CERTAIN };
}

const plain = (text: string) => lettersOf(text).join('');

function errorsIn(row: string, name: string): number {
  if (name === '') return 1;
  if (row.includes(name)) return 0;
  return editDistance(row, name, name.length) / name.length;
}
