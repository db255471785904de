import type { Context } from '../fields/context.ts';
import type { Member } from '../fields/fields.ts';
import { type Issue, issue } from '../schemas/issues.ts';
import type { Rational } from '../values/quantities/rational.ts';

/** A parsed value, for the rules that compare several. */
export interface Fact {
  readonly path: string;
  readonly is: string | Rational;
}

export const isNumberFact = (fact: Fact | undefined): fact is { readonly path: string; readonly is: Rational } =>
  fact !== undefined && typeof fact.is !== 'string';

/** An object of a record under validation: its issues and the values parsed so far. */
export class Judgement {
  readonly now: number;
  readonly issues: Issue[] = [];
  /** Pointers to the values that a rule checked. */
  readonly judged: string[] = [];
  /** The parsed values by the name of the field. */
  readonly facts = new Map<string, Fact>();
  /** The country in the object or in a part of it, as ISO 3166 alpha-2; the other fields have to agree with it. */
  country: string | undefined;

  constructor(now: number) {
    this.now = now;
  }

  error(path: string, code: string, said: Partial<Issue> = {}) {
    this.issues.push(issue('error', path, code, said));
  }

  warn(path: string, code: string, said: Partial<Issue> = {}) {
    this.issues.push(issue('warning', path, code, said));
  }
}

/** A value for a rule to judge. */
export interface Spot {
  readonly value: unknown;
  readonly path: string;
  /** The name of its field. */
  readonly name: string;
  readonly member: Member;
  /** The object that the field belongs to. */
  readonly among: Readonly<Record<string, unknown>>;
  readonly context: Context;
}
