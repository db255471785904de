import type { Clause, Expression, Value } from '../../../functions/records/query/ast.ts';
import type { GlobPart } from '../../../functions/records/query/query.ts';
import type {
  DataRecord,
  ObjectField,
  RecordSchema,
  Scalar,
  ValueField,
  ValueKind,
} from '../../../functions/records/schemas/schema.ts';

/**
 * Returns whether one record matches a parsed query, in the plainest possible way. It is the oracle for the real engine, so it
 * shares nothing with it: neither the binding of queries nor the normalisation of values.
 */
export function matches(expression: Expression, record: DataRecord, schema: RecordSchema): boolean {
  return matchesLevel(expression, undefined, { record, schema });
}

interface Case {
  readonly record: DataRecord;
  readonly schema: RecordSchema;
}

/** (∩ MUST if any, else ∪ SHOULD if any, else all) ∖ ∪ MUST_NOT */
function matchesLevel(expression: Expression, field: string | undefined, on: Case): boolean {
  const must: boolean[] = [];
  const should: boolean[] = [];
  const mustNot: boolean[] = [];
  for (const group of expression.groups) {
    const results = group.clauses.map((clause) => ({
      modifier: clause.modifier,
      is: matchesClause(clause, field, on),
    }));
    const [first] = results;
    if (results.length > 1)
      should.push(results.every(({ modifier, is }) => (modifier === '-' || modifier === 'not' ? !is : is)));
    else if (first?.modifier === '+') must.push(first.is);
    else if (first?.modifier === '-') mustNot.push(first.is);
    else if (first?.modifier === 'not' && group.besideOr) should.push(!first.is);
    else if (first?.modifier === 'not') mustNot.push(first.is);
    else if (first !== undefined) should.push(first.is);
  }
  if (mustNot.includes(true)) return false;
  if (must.length > 0) return !must.includes(false);
  return should.length === 0 || should.includes(true);
}

function matchesClause(clause: Clause, outer: string | undefined, on: Case): boolean {
  const named = clause.field?.name ?? outer;
  const field = named === '*' ? undefined : named;
  if (clause.value.kind === 'expression') return matchesLevel(clause.value.expression, field, on);
  const { value } = clause;
  if (field === undefined) {
    return value.kind === 'any' || defaultPaths(on.schema).some((path) => matchesPath(value, path, 'text', on.record));
  }
  if (field === '_exists_') return 'text' in value && valuesAt(on.record, value.text).length > 0;
  if (value.kind === 'any') return valuesAt(on.record, field).length > 0;
  const kind = kindAt(on.schema, field);
  return kind !== undefined && matchesPath(value, field, kind, on.record);
}

type Simple = Exclude<Value, { kind: 'expression' | 'any' }>;

function matchesPath(value: Simple, path: string, kind: ValueKind, record: DataRecord): boolean {
  return valuesAt(record, path).some((stored) => {
    // `[* TO *]` requires a value, even one without any word.
    if (value.kind === 'range' && value.from === undefined && value.to === undefined) return true;
    if (kind === 'text') return matchesText(value, String(stored));
    if (kind === 'number' || kind === 'date') return matchesPoint(value, pointOf(stored, kind), kind);
    return matchesTerm(value, String(stored).toLowerCase());
  });
}

function matchesText(value: Simple, stored: string): boolean {
  const tokens = tokensOf(stored);
  if (value.kind === 'wildcard' || value.kind === 'range') return tokens.some((token) => matchesTerm(value, token));
  const phrase = tokensOf(value.text);
  if (phrase.length === 0) return false;
  return tokens.some((_, start) => phrase.every((token, offset) => tokens[start + offset] === token));
}

function matchesTerm(value: Simple, term: string): boolean {
  if (value.kind === 'wildcard') return matchesGlob(value.parts, term);
  if (value.kind !== 'range') return value.text !== '' && value.text.toLowerCase() === term;
  const from = value.from?.text.toLowerCase();
  const to = value.to?.text.toLowerCase();
  const above = from === undefined || term > from || (term === from && value.from?.inclusive === true);
  const below = to === undefined || term < to || (term === to && value.to?.inclusive === true);
  return above && below;
}

/** Tries every length for every run. */
function matchesGlob(parts: readonly GlobPart[], term: string): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return term === '';
  if ('literal' in part) {
    const literal = part.literal.toLowerCase();
    return term.startsWith(literal) && matchesGlob(rest, term.slice(literal.length));
  }
  const characters = Array.from(term);
  if (part.any === 'one') return characters.length > 0 && matchesGlob(rest, characters.slice(1).join(''));
  return Array.from({ length: characters.length + 1 }, (_, taken) => characters.slice(taken).join('')).some((tail) =>
    matchesGlob(rest, tail),
  );
}

function matchesPoint(value: Simple, stored: number, kind: 'number' | 'date'): boolean {
  if (value.kind === 'wildcard') return false;
  if (value.kind !== 'range') {
    const span = spanOf(value.text, kind);
    return span.first <= stored && stored <= span.last;
  }
  const from = value.from === undefined ? undefined : spanOf(value.from.text, kind);
  const to = value.to === undefined ? undefined : spanOf(value.to.text, kind);
  const above = from === undefined || (value.from?.inclusive === true ? stored >= from.first : stored > from.last);
  const below = to === undefined || (value.to?.inclusive === true ? stored <= to.last : stored < to.first);
  return above && below;
}

/** Every value at a path, the elements of object fields combined. */
function valuesAt(record: DataRecord, path: string): Scalar[] {
  const [name = '', sub] = path.split('.', 2);
  const member = Object.hasOwn(record, name) ? record[name] : undefined;
  if (member === undefined) return [];
  if (typeof member !== 'object') return [member];
  return member.flatMap((element: Scalar | Readonly<Record<string, Scalar | readonly Scalar[]>>): Scalar[] => {
    if (typeof element !== 'object') return [element];
    const chosen = Object.entries(element).filter(([key]) => sub === undefined || key === sub);
    return chosen.flatMap(([, values]) => (typeof values === 'object' ? [...values] : [values]));
  });
}

function kindAt(schema: RecordSchema, path: string): ValueKind | undefined {
  const [name = '', sub] = path.split('.', 2);
  const field: ValueField | ObjectField | undefined = schema.fields[name];
  if (field?.kind !== 'object') return field?.kind;
  return sub === undefined ? undefined : field.fields[sub]?.kind;
}

function defaultPaths(schema: RecordSchema): string[] {
  return Object.entries(schema.fields).flatMap(([name, field]) => {
    if (field.kind !== 'object') return field.searchedByDefault === true ? [name] : [];
    const subs = Object.entries(field.fields).filter(([, inner]) => inner.searchedByDefault === true);
    return subs.map(([sub]) => `${name}.${sub}`);
  });
}

function tokensOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  );
}

function pointOf(stored: Scalar, kind: 'number' | 'date'): number {
  return kind === 'number' ? Number(stored) : Date.parse(String(stored));
}

/** The first and last point that a written number or a full or partial date stands for. */
function spanOf(text: string, kind: 'number' | 'date'): { first: number; last: number } {
  if (kind === 'number') return { first: Number(text), last: Number(text) };
  const written =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?(?:\d\d)?)?)?)?)?$/.exec(
      text,
    );
  if (written === null) return { first: Number.NaN, last: Number.NaN };
  const [, year, month, day, hour, minute, second, zone = 'Z'] = written;
  const given = [year, month, day, hour, minute, second].filter((part) => part !== undefined).map(Number);
  const first = instant(given);
  const next = instant(given.map((part, at) => (at === given.length - 1 ? part + 1 : part)));
  const offset = zone === 'Z' ? 0 : zoneMinutes(zone) * 60_000;
  return { first: first - offset, last: next - offset - 1 };
}

function instant([year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0]: readonly number[]): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getTime();
}

function zoneMinutes(zone: string): number {
  const digits = zone.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0);
  return zone.startsWith('-') ? -minutes : minutes;
}
