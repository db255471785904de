import { dateInterval, keywordTerm, words } from '../../../functions/records/query/index-terms.ts';
import type { GlobPart, Query } from '../../../functions/records/query/query.ts';
import type { DataRecord, RecordSchema, Scalar } from '../../../functions/records/schemas/schema.ts';
import { leafPaths } from '../../../functions/records/schemas/schemas.ts';
import { numberOf } from '../../../shared/formats/number-text.ts';
import type { Change } from './memory-index.ts';

/** The reference index: lists of records, and every query answered by looking at each of them. */
export class NaiveIndex {
  readonly #schema: RecordSchema;
  #segments: DataRecord[][] = [];

  constructor(schema: RecordSchema) {
    this.#schema = schema;
  }

  import(changes: readonly Change[]): void {
    const touched = new Map<string, DataRecord | undefined>();
    for (const change of changes) {
      if (typeof change === 'string') touched.set(change, undefined);
      else touched.set(change.id, change);
    }
    const added = [...touched.values()].filter((record) => record !== undefined).sort(inOrder);
    this.#segments = [...this.#segments.map((segment) => segment.filter(({ id }) => !touched.has(id))), added];
  }

  /** The matching records in the order of the results. */
  search(query: Query): DataRecord[] {
    return this.#segments.flat().filter((record) => matches(query, new Values(record, this.#schema)));
  }
}

function inOrder(a: DataRecord, b: DataRecord): number {
  const textAt = (record: DataRecord, name: string) => (typeof record[name] === 'string' ? record[name] : '');
  const keys = ['country', 'province', 'city', 'id'].map((name) => [textAt(a, name), textAt(b, name)]);
  const [x = '', y = ''] = keys.find(([x, y]) => x !== y) ?? [];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** The values of one record by path. */
class Values {
  readonly #record: DataRecord;
  readonly #schema: RecordSchema;

  constructor(record: DataRecord, schema: RecordSchema) {
    this.#record = record;
    this.#schema = schema;
  }

  at(path: string): Scalar[] {
    const [name = '', sub] = path.split('.');
    const value = this.#record[name];
    const elements = value === undefined ? [] : typeof value === 'object' ? value : [value];
    return elements.flatMap((element): Scalar[] => {
      if (typeof element !== 'object') return sub === undefined ? [element] : [];
      const inner = element[sub ?? ''];
      return inner === undefined ? [] : typeof inner === 'object' ? [...inner] : [inner];
    });
  }

  has(path: string): boolean {
    return this.at(path).length > 0 || (!path.includes('.') && this.#record[path] !== undefined);
  }

  /** The terms of each value. */
  terms(path: string): string[][] {
    const kind = leafPaths(this.#schema).find((leaf) => leaf.path === path)?.kind;
    if (kind === 'text') return this.at(path).map((value) => words(String(value)));
    if (kind === 'keyword' || kind === 'boolean') return this.at(path).map((value) => [keywordTerm(String(value))]);
    return [];
  }

  numbers(path: string): number[] {
    const kind = leafPaths(this.#schema).find((leaf) => leaf.path === path)?.kind;
    if (kind !== 'date' && kind !== 'number') return [];
    const numbers = this.at(path).map((value) =>
      kind === 'date' ? dateInterval(String(value))?.from : numberOf(String(value)),
    );
    return numbers.filter((number) => number !== undefined);
  }
}

function matches(query: Query, values: Values): boolean {
  const someTerm = (path: string, fits: (term: string) => boolean) => values.terms(path).flat().some(fits);
  switch (query.kind) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return query.of.every((part) => matches(part, values));
    case 'or':
      return query.of.some((part) => matches(part, values));
    case 'not':
      return !matches(query.of, values);
    case 'exists':
      return values.has(query.path);
    case 'term':
      return someTerm(query.path, (term) => term === query.term);
    case 'prefix':
      return someTerm(query.path, (term) => term.startsWith(query.prefix));
    case 'wildcard':
      return someTerm(query.path, (term) => glob(query.pattern, term));
    case 'termRange': {
      const { from, to } = query;
      return someTerm(
        query.path,
        (term) =>
          (!from || (from.inclusive ? term >= from.term : term > from.term)) &&
          (!to || (to.inclusive ? term <= to.term : term < to.term)),
      );
    }
    case 'phrase':
      return values
        .terms(query.path)
        .some((terms) => terms.some((_, at) => query.terms.every((t, i) => terms[at + i] === t)));
    default:
      return values
        .numbers(query.path)
        .some(
          (n) =>
            (query.fromInclusive ? n >= query.from : n > query.from) &&
            (query.toInclusive ? n <= query.to : n < query.to),
        );
  }
}

function glob(pattern: readonly GlobPart[], term: string): boolean {
  const [first, ...rest] = pattern;
  if (!first) return term === '';
  if ('literal' in first) return term.startsWith(first.literal) && glob(rest, term.slice(first.literal.length));
  const points = Array.from(term);
  if (first.any === 'one') return points.length > 0 && glob(rest, points.slice(1).join(''));
  return points.some((_, i) => glob(rest, points.slice(i).join(''))) || glob(rest, '');
}
