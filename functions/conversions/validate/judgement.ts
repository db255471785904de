import type { Context } from '../fields/context.ts';
import type { Member } from '../fields/fields.ts';
import type { Rational } from '../knowledge/quantities/rational.ts';
import { type Issue, issue } from '../schemas/issues.ts';

/** A value that could be read, for the rules that compare several. */
export interface Fact {
  readonly path: string;
  readonly is: string | Rational;
}

export const isNumberFact = (fact: Fact | undefined): fact is { readonly path: string; readonly is: Rational } =>
  fact !== undefined && typeof fact.is !== 'string';

/** One object of a record while it is judged: what is wrong with it, and what was read in it. */
export class Judgement {
  readonly now: number;
  readonly issues: Issue[] = [];
  /** Pointers to the values that a rule looked at. */
  readonly judged: string[] = [];
  /** By the name of the field. */
  readonly facts = new Map<string, Fact>();
  /** What the object itself or a part of it says, as ISO 3166 alpha-2: the rest has to agree with that. */
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

/** One value that a rule judges. */
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
