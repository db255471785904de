import { LRUCache } from 'lru-cache';

/** The number and date formats of a locale. */
export interface Conventions {
  readonly decimalMark: '.' | ',';
  /** The order of day and month where the year is last; absent if no such order is in use. */
  readonly dayMonthOrder?: 'day-first' | 'month-first';
  /** Subtag of the language, such as `de`. */
  readonly language: string;
}

/**
 * Cached, because asking the runtime takes milliseconds. The cache is bounded: callers may name far more locales than
 * are in use.
 */
const cache = new LRUCache<string, Conventions>({ max: 1_000 });

/** The conventions of a locale; undefined if this runtime has no data of it, because another locale would be a guess. */
export function conventionsOf(locale: string | undefined): Conventions | undefined {
  if (locale === undefined) return undefined;
  const conventions =
    cache.get(locale) ??
    (Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0 ? conventionsIn(locale) : undefined);
  if (conventions) cache.set(locale, conventions);
  return conventions;
}

function conventionsIn(locale: string): Conventions {
  const { language, region } = new Intl.Locale(locale);
  const dayMonthOrder = dayMonthOrderOf(locale, language, region);
  return {
    decimalMark: decimalMarkOf(locale),
    ...(dayMonthOrder === undefined ? {} : { dayMonthOrder }),
    language,
  };
}

/** Scripts with a decimal mark of their own count as scripts that use a point. */
function decimalMarkOf(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/** English without a region is ambiguous: Britain and the United States write dates in opposite orders. */
function dayMonthOrderOf(locale: string, language: string, region: string | undefined): Conventions['dayMonthOrder'] {
  if (language === 'en' && region === undefined) return undefined;
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const order = format.formatToParts(0).map(({ type }) => type);
  if (order.indexOf('year') < order.indexOf('month')) return undefined;
  return order.indexOf('day') < order.indexOf('month') ? 'day-first' : 'month-first';
}
