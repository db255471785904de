import type { Bound, Clause, Expression, Group, Value } from './ast.ts';
import { Scanner, type Word } from './lexer.ts';

/** The longest query in bytes of UTF-8. */
export const MAX_QUERY_BYTES = 8192;
/** The maximum nesting depth of groups. */
export const MAX_DEPTH = 50;
/** The most words, phrases, wildcards and ranges of a query. */
export const MAX_CLAUSES = 1024;

export type ParseResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly message: string };

/** Reads a query; an invalid one is a result, never an exception. Time grows linearly with the text. */
export function parse(text: string): ParseResult {
  if (Buffer.byteLength(text) > MAX_QUERY_BYTES) return refused(`longer than ${MAX_QUERY_BYTES} bytes`);
  const scanner = new Scanner(text);
  const expression = new Parser(scanner).query();
  return expression === undefined ? refused(scanner.problem ?? 'not understood') : { ok: true, expression };
}

function refused(problem: string): ParseResult {
  return { ok: false, message: `invalid query: ${problem}` };
}

/** A clause that begins with one of these has no field name: it is a group, phrase, range, comparison or slash. */
const OPENINGS = '("[{<>/';

/** No value after a colon or a comparison begins with one of these. */
const INVALID_STARTS = ':<>';

/**
 * A word after a colon or a comparison must not be followed directly by one of these, such as a stray quote or an opening
 * parenthesis in a URL.
 */
const STRAY = '"([{';

/** One method per rule of the grammar. A method that meets a problem leaves it in the scanner and returns undefined. */
class Parser {
  private readonly scanner: Scanner;
  private clauses = 0;

  constructor(scanner: Scanner) {
    this.scanner = scanner;
  }

  query(): Expression | undefined {
    this.scanner.skipSpaces();
    if (this.scanner.done) return this.scanner.fail('it is empty');
    const expression = this.expression(0);
    if (expression !== undefined && !this.scanner.done) return this.unexpected();
    return expression;
  }

  /** expression := group ( (OR | "||" | juxtaposition) group )* */
  private expression(depth: number): Expression | undefined {
    const groups: Group[] = [];
    let orBefore = false;
    do {
      const clauses = this.group(depth);
      if (clauses === undefined) return undefined;
      const orAfter = this.scanner.takeOperator('OR');
      // `bind.ts` reads it: a clause with NOT beside an OR is an operand of the OR; elsewhere it excludes matches.
      groups.push({ clauses, besideOr: orBefore || orAfter });
      orBefore = orAfter;
      this.scanner.skipSpaces();
    } while (orBefore || !(this.scanner.done || this.scanner.next === ')'));
    return { groups };
  }

  /** group := clause ( (AND | "&&") clause )* */
  private group(depth: number): Clause[] | undefined {
    const clauses: Clause[] = [];
    do {
      const clause = this.clause(depth);
      if (clause === undefined) return undefined;
      clauses.push(clause);
      this.scanner.skipSpaces();
    } while (this.scanner.takeOperator('AND'));
    return clauses;
  }

  /** clause := [ + | - | ! | NOT ] [ field ":" ] value [ "^" number ] */
  private clause(depth: number): Clause | undefined {
    const modifier = this.modifier();
    if (this.scanner.peekOperator() !== undefined || '+-!'.includes(this.scanner.next)) return this.unexpected();
    const target = this.target(depth);
    if (target === undefined || !this.scanner.boost()) return undefined;
    return modifier === undefined ? target : { modifier, ...target };
  }

  /** [ field ":" ] value */
  private target(depth: number): Clause | undefined {
    if (OPENINGS.includes(this.scanner.next)) return withoutField(this.value(depth));
    const word = this.scanner.word('bare');
    if (word === undefined) return undefined;
    if (word.text === '') return this.unexpected();
    if (!this.scanner.take(':')) return withoutField(this.term(word));
    const value = this.value(depth);
    return value === undefined ? undefined : { field: { name: word.text, at: word.at }, value };
  }

  private modifier(): Clause['modifier'] {
    this.scanner.skipSpaces();
    const modifier = this.modifierHere();
    if (modifier !== undefined) this.scanner.skipSpaces();
    return modifier;
  }

  private modifierHere(): Clause['modifier'] {
    if (this.scanner.take('+')) return '+';
    if (this.scanner.take('-')) return '-';
    return this.scanner.take('!') || this.scanner.takeOperator('NOT') ? 'not' : undefined;
  }

  /** A value after `field:`, or a lone one that begins with one of the openings. */
  private value(depth: number): Value | undefined {
    this.scanner.skipSpaces();
    switch (this.scanner.next) {
      case '(':
        return this.nested(depth + 1);
      case '"':
        return this.phrase();
      case '[':
      case '{':
        return this.range();
      case '<':
      case '>':
        return this.comparison();
      case '/':
        // Two slashes do not start a regular expression: they may be the rest of a URL.
        if (this.scanner.text[this.scanner.at + 1] === '/') return this.valueWord();
        return this.scanner.failHere('regular expressions are not supported: unexpected /');
      default:
        return this.valueWord();
    }
  }

  private nested(depth: number): Value | undefined {
    if (depth > MAX_DEPTH) return this.scanner.fail(`more than ${MAX_DEPTH} nested groups`);
    const open = this.scanner.at;
    this.scanner.at++;
    const expression = this.expression(depth);
    if (expression === undefined) return undefined;
    if (!this.scanner.take(')')) return this.scanner.fail(`the parenthesis at character ${open + 1} is not closed`);
    return { kind: 'expression', expression };
  }

  private phrase(): Value | undefined {
    const at = this.scanner.at;
    const text = this.scanner.quoted();
    return text === undefined ? undefined : this.counted({ kind: 'quoted', text, at });
  }

  /** range := ("[" | "{") bound TO bound ("]" | "}") */
  private range(): Value | undefined {
    const at = this.scanner.at;
    const fromInclusive = this.scanner.next === '[';
    this.scanner.at++;
    const from = this.scanner.bound();
    if (from === undefined) return undefined;
    if (!this.scanner.takeRangeTo()) return this.scanner.failHere('a range is written [from TO to]: missing TO');
    const to = this.scanner.bound();
    if (to === undefined) return undefined;
    this.scanner.skipSpaces();
    const toInclusive = this.scanner.next === ']';
    if (!toInclusive && this.scanner.next !== '}') {
      return this.scanner.failHere('a range is written [from TO to]: missing ]');
    }
    this.scanner.at++;
    return this.counted({
      kind: 'range',
      from: bound(from.text, fromInclusive),
      to: bound(to.text, toInclusive),
      at,
    });
  }

  /** ("<" | "<=" | ">" | ">=") word */
  private comparison(): Value | undefined {
    const at = this.scanner.at;
    const above = this.scanner.next === '>';
    this.scanner.at++;
    const inclusive = this.scanner.take('=');
    this.scanner.skipSpaces();
    const limit = this.scanner.next === '"' ? this.phrase() : this.valueWord();
    if (limit === undefined) return undefined;
    if (limit.kind !== 'word' && limit.kind !== 'quoted')
      return this.scanner.fail('a comparison does not support wildcards');
    const edge = { text: limit.text, inclusive };
    return above ? { kind: 'range', from: edge, at } : { kind: 'range', to: edge, at };
  }

  /** A word after a colon or a comparison. A sign belongs to it when a number follows, and is misplaced otherwise. */
  private valueWord(): Value | undefined {
    const { scanner } = this;
    if (scanner.peekOperator() !== undefined || INVALID_STARTS.includes(scanner.next)) return this.unexpected();
    if ('+-!'.includes(scanner.next) && !scanner.signedNumberHere()) return this.unexpected();
    const word = scanner.word('value');
    if (word === undefined) return undefined;
    return !scanner.done && STRAY.includes(scanner.next) ? this.unexpected() : this.term(word);
  }

  private term({ text, parts, at }: Word): Value | undefined {
    if (text === '' && parts === undefined) return this.unexpected();
    if (parts === undefined) return this.counted({ kind: 'word', text, at });
    const [only] = parts;
    const any = parts.length === 1 && only !== undefined && 'any' in only && only.any === 'run';
    return this.counted(any ? { kind: 'any', at } : { kind: 'wildcard', parts, text, at });
  }

  private counted(value: Value): Value | undefined {
    this.clauses++;
    return this.clauses > MAX_CLAUSES ? this.scanner.fail(`more than ${MAX_CLAUSES} clauses`) : value;
  }

  private unexpected(): undefined {
    const { scanner } = this;
    if (scanner.done) return scanner.fail('a value is missing at the end');
    return scanner.failHere(`unexpected ${scanner.peekOperator() ?? scanner.codePoint()}`);
  }
}

function withoutField(value: Value | undefined): Clause | undefined {
  return value === undefined ? undefined : { value };
}

function bound(text: string | undefined, inclusive: boolean): Bound | undefined {
  return text === undefined ? undefined : { text, inclusive };
}
