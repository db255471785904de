/**
 * Control characters and zero-width marks that web pages and spreadsheets leave in copied text. Joiners are excluded:
 * Persian, Hindi and emoji need them.
 */
const INVISIBLE = /[[\p{Cc}--[\t\n\v\f\r]]\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gv;

/** A text of one line: composed characters (NFC), single spaces, none at the ends. */
export function tidyLine(text: string): string {
  return text.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim().normalize('NFC');
}

/** A text of several lines: each is tidied, empty ones are removed. */
export function tidyLines(text: string): string[] {
  return text
    .split(/[\r\n\u2028\u2029]+/)
    .map(tidyLine)
    .filter((line) => line !== '');
}

/** A text for parsing, not for storage: full-width digits, ligatures and fractions become plain characters. */
export function plainText(text: string): string {
  return tidyLine(text.normalize('NFKC'));
}
