import { type Context, contextOf } from '../fields/context.ts';
import type { RecordType } from '../items/caller-record.ts';
import type { Options } from '../items/options.ts';
import type { Countries } from '../values/countries/countries.ts';
import { LimitedSuggestions } from './limited-suggestions.ts';

/** The context of the rules, besides the member that they read. */
export interface Scope extends Context {
  readonly type: RecordType;
}

export const scopeOf = (type: RecordType, options: Options, countries: Countries): Scope => ({
  type,
  ...contextOf(options, countries, new LimitedSuggestions(countries, options.locale)),
});

/** Resets the limit of name searches, so that the last pass reports what it would report if it were the only one. */
export function inNewPass(scope: Scope): Scope {
  return { ...scope, suggestions: new LimitedSuggestions(scope.countries, scope.options.locale) };
}
