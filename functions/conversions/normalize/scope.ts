import type { Options } from '../items/options.ts';
import type { Countries } from '../knowledge/countries/countries.ts';
import type { Phone } from '../knowledge/phones/phones.ts';
import { type Conventions, conventionsOf } from '../knowledge/texts/conventions.ts';
import { tidyLine } from '../knowledge/texts/tidy.ts';
import type { Draft } from './draft.ts';
import { MEMBERS_BY_KIND } from './known-members.ts';
import { Suggestions } from './suggestions.ts';

export type RecordType = 'business' | 'product' | 'property';

/** What the rules may rely on besides the member that they read. */
export interface Scope {
  readonly type: RecordType;
  readonly options: Options;
  readonly conventions: Conventions | undefined;
  readonly countries: Countries;
  readonly suggestions: Suggestions;
  /** Numbers that have been read, by country and text: the rules run more than once. */
  readonly phones: Map<string, Promise<Phone>>;
  /** Alpha-2 code that the record itself names, here or further up. */
  readonly statedCountry?: string | undefined;
  /** The stated country, or the caller's default where none is stated. A stated one that nobody can read leaves none. */
  readonly country?: string | undefined;
}

export function scopeOf(type: RecordType, options: Options, countries: Countries): Scope {
  return {
    type,
    options,
    countries,
    conventions: conventionsOf(options.locale),
    suggestions: new Suggestions(countries, options.locale),
    phones: new Map(),
    country: options.defaultCountry,
  };
}

/** Every pass searches for the same number of names, so that the last one reports what it would report if it were the only one. */
export function inNewPass(scope: Scope): Scope {
  return { ...scope, suggestions: new Suggestions(scope.countries, scope.options.locale) };
}

/** The scope of an object of the record: its own country, if it has one, goes before that of the record. */
export function scopeWithin(scope: Scope, draft: Draft): Scope {
  const stated = MEMBERS_BY_KIND.country.map((name) => draft.get(name)).find((value) => !isBlank(value));
  if (stated === undefined) return scope;
  const country = typeof stated === 'string' ? countryOf(stated, scope) : undefined;
  return { ...scope, statedCountry: country, country };
}

export function countryOf(
  text: string,
  { countries, options }: Pick<Scope, 'countries' | 'options'>,
): string | undefined {
  const found = countries.read(tidyLine(text), options.locale);
  return 'alpha2' in found ? found.alpha2 : undefined;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
