/** What a line at the foot of a receipt states. */
export type Label =
  | 'count'
  | 'discount'
  | 'rounded-total'
  | 'rounding'
  | 'change'
  | 'subtotal'
  | 'tax-summary'
  | 'tax'
  | 'service'
  | 'total'
  | 'tender'
  | 'header';

/** Phrases in the order in which they are tried: the first that a line holds decides what it states. */
export type Phrases = readonly (readonly [Label, readonly string[]])[];

/** How receipts of a country are written. */
export interface Locale {
  readonly country: string;
  /** In which its days begin; where it has several, that of most of its people. */
  readonly timeZone: string;
  readonly currency: string;
  /** What print and misreading make of the sign of the currency before an amount. */
  readonly currencyMarks: readonly string[];
  /** What misreading makes of the letter of a tax that stands close behind an amount. */
  readonly taxLetterLike?: string | undefined;
  readonly dayFirst: boolean;
  readonly decimalMark: '.' | ',';
  readonly phrases: Phrases;
  /** Words of which names of companies consist, and hardly any other line. */
  readonly companyWords: readonly string[];
  /** Words that state the form of a company and nothing else. */
  readonly companyForms: readonly string[];
  /** Words with which lines of an address or of the particulars of a company begin, or that they hold. */
  readonly addressWords: readonly string[];
  /** States and postal codes in capitals, without any signs but spaces: the groups of each pattern are the regions. */
  readonly regions: readonly RegExp[];
}
