import type { Options } from '../items/options.ts';
import type { Countries } from '../knowledge/countries/countries.ts';
import type { Rational } from '../knowledge/quantities/rational.ts';
import type { Conventions } from '../knowledge/texts/conventions.ts';
import { type Issue, issue } from '../schemas/issues.ts';

/** What rules may take into account besides the value. */
export interface Circumstances {
  readonly options: Options;
  readonly conventions: Conventions | undefined;
  readonly now: number;
  readonly countries: Countries;
}

/** A value that could be read, for the rules that compare several. */
export interface Fact {
  readonly path: string;
  readonly is: string | Rational;
}

export const isNumberFact = (fact: Fact | undefined): fact is { readonly path: string; readonly is: Rational } =>
  fact !== undefined && typeof fact.is !== 'string';

/** One object of a record while it is judged: what is wrong with it, and what was read in it. */
export class Judgement {
  readonly about: Circumstances;
  readonly issues: Issue[] = [];
  /** Pointers to the values that a rule looked at. */
  readonly judged: string[] = [];
  /** By the name of the field. */
  readonly facts = new Map<string, Fact>();
  /** What the object itself or a part of it says, as ISO 3166 alpha-2: the rest has to agree with that. */
  country: string | undefined;

  constructor(about: Circumstances) {
    this.about = about;
  }

  error(path: string, code: string, said: Partial<Issue> = {}) {
    this.issues.push(issue('error', path, code, said));
  }

  warn(path: string, code: string, said: Partial<Issue> = {}) {
    this.issues.push(issue('warning', path, code, said));
  }
}

/** The country by which a value is read, as ISO 3166 alpha-2. */
export interface ReadBy {
  /** That of the object, or of the one around it. */
  readonly statedCountry?: string | undefined;
  /** The stated one, or the caller's default where none is stated. A stated one that cannot be read leaves none. */
  readonly country?: string | undefined;
}

/** One value that a rule judges. */
export interface Spot extends ReadBy {
  readonly value: unknown;
  readonly path: string;
  /** The name of its field. */
  readonly name: string;
  /** The object that the field belongs to. */
  readonly among: Readonly<Record<string, unknown>>;
}
