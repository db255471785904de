/** Reads queries: fields, filter, stats, sort and limit. Whatever else Logs Insights has is refused by its name. */
import type { Aggregation, Command, Comparison, Condition, Grouping, Operand, Query, SortKey } from './query.ts';
import { MalformedQuery, type Token, tokensOf, unquoted } from './tokens.ts';

const COMMANDS = ['fields', 'filter', 'stats', 'sort', 'limit'] as const;
const AGGREGATIONS = ['count', 'sum', 'pct'] as const;
const COMPARISONS: readonly string[] = ['=', '!=', '<', '<=', '>', '>='] satisfies Comparison[];
const UNIT_MILLIS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const RESULTS_MAX = 10_000;

/** @throws MalformedQuery */
export function parseQuery(text: string): Query {
  const parser = new Parser(tokensOf(text));
  const query = parser.query();
  requireUsableFields(query);
  return query;
}

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  query(): Query {
    const commands = [this.command()];
    while (this.takes('|')) commands.push(this.command());
    if (this.next.kind !== 'end') throw this.unexpected('a | or the end');
    return commands;
  }

  private command(): Command {
    const command = COMMANDS.find((name) => this.takes(name));
    switch (command) {
      case 'fields':
        return { kind: command, fields: this.list(() => this.field()) };
      case 'filter':
        return { kind: command, condition: this.condition() };
      case 'stats':
        return {
          kind: command,
          aggregations: this.list(() => this.aggregation()),
          by: this.takes('by') ? this.list(() => this.grouping()) : [],
        };
      case 'sort':
        return { kind: command, keys: this.list(() => this.sortKey()) };
      case 'limit':
        return { kind: command, count: this.count() };
      default:
        throw this.unexpected(`one of the commands ${COMMANDS.join(', ')}`);
    }
  }

  private condition(): Condition {
    return this.joined('or', () => this.joined('and', () => this.test()));
  }

  private joined(kind: 'and' | 'or', part: () => Condition): Condition {
    const first = part();
    const conditions = [first];
    while (this.takes(kind)) conditions.push(part());
    return conditions.length === 1 ? first : { kind, conditions };
  }

  private test(): Condition {
    if (this.takes('(')) {
      const condition = this.condition();
      this.require(')');
      return condition;
    }
    const field = this.field();
    if (this.takes('like')) return { kind: 'like', field, pattern: this.pattern() };
    if (this.takes('in')) return { kind: 'in', field, operands: this.operands() };
    const comparison = COMPARISONS.find((symbol) => this.takes(symbol));
    if (comparison === undefined) throw this.unexpected('a comparison, like or in');
    return { kind: 'compare', field, comparison: comparison as Comparison, operand: this.operand() };
  }

  private operands(): readonly Operand[] {
    this.require('[');
    const operands = this.list(() => this.operand());
    this.require(']');
    return operands;
  }

  private operand(): Operand {
    const { kind } = this.next;
    if (kind === 'text') return unquoted(this.take().raw);
    if (kind === 'number') return Number(this.take().raw);
    throw this.unexpected('a text in quotes or a number');
  }

  /** A text is searched for; a pattern in slashes is matched. */
  private pattern(): RegExp {
    const { kind, at } = this.next;
    if (kind === 'text') return new RegExp(unquoted(this.take().raw).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    if (kind !== 'pattern') throw this.unexpected('a text in quotes or a pattern in slashes');
    try {
      return new RegExp(this.take().raw.slice(1, -1));
    } catch {
      throw new MalformedQuery('the pattern is not valid', at);
    }
  }

  private aggregation(): Aggregation {
    const kind = AGGREGATIONS.find((name) => this.takes(name));
    if (kind === undefined) throw this.unexpected('count(*), sum(field) or pct(field, percent)');
    this.require('(');
    if (kind === 'count') {
      this.require('*');
      this.require(')');
      return { kind, label: this.alias() ?? 'count(*)' };
    }
    const field = this.field();
    if (kind === 'sum') {
      this.require(')');
      return { kind, field, label: this.alias() ?? `sum(${field})` };
    }
    this.require(',');
    const percent = this.number();
    this.require(')');
    return { kind, field, percent, label: this.alias() ?? `pct(${field}, ${percent})` };
  }

  private alias(): string | undefined {
    return this.takes('as') ? this.field() : undefined;
  }

  private grouping(): Grouping {
    const label = this.field();
    if (label !== 'bin' || !this.takes('(')) return { kind: 'field', label };
    const count = this.number();
    const unit = this.field();
    const millis = count * (UNIT_MILLIS[unit] ?? Number.NaN);
    if (!(millis > 0)) throw this.unexpected('a period such as 5m before this');
    this.require(')');
    return { kind: 'bin', millis, label: `bin(${count}${unit})` };
  }

  private sortKey(): SortKey {
    const field = this.field();
    if (this.takes('asc')) return { field, isDescending: false };
    if (this.takes('desc')) return { field, isDescending: true };
    throw this.unexpected('asc or desc');
  }

  private count(): number {
    const { at } = this.next;
    const count = this.number();
    if (Number.isInteger(count) && count >= 1 && count <= RESULTS_MAX) return count;
    throw new MalformedQuery(`the limit is a whole number up to ${RESULTS_MAX}`, at);
  }

  private field(): string {
    if (this.next.kind !== 'name') throw this.unexpected('the name of a field');
    return this.take().raw;
  }

  private number(): number {
    if (this.next.kind !== 'number') throw this.unexpected('a number');
    return Number(this.take().raw);
  }

  private list<Part>(part: () => Part): readonly Part[] {
    const parts = [part()];
    while (this.takes(',')) parts.push(part());
    return parts;
  }

  private get next(): Token {
    // The last token is the end of the query, which is never taken.
    return this.tokens[this.position] as Token;
  }

  private take(): Token {
    const { next } = this;
    this.position += 1;
    return next;
  }

  /** Takes the next token if it is this word or symbol. */
  private takes(word: string): boolean {
    const { kind, raw } = this.next;
    const isIt = (kind === 'name' || kind === 'symbol') && raw.toLowerCase() === word;
    if (isIt) this.position += 1;
    return isIt;
  }

  private require(symbol: string): void {
    if (!this.takes(symbol)) throw this.unexpected(symbol);
  }

  private unexpected(expected: string): MalformedQuery {
    const { kind, raw, at } = this.next;
    return new MalformedQuery(`expected ${expected}, and got ${kind === 'end' ? 'the end' : raw}`, at);
  }
}

/** After `stats`, a row has only its results. AWS accepts a sort by another field, and sorts nothing. */
function requireUsableFields(query: Query): void {
  let labels: readonly string[] | undefined;
  for (const command of query) {
    if (command.kind === 'stats') {
      if (labels) throw new MalformedQuery('the local cloud has one stats in a query', 0);
      labels = [...command.aggregations, ...command.by].map(({ label }) => label);
    } else if (labels) {
      const unknown = fieldsOf(command).find((field) => !labels?.includes(field));
      if (unknown !== undefined) throw new MalformedQuery(`no ${unknown} is left after stats`, 0);
    }
  }
}

function fieldsOf(command: Exclude<Command, { kind: 'stats' }>): readonly string[] {
  switch (command.kind) {
    case 'fields':
      return command.fields;
    case 'filter':
      return fieldsIn(command.condition);
    case 'sort':
      return command.keys.map(({ field }) => field);
    default:
      return [];
  }
}

const fieldsIn = (condition: Condition): readonly string[] =>
  'conditions' in condition ? condition.conditions.flatMap(fieldsIn) : [condition.field];
