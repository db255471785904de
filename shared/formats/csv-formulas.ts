/**
 * Spreadsheets run cells that begin like a formula, and records come from strangers: `=HYPERLINK(…)` as the name of a
 * business would send the neighbouring cells away (OWASP, "CSV Injection"). An apostrophe in front makes a cell text.
 */

/** `raw`: unchanged cells, for programs. */
export const CSV_FORMULAS = ['guarded', 'raw'] as const;
export type CsvFormulas = (typeof CSV_FORMULAS)[number];

/** A spreadsheet takes a cell that begins like this for a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/;

export const guardedCell = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
