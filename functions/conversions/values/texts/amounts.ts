import { quoteForMessage } from '../../items/item-refusal.ts';
import { currencyOf } from '../countries/currencies.ts';
import { currenciesOfSign, isLocalSign } from './currency-signs.ts';
import { ambiguous, type Confidence, type Reading, read, unreadable } from './reading.ts';
import { plainText } from './tidy.ts';
import { readNumber } from './written-numbers.ts';

const CHARACTERS_MAX = 450;

export interface Amount {
  /** Decimal text in major units. */
  readonly amount: string;
  /** ISO 4217. Absent if neither the text nor the caller names one. */
  readonly currency?: string;
}

/** The context of an amount. Currencies are ISO 4217 codes. */
export interface AmountContext {
  readonly decimalMark?: '.' | ',' | undefined;
  readonly locale?: string | undefined;
  /** The currency that the record names. */
  readonly statedCurrency?: string | undefined;
  /** The currency that the caller assumes if the record names none. */
  readonly assumedCurrency?: string | undefined;
  /** The currency of the record's country: it only settles what a sign such as `$` means. */
  readonly localCurrency?: string | undefined;
}

/** Reads an amount of money in common notations: `€1.299,00`, `CHF 1'299.-`, `1 299 kr`. */
export function readAmount(text: string, context: AmountContext = {}): Reading<Amount> {
  const written = plainText(text);
  if (written.length > CHARACTERS_MAX) return unreadable('The text is too long for an amount.');
  const parts = partsOf(written);
  if (parts === undefined) return unreadable(`${quoteForMessage(text)} is not an amount.`);
  const currencies = currenciesIn(parts.signs);
  if (currencies?.length === 0) return unreadable(`${quoteForMessage(text)} names no currency that is known.`);
  const value = readNumber(parts.number, context.decimalMark);
  if (value.kind !== 'read') return value;
  const again = readNumber(value.value, context.decimalMark);
  // In a text such as `01.000` the leading zero settles the meaning of the dot; it is dropped here.
  if (again.kind !== 'read') return again;
  if (again.value !== value.value)
    return ambiguous(`${quoteForMessage(text)} has three decimals, which would read as thousands.`, [
      value.value,
      again.value,
    ]);
  const currency =
    currencies === undefined ? unnamed(context) : chosen(text, parts.signs[0] ?? '', currencies, context);
  if (currency.kind !== 'read') return currency;
  const confidence = lower(value.confidence, currency.confidence);
  return read({ amount: value.value, ...(currency.value === '' ? {} : { currency: currency.value }) }, confidence);
}

const AMOUNT = /^([^\d]*?)((?<!\p{L})[.,]?\d(?:[\d.,'’ ]*\d)?)(\D*)$/u;

/** The number with its sign for minus, and the texts before and after it; `,-` and `.–` stand for no cents. */
function partsOf(written: string): { readonly number: string; readonly signs: readonly string[] } | undefined {
  const [, head = '', number = '', tail = ''] = AMOUNT.exec(written) ?? [];
  if (number === '') return undefined;
  const [, outer = '', before = '', inner = ''] = /^([+\-−–]?) ?(.*?) ?([+\-−–]?)$/.exec(head.trim()) ?? [];
  const after = tail.replace(/^[.,](?: ?[-–—]+)?/, '').trim();
  const signs = [before, after].filter((sign) => sign !== '');
  return { number: (/[-−–]/.test(outer + inner) ? '-' : '') + number, signs };
}

/** The currencies that are compatible with both signs around the number; undefined if there is no sign. */
function currenciesIn(signs: readonly string[]): readonly string[] | undefined {
  if (signs.length === 0) return undefined;
  return signs.map(currenciesNamed).reduce((allowed, more) => allowed.filter((code) => more.includes(code)));
}

/** The currencies that a code or sign may mean; none if it is neither. */
export function currenciesNamed(text: string): readonly string[] {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{3}$/.test(code) && currencyOf(code) ? [code] : currenciesOfSign(text);
}

/** An amount without a sign is in the currency of the record or else of the caller; without either it has none. */
function unnamed({ statedCurrency, assumedCurrency: assumed }: AmountContext): Reading<string> {
  return read(
    statedCurrency ?? assumed ?? '',
    statedCurrency === undefined && assumed !== undefined ? 'medium' : 'high',
  );
}

function chosen(text: string, sign: string, currencies: readonly string[], context: AmountContext): Reading<string> {
  const { statedCurrency: currency, assumedCurrency: assumed, localCurrency: local, locale } = context;
  if (currency !== undefined) {
    if (currencies.includes(currency)) return read(currency);
    return ambiguous(`${quoteForMessage(text)} is not in ${currency}, the currency of the record.`, [
      currency,
      ...currencies,
    ]);
  }
  const [only] = currencies;
  if (only !== undefined && currencies.length === 1) return read(only);
  const likely =
    [assumed, local].find((code) => code !== undefined && currencies.includes(code)) ??
    (locale?.includes('-') ? currencies.find((code) => isLocalSign(sign, code, locale)) : undefined);
  if (likely !== undefined) return read(likely, 'medium');
  return ambiguous(`The sign in ${quoteForMessage(text)} belongs to several currencies. Set currency.`, currencies);
}

const ORDER: readonly Confidence[] = ['low', 'medium', 'high'];
const lower = (a: Confidence, b: Confidence): Confidence => (ORDER.indexOf(a) < ORDER.indexOf(b) ? a : b);

/** The amount in minor units (cents); undefined if it has more decimals than the currency. */
export function minorUnits(amount: string, currency: string): string | undefined {
  const digits = currencyOf(currency)?.minorDigits;
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const significant = decimals.replace(/0+$/, '');
  if (digits === undefined || whole === '' || significant.length > digits) return undefined;
  const units = `${whole}${significant.padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '');
  return units === '0' ? units : sign + units;
}
