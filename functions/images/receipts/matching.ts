import { lettersOf, levenshteinDistance } from './labels.ts';
import type { Locale } from './locales.ts';
import type { ReadReceipt } from './receipt.ts';

/** The share of a name's letters that may be misread. */
const STORE_ERROR = 0.2;
const PRODUCT_ERROR = 0.25;
/** Fewer common letters are chance. */
const LETTERS_MIN = 4;
/** A name spans at most this many rows. */
const ROWS_MAX = 3;
/** Words that state the legal form of a company. Print and lists often omit them. */
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

/**
 * The listed name that the head of the receipt matches best; undefined if it matches none.
 * @param most the share of misread letters that is allowed
 */
export function matchStore(
  { store = '', head }: Pick<ReadReceipt, 'store' | 'head'>,
  names: readonly string[],
  most: number = STORE_ERROR,
): string | undefined {
  const rows = [store, ...head.flatMap((_, at) => spans(head, at))].map(lettersOf).filter((words) => words.length > 0);
  return best(names, (name) => {
    const whole = lettersOf(name);
    const bare = withoutForms(whole);
    const wholeError = Math.min(1, ...rows.map((row) => errorOf(row, whole, most)));
    const error = Math.min(wholeError, ...rows.map((row) => errorOf(withoutForms(row), bare, most)));
    return { error, wholeError, most, letters: bare.join('').length };
  });
}

/** Shorter words, such as THE or MART, occur in many names. */
const WORD_LETTERS_MIN = 5;

/**
 * True if the name that was read belongs to none of these stores: it contains a typical company word, and the head
 * contains no word that is specific to one of them. Without these conditions, a logo or a cropped name would let
 * another line pass for the name.
 */
export function namesOtherStore(
  { store = '', head }: Pick<ReadReceipt, 'store' | 'head'>,
  names: readonly string[],
  { companyWords, companyForms }: Pick<Locale, 'companyWords' | 'companyForms'>,
): boolean {
  const common = new Set([...companyWords, ...companyForms]);
  const own = names.flatMap(lettersOf).filter((word) => word.length >= WORD_LETTERS_MIN && !common.has(word));
  const shares = [store, ...head]
    .flatMap(lettersOf)
    .some((word) => own.some((one) => levenshteinDistance(word, one, 1) <= 1));
  return !shares && lettersOf(store).some((word) => common.has(word));
}

export interface Product {
  readonly name: string;
  readonly upc?: string | undefined;
}

/**
 * The listed product that was bought, by its code or else by its name.
 * @param most the share of misread letters that is allowed
 */
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

/** Leading zeros distinguish a UPC from an EAN, and nothing else. */
const sameCode = (a: string, b: string) => a.replace(/^0+/, '') === b.replace(/^0+/, '');

interface Likeness {
  readonly error: number;
  /** The error with the legal form, by which companies of one group may differ. */
  readonly wholeError?: number;
  readonly most: number;
  readonly letters: number;
}

/** The best match; of equally good ones the longest, because its name says more. */
function best<T>(listed: readonly T[], likeness: (one: T) => Likeness): T | undefined {
  const ranked = listed
    .map((one) => ({ one, ...likeness(one) }))
    .filter(({ error, most, letters }) => error <= most && letters >= LETTERS_MIN)
    .sort((a, b) => a.error - b.error || b.letters - a.letters || (a.wholeError ?? 0) - (b.wholeError ?? 0));
  return ranked[0]?.one;
}

/** The row at an index alone, and joined with the rows that follow it. */
function spans(rows: readonly string[], from: number): string[] {
  return Array.from({ length: Math.min(ROWS_MAX, rows.length - from) }, (_, more) =>
    rows.slice(from, from + more + 1).join(' '),
  );
}

const withoutForms = (words: readonly string[]) => words.filter((word) => !FORMS.has(word));

/** The smallest share of the name's letters that differ from a sequence of words of similar length. */
function errorOf(words: readonly string[], name: readonly string[], share: number): number {
  const joined = name.join('');
  if (joined === '') return 1;
  const most = Math.floor(joined.length * share);
  let least = most + 1;
  for (let from = 0; from < words.length && least > 0; from += 1) {
    let text = '';
    for (let to = from; to < words.length && text.length <= joined.length + most; to += 1) {
      text += words[to]!;
      least = Math.min(least, levenshteinDistance(text, joined, most));
    }
  }
  return least > most ? 1 : least / joined.length;
}
