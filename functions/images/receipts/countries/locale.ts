/** The meaning of a line at the foot of a receipt. */
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

/** Phrases in the order in which they are tried: the first match decides the meaning of a line. */
export type Phrases = readonly (readonly [Label, readonly string[]])[];

/** Describes how receipts of a country are written. */
export interface Locale {
  readonly country: string;
  /**
   * Whether receipts of the country are decided without a person unless the campaign says otherwise. True where it was
   * measured on real receipts how often that is right.
   */
  readonly decidesAlone: boolean;
  /** The time zone of its days; in a country with several, that of most of its people. */
  readonly timeZone: string;
  readonly currency: string;
  /** The forms of the currency sign before an amount, as printed or misread. */
  readonly currencyMarks: readonly string[];
  /** The character that a tax letter right after an amount is misread as. */
  readonly taxLetterLike?: string | undefined;
  /** Tax codes of three letters that follow an amount. Shorter ones need no list. */
  readonly taxCodes?: readonly string[] | undefined;
  readonly dayFirst: boolean;
  readonly decimalMark: '.' | ',';
  readonly phrases: Phrases;
  /** Words that occur in company names and hardly in other lines. */
  readonly companyWords: readonly string[];
  /** Words that state the legal form of a company and nothing else. */
  readonly companyForms: readonly string[];
  /** Words that mark lines with an address or with company details. */
  readonly addressWords: readonly string[];
  /**
   * Patterns of states and postal codes in capitals, with spaces as the only separators. Their groups are the regions.
   */
  readonly regions: readonly RegExp[];
}
