import { LRUCache } from 'lru-cache';

/** The currencies that a sign may stand for, the most common first. Written without spaces and points, in upper case. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  EURO: ['EUR'],
  EUROS: ['EUR'],
  '£': ['GBP'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'ARS', 'CLP', 'COP', 'UYU', 'BRL'],
  US$: ['USD'],
  USD$: ['USD'],
  C$: ['CAD', 'NIO'],
  CA$: ['CAD'],
  CAD$: ['CAD'],
  A$: ['AUD'],
  AU$: ['AUD'],
  AUD$: ['AUD'],
  NZ$: ['NZD'],
  HK$: ['HKD'],
  S$: ['SGD'],
  SG$: ['SGD'],
  NT$: ['TWD'],
  MX$: ['MXN'],
  R$: ['BRL'],
  '¥': ['JPY', 'CNY'],
  円: ['JPY'],
  元: ['CNY'],
  RMB: ['CNY'],
  '₩': ['KRW'],
  '₹': ['INR'],
  RS: ['INR', 'PKR', 'LKR', 'NPR', 'MUR', 'SCR'],
  '₽': ['RUB'],
  РУБ: ['RUB'],
  '₺': ['TRY'],
  TL: ['TRY'],
  '₴': ['UAH'],
  '₪': ['ILS'],
  '₫': ['VND'],
  '฿': ['THB'],
  '₱': ['PHP'],
  '₦': ['NGN'],
  '₡': ['CRC'],
  '₲': ['PYG'],
  '₸': ['KZT'],
  '₼': ['AZN'],
  '₾': ['GEL'],
  ZŁ: ['PLN'],
  KČ: ['CZK'],
  FT: ['HUF'],
  ЛВ: ['BGN'],
  LEI: ['RON', 'MDL'],
  KR: ['SEK', 'NOK', 'DKK', 'ISK'],
  FR: ['CHF'],
  SFR: ['CHF'],
  R: ['ZAR'],
};

/** The currencies that a sign such as `€`, `US$` or `kr` may mean; none if it is no sign. */
export function currenciesOfSign(sign: string): readonly string[] {
  const key = plainSign(sign);
  return Object.hasOwn(SIGNS, key) ? (SIGNS[key] ?? []) : [];
}

/** Cached, because creating a format is slow and a record may hold thousands of prices. */
const localSigns = new LRUCache<string, string>({ max: 1_000 });

/** Returns whether the locale uses the sign for the currency: `$` is USD in `en-US` and CAD in `en-CA`. */
export function isLocalSign(sign: string, currency: string, locale: string): boolean {
  const key = `${locale} ${currency}`;
  const local = localSigns.get(key) ?? localSign(currency, locale);
  localSigns.set(key, local);
  return local === plainSign(sign);
}

function localSign(currency: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  return plainSign(parts.find(({ type }) => type === 'currency')?.value.normalize('NFKC') ?? '');
}

const plainSign = (sign: string): string => sign.replace(/[\s.]/g, '').toUpperCase();
