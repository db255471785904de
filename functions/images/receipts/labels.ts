import type { Label, Locale } from './locales.ts';

const LETTER_OF: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 5: 'S', 8: 'B', '|': 'I', '@': 'A' };

/** Words for goods that differ by one letter from a word of a label. */
const GOODS = ['GROUND', 'TUNA', 'CUKA', 'REDONDO'];

/** Splits text into words in capitals, with digits among letters replaced by similar letters. */
export function lettersOf(text: string): string[] {
  return (
    text
      .toUpperCase()
      // A rate may be glued to its label: `TAX9.5%`, `GST@6%`.
      .split(/[^A-Z0-9@|]+|(?<=[A-Z]{3})@?(?=\d+[.,]?\d*%)/)
      .map((word) => (/[A-Z].*[A-Z]/.test(word) ? word.replace(/[0158|@]/g, (sign) => LETTER_OF[sign] ?? sign) : word))
      .filter((word) => word !== '')
  );
}

/** The meaning of a row with this text; undefined if it matches no phrase of the locale. */
export function labelOf(text: string, { phrases }: Pick<Locale, 'phrases'>): Label | undefined {
  const words = lettersOf(text);
  const phraseWords = wordsOf(phrases);
  return phrases.find(([label, spellings]) => {
    const within = NEAR_START.has(label) ? words.slice(0, NEAR_START_WORDS) : words;
    return spellings.some((phrase) => holds(within, phrase.split(' '), phraseWords));
  })?.[0];
}

/** Names of goods contain these words as well, but hardly start with them: `CUTTING DISC`. */
const NEAR_START: ReadonlySet<Label> = new Set(['discount']);
const NEAR_START_WORDS = 2;

const wordsOfPhrases = new WeakMap<Locale['phrases'], ReadonlySet<string>>();

function wordsOf(phrases: Locale['phrases']): ReadonlySet<string> {
  const words =
    wordsOfPhrases.get(phrases) ??
    new Set(
      phrases
        .flatMap(([, spellings]) => spellings)
        .flatMap((one) => one.split(' '))
        .concat(GOODS),
    );
  wordsOfPhrases.set(phrases, words);
  return words;
}

/**
 * True if the words contain the phrase, with as many wrong letters as its length permits. A word of `otherWords` is not
 * taken for another one: CHARGE is no misread CHANGE.
 */
export function holds(words: readonly string[], phrase: readonly string[], otherWords?: ReadonlySet<string>): boolean {
  const matches = (word: string, expected: string) =>
    word === expected || (!otherWords?.has(word) && alike(word, expected));
  for (let start = 0; start + phrase.length <= words.length; start += 1) {
    if (phrase.every((expected, at) => matches(words[start + at]!, expected))) return true;
  }
  // Narrow print glues words.
  return phrase.length > 1 && words.some((word) => matches(word, phrase.join('')));
}

const forgiven = (length: number) => (length < 5 ? 0 : length < 8 ? 1 : 2);

function alike(word: string, expected: string): boolean {
  return levenshteinDistance(word, expected, forgiven(expected.length)) <= forgiven(expected.length);
}

/** The letters to add, remove or replace; `most` + 1 if they are more than `most`. Readers of print swap no neighbours. */
export function levenshteinDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1));
    }
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length]!;
}
