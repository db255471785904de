import type { GlobPart } from './query.ts';

/** Characters that end a word. */
export type WordEnd = 'bare' | 'value';

export interface Word {
  /** The text without escapes; the source text if it has wildcards. */
  readonly text: string;
  /** The parts, present only with wildcards. Only a literal may follow a run. */
  readonly parts?: readonly GlobPart[];
  readonly at: number;
}

export type Operator = 'AND' | 'OR' | 'NOT';

const OPERATORS: readonly (readonly [written: string, means: Operator])[] = [
  ['AND', 'AND'],
  ['&&', 'AND'],
  ['OR', 'OR'],
  ['||', 'OR'],
  ['NOT', 'NOT'],
];

const SPACES = ' \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';
const WIDE_SPACES = '\u2028\u2029\u202f\u205f\u3000\ufeff';

/** The classes of characters, by their codes. */
const SPACE = 1;
const ENDS_BARE = 2;
const ENDS_VALUE = 4;
const CHARACTER_CLASSES = new Uint8Array(0x10000);
for (const space of SPACES + WIDE_SPACES) CHARACTER_CLASSES[space.charCodeAt(0)] = SPACE | ENDS_BARE | ENDS_VALUE;
for (const end of '()"^[]{}') CHARACTER_CLASSES[end.charCodeAt(0)] = ENDS_BARE | ENDS_VALUE;
// A value continues through a colon, so that URLs and times need no escapes.
CHARACTER_CLASSES[':'.charCodeAt(0)] = ENDS_BARE;

const STAR = 42;
const QUESTION = 63;
const BACKSLASH = 92;
const TILDE = 126;

/**
 * Reads the pieces of a query, each of them left to right and once. The first problem stays in `problem`; the method
 * that met it returns undefined.
 */
export class Scanner {
  readonly text: string;
  at = 0;
  problem: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.text.charAt(this.at);
  }

  /** The next character, whole even when it takes two code units. */
  codePoint(): string {
    return String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
  }

  fail(problem: string): undefined {
    this.problem ??= problem;
    return undefined;
  }

  /** Adds the position to the problem, counting characters from 1. */
  failHere(problem: string): undefined {
    return this.fail(`${problem} at character ${this.at + 1}`);
  }

  skipSpaces(): void {
    while (this.is(this.at, SPACE)) this.at++;
  }

  /** Consumes the character if it is next. */
  take(character: string): boolean {
    if (this.next !== character) return false;
    this.at++;
    return true;
  }

  /** The operator here, if it is a separate word, without consuming it. */
  peekOperator(): Operator | undefined {
    for (const [written, means] of OPERATORS) {
      if (this.text.startsWith(written, this.at)) {
        const end = this.at + written.length;
        const alone = end === this.text.length || (this.is(end, ENDS_BARE) && this.text[end] !== ':');
        return alone ? means : undefined;
      }
    }
    return undefined;
  }

  takeOperator(operator: Operator): boolean {
    if (this.peekOperator() !== operator) return false;
    // `&&` and `||` are two characters long, as is OR.
    this.at += this.next === '&' || operator === 'OR' ? 2 : 3;
    return true;
  }

  /** Consumes the `TO` of a range, with spaces on both sides. */
  takeRangeTo(): boolean {
    this.skipSpaces();
    if (!this.text.startsWith('TO', this.at) || !this.is(this.at + 2, SPACE)) return false;
    this.at += 2;
    return true;
  }

  /** Returns whether a sign and a number begin here: `-97.7`, `+.5`. */
  signedNumberHere(): boolean {
    const digit = this.text.charAt(this.text[this.at + 1] === '.' ? this.at + 2 : this.at + 1);
    return digit >= '0' && digit <= '9' && (this.next === '-' || this.next === '+');
  }

  /** A word up to the first character that ends it; may be empty. */
  word(end: WordEnd): Word | undefined {
    const ends = end === 'bare' ? ENDS_BARE : ENDS_VALUE;
    const start = this.at;
    const parts: GlobPart[] = [];
    let literal = '';
    let from = start;
    for (; this.at < this.text.length && !this.is(this.at, ends); this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === BACKSLASH) {
        literal += this.text.slice(from, this.at);
        from = ++this.at;
        if (this.done) return this.fail('nothing follows the last \\');
      } else if (code === STAR || code === QUESTION) {
        addWildcard(parts, literal + this.text.slice(from, this.at), code === STAR ? 'run' : 'one');
        literal = '';
        from = this.at + 1;
      } else if (code === TILDE && this.isFuzzy(ends)) {
        return this.failHere('fuzzy search is not supported: unexpected ~');
      }
    }
    literal += this.text.slice(from, this.at);
    if (parts.length === 0) return { text: literal, at: start };
    if (literal !== '') parts.push({ literal });
    return { text: this.text.slice(start, this.at), parts, at: start };
  }

  /** The text between quotes, the first of which is next. */
  quoted(): string | undefined {
    const start = this.at;
    const content = this.escapedUntil(start + 1, '"', false);
    if (this.done) return this.fail(`the quote at character ${start + 1} is not closed`);
    this.at++;
    return content;
  }

  /** A bound of a range: quoted, or a run of characters; undefined inside for an open bound. */
  bound(): { text: string | undefined } | undefined {
    this.skipSpaces();
    if (this.next === '"') {
      const text = this.quoted();
      return text === undefined ? undefined : { text };
    }
    const start = this.at;
    const text = this.escapedUntil(start, ']}"', true);
    const raw = this.text.slice(start, this.at);
    if (raw === '' || raw === 'TO') {
      this.at = start;
      return this.failHere('a range is written [from TO to]: missing bound');
    }
    return { text: raw === '*' ? undefined : text };
  }

  /** Passes over `^2` or `^0.5`: results are not ranked. Refuses the other suffixes of other dialects. */
  boost(): boolean {
    if (this.next === '~') {
      this.failHere('fuzzy search is not supported: unexpected ~');
      return false;
    }
    if (!this.take('^')) return true;
    const start = this.at;
    this.at = this.numberEnd(start);
    if (this.at > start && (this.done || (this.is(this.at, ENDS_BARE) && !':^'.includes(this.next)))) return true;
    this.failHere('^ needs a number: unexpected text');
    return false;
  }

  /** Reads up to one of `ends`, or also up to a space, removing the `\` of escapes. */
  private escapedUntil(start: number, ends: string, spaceEnds: boolean): string {
    let content = '';
    let from = start;
    for (this.at = start; !this.done && !ends.includes(this.next); this.at++) {
      if (spaceEnds && this.is(this.at, SPACE)) break;
      if (this.text.charCodeAt(this.at) === BACKSLASH) {
        content += this.text.slice(from, this.at);
        from = ++this.at;
      }
    }
    // A lone backslash at the very end has moved past it.
    this.at = Math.min(this.at, this.text.length);
    return content + this.text.slice(from, this.at);
  }

  /** A `~` that ends the word, with or without a number; any other is a plain character, as in `/~smith`. */
  private isFuzzy(ends: number): boolean {
    const end = this.numberEnd(this.at + 1);
    return end === this.text.length || this.is(end, ends);
  }

  private numberEnd(start: number): number {
    let at = start;
    while (at < this.text.length && '0123456789.'.includes(this.text.charAt(at))) at++;
    return at;
  }

  private is(at: number, classes: number): boolean {
    // `charCodeAt` is NaN past the end, which has no class.
    return ((CHARACTER_CLASSES[this.text.charCodeAt(at)] ?? 0) & classes) !== 0;
  }
}

/** Puts `?` before `*` where they touch, which means the same, so that one `*` is enough for a run of them. */
function addWildcard(parts: GlobPart[], literal: string, any: 'one' | 'run'): void {
  if (literal !== '') parts.push({ literal });
  const last = parts.at(-1);
  const followsRun = last !== undefined && 'any' in last && last.any === 'run';
  if (!followsRun) {
    parts.push({ any });
  } else if (any === 'one') {
    parts[parts.length - 1] = { any };
    parts.push(last);
  }
}
