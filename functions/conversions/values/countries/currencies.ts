import list from 'currency-codes';

export interface Currency {
  /** ISO 4217. */
  readonly code: string;
  /** Three digits. */
  readonly numeric: string;
  readonly name: string;
  /** Digits after the point: 2 for cents, 0 for yen. */
  readonly minorDigits: number;
}

/** Currencies that are newer than the list. */
const LATER: readonly Currency[] = [{ code: 'XCG', numeric: '532', name: 'Caribbean Guilder', minorDigits: 2 }];

const published = list.data.map(
  ({ code, number, currency, digits }): Currency => ({ code, numeric: number, name: currency, minorDigits: digits }),
);
const byCode: ReadonlyMap<string, Currency> = new Map([...LATER, ...published].map((each) => [each.code, each]));

/** The currency of an ISO 4217 code in capitals. */
export const currencyOf = (code: string): Currency | undefined => byCode.get(code);

export const minorDigits = (code: string): number | undefined => byCode.get(code)?.minorDigits;
