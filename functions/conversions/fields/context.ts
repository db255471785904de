import type { Options } from '../items/options.ts';
import type { Countries } from '../values/countries/countries.ts';
import type { Phone } from '../values/phones/phones.ts';
import type { unitOf } from '../values/quantities/unit-lookup.ts';
import { type Conventions, conventionsOf } from '../values/texts/conventions.ts';
import { tidyLine } from '../values/texts/tidy.ts';
import { namesOf } from './fields.ts';

/** Looks for the name that a misspelled one may mean. */
export interface Suggestions {
  readonly unit: typeof unitOf;
  /** An alpha-2 code. */
  readonly country: (text: string) => string | undefined;
}

/** The context in which a field is read. */
export interface Context {
  readonly options: Options;
  readonly conventions: Conventions | undefined;
  readonly countries: Countries;
  readonly suggestions: Suggestions;
  /** Cached numbers, by country and text. */
  readonly phones: Map<string, Promise<Phone>>;
  /** Alpha-2 code that the record itself names, in this object or an outer one. */
  readonly statedCountry?: string | undefined;
  /** The stated country, or the caller's default if none is stated. A stated one that cannot be read gives none. */
  readonly country?: string | undefined;
}

export const contextOf = (options: Options, countries: Countries, suggestions: Suggestions): Context => ({
  options,
  countries,
  suggestions,
  conventions: conventionsOf(options.locale),
  phones: new Map(),
  country: options.defaultCountry,
});

/** The context of an object within the record: its own country, if it has one, replaces that of the record. */
export function contextWithin<C extends Context>(context: C, valueOf: (name: string) => unknown): C {
  const countryValue = COUNTRY.map(valueOf).find((value) => !isFree(value));
  if (countryValue === undefined) return context;
  const country = typeof countryValue === 'string' ? countryOf(countryValue, context) : undefined;
  return { ...context, statedCountry: country, country };
}

const COUNTRY = namesOf('country');

export function countryOf(
  text: string,
  { countries, options }: Pick<Context, 'countries' | 'options'>,
): string | undefined {
  const country = countries.read(tidyLine(text), options.locale);
  return 'alpha2' in country ? country.alpha2 : undefined;
}

/** Returns whether a member is free: absent, null or empty text. */
export const isFree = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
