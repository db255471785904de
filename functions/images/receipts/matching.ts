import { editDistance, lettersOf } from './labels.ts';
import type { Locale } from './locales.ts';
import type { ReadReceipt } from './receipt.ts';

/** Share of the letters of a name that may be misread. */
const STORE_ERROR = 0.2;
const PRODUCT_ERROR = 0.25;
/** Fewer letters in common are chance. */
const LETTERS_MIN = 4;
/** Names run over at most so many rows. */
const ROWS_MAX = 3;
/** Words that state the form of a company: print often leaves them out, and lists as well. */
const FORMS = new Set([
  'SDN',
  'BHD',
  'BERHAD',
  'INC',
  'LLC',
  'LTD',
  'PLC',
  'CO',
  'CORP',
  'GMBH',
  'PTE',
  'PTY',
  'M',
  'AG',
  'KG',
]);

/** The listed name that the head of the receipt holds best; undefined if it holds none. @param most share of misread letters */
export function matchStore(
  { store = '', head }: Pick<ReadReceipt, 'store' | 'head'>,
  names: readonly string[],
  most: number = STORE_ERROR,
): string | undefined {
  const rows = [store, ...head.flatMap((_, at) => spans(head, at))].map(lettersOf).filter((words) => words.length > 0);
  return best(names, (name) => {
    const whole = lettersOf(name);
    const bare = withoutForms(whole);
    const errors = rows.flatMap((row) => [errorOf(row, whole, most), errorOf(withoutForms(row), bare, most)]);
    return { error: Math.min(1, ...errors), most, letters: bare.join('').length };
  });
}

/** Shorter words, such as THE or MART, stand in many names. */
const WORD_LETTERS_MIN = 5;

/**
 * Whether the name that was read is that of none of these stores: it has a word of which names of companies consist, and
 * the head holds no word that is one of theirs alone. A logo, or a name that is cut off, would leave another line for it.
 */
export function namesOtherStore(
  { store = '', head }: Pick<ReadReceipt, 'store' | 'head'>,
  names: readonly string[],
  { companyWords, companyForms }: Pick<Locale, 'companyWords' | 'companyForms'>,
): boolean {
  const common = new Set([...companyWords, ...companyForms]);
  const own = names.flatMap(lettersOf).filter((word) => word.length >= WORD_LETTERS_MIN && !common.has(word));
  const shares = [store, ...head].flatMap(lettersOf).some((word) => own.some((one) => editDistance(word, one, 1) <= 1));
  return !shares && lettersOf(store).some((word) => common.has(word));
}

export interface Product {
  readonly name: string;
  readonly upc?: string | undefined;
}

/** The listed product that was bought: by its code, or else by its name. @param most share of misread letters */
export function matchProduct<Listed extends Product>(
  { name, code }: { readonly name: string; readonly code?: string | undefined },
  products: readonly Listed[],
  most: number = PRODUCT_ERROR,
): Listed | undefined {
  const coded = code === undefined ? undefined : products.find(({ upc }) => upc !== undefined && sameCode(upc, code));
  if (coded) return coded;
  const words = lettersOf(name);
  return best(products, (product) => {
    const name = lettersOf(product.name);
    return { error: errorOf(words, name, most), most, letters: name.join('').length };
  });
}

/** Leading zeros tell a UPC from an EAN, and nothing else. */
const sameCode = (a: string, b: string) => a.replace(/^0+/, '') === b.replace(/^0+/, '');

interface Likeness {
  readonly error: number;
  readonly most: number;
  readonly letters: number;
}

/** Of equally good ones the longest: its name says more. */
function best<T>(listed: readonly T[], likeness: (one: T) => Likeness): T | undefined {
  const ranked = listed
    .map((one) => ({ one, ...likeness(one) }))
    .filter(({ error, most, letters }) => error <= most && letters >= LETTERS_MIN)
    .sort((a, b) => a.error - b.error || b.letters - a.letters);
  return ranked[0]?.one;
}

/** Rows from one on: alone, and with those that follow it. */
function spans(rows: readonly string[], from: number): string[] {
  return Array.from({ length: Math.min(ROWS_MAX, rows.length - from) }, (_, more) =>
    rows.slice(from, from + more + 1).join(' '),
  );
}

const withoutForms = (words: readonly string[]) => words.filter((word) => !FORMS.has(word));

/** Least share of the letters of the name that differ from any words in sequence, of about as many letters. */
function errorOf(words: readonly string[], name: readonly string[], share: number): number {
  const joined = name.join('');
  if (joined === '') return 1;
  const most = Math.floor(joined.length * share);
  let least = most + 1;
  for (let from = 0; from < words.length && least > 0; from += 1) {
    let text = '';
    for (let to = from; to < words.length && text.length <= joined.length + most; to += 1) {
      text += words[to]!;
      least = Math.min(least, editDistance(text, joined, most));
    }
  }
  return least > most ? 1 : least / joined.length;
}
