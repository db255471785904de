import type { Suggestions } from '../fields/context.ts';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import type { Countries } from '../values/countries/countries.ts';
import type { Dimension } from '../values/quantities/unit-definition.ts';
import { findUnit, unitOf } from '../values/quantities/unit-lookup.ts';
import type { Unit } from '../values/quantities/unit-table.ts';

/** The most searches of a record: one takes up to a millisecond, and a record has room for thousands of wrong names. */
const SEARCHES_MAX = 20;

/** Looks for the meaning of misspelled names: once for each name, and only for the first few names of a record. */
export class LimitedSuggestions implements Suggestions {
  readonly #countries: Countries;
  readonly #locale: string | undefined;
  readonly #refusals = new Map<string, unknown>();
  readonly #codes = new Map<string, string | undefined>();
  #searchesLeft = SEARCHES_MAX;

  constructor(countries: Countries, locale: string | undefined) {
    this.#countries = countries;
    this.#locale = locale;
  }

  /** Wraps `unitOf` with the limit. */
  readonly unit = (name: string, kinds: readonly Dimension[] = []): Unit => {
    const unit = findUnit(name);
    if (unit) return unit;
    const key = `${kinds.join()} ${name}`;
    if (this.#refusals.has(key)) throw this.#refusals.get(key);
    if (this.#searchesLeft === 0) throw new ItemRefusal('unknown-unit', `There is no unit ${quoteForMessage(name)}.`);
    this.#searchesLeft--;
    try {
      return unitOf(name, kinds);
    } catch (error) {
      this.#refusals.set(key, error);
      throw error;
    }
  };

  readonly country = (text: string): string | undefined => {
    if (this.#codes.has(text) || this.#searchesLeft === 0) return this.#codes.get(text);
    this.#searchesLeft--;
    const code = this.#countries.suggest(text, this.#locale);
    this.#codes.set(text, code);
    return code;
  };
}
