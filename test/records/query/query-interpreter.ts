import { dateInterval, keywordTerm, words } from '../../../functions/records/query/index-terms.ts';
import type { GlobPart, Query, TermBound } from '../../../functions/records/query/query.ts';
import type { DataRecord, RecordSchema, Scalar } from '../../../functions/records/schemas/schema.ts';
import { leafPaths } from '../../../functions/records/schemas/schemas.ts';
import { numberOf } from '../../../shared/formats/number-text.ts';

/** Runs a bound query on one record without an index: the answer that any engine must give. */
export function runQuery(query: Query, record: DataRecord, schema: RecordSchema): boolean {
  return run(query, indexed(record, schema));
}

/** What an index would hold of one record: by path, one list per value. */
interface Indexed {
  readonly terms: ReadonlyMap<string, readonly (readonly string[])[]>;
  readonly points: ReadonlyMap<string, readonly number[]>;
  readonly present: ReadonlySet<string>;
}

function indexed(record: DataRecord, schema: RecordSchema): Indexed {
  const terms = new Map<string, string[][]>();
  const points = new Map<string, number[]>();
  const present = new Set<string>();
  for (const { path, kind, parent } of leafPaths(schema)) {
    const values = valuesOf(record, path);
    if (values.length === 0) continue;
    present.add(path);
    if (parent !== undefined) present.add(parent);
    if (kind === 'text')
      terms.set(
        path,
        values.map((value) => words(String(value))),
      );
    else if (kind === 'number')
      points.set(
        path,
        values.map((value) => numberOf(String(value)) ?? Number.NaN),
      );
    else if (kind === 'date')
      points.set(
        path,
        values.map((value) => dateInterval(String(value))?.from ?? Number.NaN),
      );
    else
      terms.set(
        path,
        values.map((value) => [keywordTerm(String(value))]),
      );
  }
  return { terms, points, present };
}

function valuesOf(record: DataRecord, path: string): readonly Scalar[] {
  const [name = '', sub] = path.split('.');
  const value = record[name];
  if (value === undefined) return [];
  if (typeof value !== 'object') return [value];
  return value.flatMap((item: Scalar | Readonly<Record<string, Scalar | readonly Scalar[]>>): readonly Scalar[] => {
    if (typeof item !== 'object') return [item];
    const inner = sub === undefined ? undefined : item[sub];
    if (inner === undefined) return [];
    return typeof inner === 'object' ? inner : [inner];
  });
}

function run(query: Query, on: Indexed): boolean {
  switch (query.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return query.of.every((part) => run(part, on));
    case 'or':
      return query.of.some((part) => run(part, on));
    case 'not':
      return !run(query.of, on);
    case 'exists':
      return on.present.has(query.path);
    case 'numberRange':
      return (on.points.get(query.path) ?? []).some(
        (point) =>
          (query.fromInclusive ? point >= query.from : point > query.from) &&
          (query.toInclusive ? point <= query.to : point < query.to),
      );
    default:
      return (on.terms.get(query.path) ?? []).some((value) => runOnValue(query, value));
  }
}

type TermQuery = Extract<Query, { kind: 'term' | 'phrase' | 'prefix' | 'wildcard' | 'termRange' }>;

function runOnValue(query: TermQuery, value: readonly string[]): boolean {
  switch (query.kind) {
    case 'term':
      return value.includes(query.term);
    case 'phrase':
      return value.some((_, at) => query.terms.every((term, offset) => value[at + offset] === term));
    case 'prefix':
      return value.some((term) => term.startsWith(query.prefix));
    case 'wildcard':
      return value.some((term) => glob(query.pattern, term));
    default:
      return value.some((term) => within(term, query.from, query.to));
  }
}

function within(term: string, from: TermBound | undefined, to: TermBound | undefined): boolean {
  if (from !== undefined && (term < from.term || (term === from.term && !from.inclusive))) return false;
  return to === undefined || term < to.term || (term === to.term && to.inclusive);
}

/** The ends of the term that the pattern so far can have reached. */
function glob(pattern: readonly GlobPart[], term: string): boolean {
  let ends = new Set([0]);
  for (const part of pattern) {
    const reached = new Set<number>();
    for (const end of ends) {
      if ('literal' in part) {
        if (term.startsWith(part.literal, end)) reached.add(end + part.literal.length);
      } else if (part.any === 'one') {
        const character = term.codePointAt(end);
        if (character !== undefined) reached.add(end + String.fromCodePoint(character).length);
      } else {
        for (let at = end; at <= term.length; at++) reached.add(at);
      }
    }
    ends = reached;
  }
  return ends.has(term.length);
}
