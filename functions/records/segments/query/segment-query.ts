import type { Query, QueryOf, ScoredQuery } from '../../query/query.ts';
import type { ExistsMeta } from '../format/meta.ts';
import {
  allOrdinals,
  complement,
  difference,
  intersection,
  noOrdinals,
  type OrdinalSet,
  sizeOf,
  union,
} from '../format/ordinal-set.ts';
import { readPostings } from '../format/postings.ts';
import type { OpenSegment } from './open-segment.ts';
import { type Piece, pieceOf, type QueryReads } from './reads.ts';
import { SegmentNumbers } from './segment-numbers.ts';
import { type Expansions, exactly, SegmentTerms, spanOf } from './segment-terms.ts';

/**
 * The parts of a query whose matches are cached. Those of a wildcard are not: each query counts its terms over all segments.
 */
type KeptLeaf = QueryOf<'term' | 'phrase' | 'prefix' | 'termRange' | 'numberRange' | 'exists'>;
/** Leaves, and a word in any of several fields. */
type KeptQuery = KeptLeaf | { readonly kind: 'or'; readonly of: readonly KeptLeaf[] };

const KEPT: ReadonlySet<string> = new Set(['term', 'phrase', 'prefix', 'termRange', 'numberRange', 'exists']);
const isKeptLeaf = (query: Query): query is KeptLeaf => KEPT.has(query.kind);
const isKept = (query: Query): query is KeptQuery =>
  query.kind === 'or' ? query.of.every(isKeptLeaf) : isKeptLeaf(query);

/** The part as text. JSON has no infinite numbers, which open ends of ranges are. */
const partName = (part: KeptQuery): string =>
  JSON.stringify(part, (_, value: unknown) => (typeof value === 'number' ? String(value) : value));

/** One query on one segment: requests the necessary reads, then answers from them. */
export class SegmentQuery {
  readonly #segment: OpenSegment;
  readonly #reads: QueryReads;
  readonly #terms: SegmentTerms;
  readonly #numbers: SegmentNumbers;
  /** The records that parts of the query match, live or not. */
  readonly #sets = new Map<Query, OrdinalSet>();

  constructor(segment: OpenSegment, reads: QueryReads, expansions: Expansions) {
    this.#segment = segment;
    this.#reads = reads;
    this.#terms = new SegmentTerms(segment, reads, expansions);
    this.#numbers = new SegmentNumbers(segment, reads);
  }

  /** Requests everything that the meta alone shows to be necessary. */
  want(query: Query): void {
    if (isKept(query) && this.#recall(query)) return;
    switch (query.kind) {
      case 'all':
      case 'none':
        return;
      case 'and':
      case 'or':
        for (const part of query.of) this.want(part);
        return;
      case 'not':
        return this.want(query.of);
      case 'exists':
        return this.#wantExists(query.path);
      case 'numberRange':
        if (this.#isLargelyInside(query)) this.#wantExists(query.path);
        return this.#numbers.want(query, this.#isLargelyInside(query) ? 'outside' : 'inside');
      case 'phrase':
        return this.#terms.wantPhrase(query);
      case 'wildcard':
        return this.#terms.wantWildcard(query);
      case 'term':
      case 'prefix':
      case 'termRange':
        return this.#terms.want(query.path, spanOf(query));
    }
  }

  /** Requests the data that depends on the terms of a wildcard; nothing for most queries. */
  wantMore(query: Query): void {
    if (query.kind === 'and' || query.kind === 'or') for (const part of query.of) this.wantMore(part);
    else if (query.kind === 'not') this.wantMore(query.of);
    else if (query.kind === 'wildcard') this.#terms.wantExpanded(query);
  }

  /** The live records that match. */
  evaluate(query: Query): OrdinalSet {
    const matches = this.#evaluate(query);
    const { tombstones } = this.#segment;
    return tombstones ? difference(matches, tombstones.deleted) : matches;
  }

  /** The records that match a word or the like, deleted ones included. */
  setOf(query: ScoredQuery | KeptQuery): OrdinalSet {
    const earlier = this.#sets.get(query);
    if (earlier) return earlier;
    const set = this.#evaluatePart(query);
    this.#sets.set(query, set);
    if (isKept(query)) this.#reads.keepMatches(this.#segment.id, partName(query), set);
    return set;
  }

  /** Takes the records that a part matches from the cache; false if it lacks them. */
  #recall(query: KeptQuery): boolean {
    const set = this.#sets.get(query) ?? this.#reads.matches(this.#segment.id, partName(query));
    if (set) this.#sets.set(query, set);
    return set !== undefined;
  }

  get records(): number {
    return this.#segment.meta.records;
  }

  /**
   * Requests the data for counting, which is little where the count does not depend on the records; returns the
   * counter.
   */
  wantCount(query: Query): () => number {
    const counter = this.#segment.tombstones ? undefined : this.#wantLoneCount(query);
    if (counter) return counter;
    this.want(query);
    return () => sizeOf(this.evaluate(query));
  }

  #wantLoneCount(query: Query): (() => number) | undefined {
    if (query.kind === 'exists') return () => this.#exists(query.path)?.count ?? 0;
    if (query.kind === 'term') {
      const span = exactly(query.term);
      this.#terms.want(query.path, span);
      return () => this.#terms.count(query.path, span);
    }
    // A record with two values in the range has two entries.
    if (query.kind !== 'numberRange' || !this.#numbers.isSingle(query.path)) return undefined;
    this.#numbers.want(query, 'count');
    return () => this.#numbers.count(query);
  }

  #evaluate(query: Query): OrdinalSet {
    const { records } = this.#segment.meta;
    switch (query.kind) {
      case 'all':
        return allOrdinals(records);
      case 'none':
        return noOrdinals();
      case 'and':
        return this.#evaluateAnd(query.of);
      case 'or':
        return isKept(query) ? this.setOf(query) : this.#evaluateOr(query.of);
      case 'not':
        return complement(this.#evaluate(query.of), records);
      default:
        return this.setOf(query);
    }
  }

  #evaluatePart(query: ScoredQuery | KeptQuery): OrdinalSet {
    switch (query.kind) {
      case 'or':
        return this.#evaluateOr(query.of);
      case 'phrase':
        return this.#terms.evaluatePhrase(query);
      case 'wildcard':
        return this.#terms.evaluateWildcard(query);
      case 'exists':
        return this.#evaluateExists(query.path);
      case 'numberRange':
        return this.#isLargelyInside(query)
          ? difference(this.#evaluateExists(query.path), this.#numbers.evaluate(query, 'outside'))
          : this.#numbers.evaluate(query, 'inside');
      default:
        return this.#terms.evaluate(query.path, spanOf(query));
    }
  }

  #evaluateOr(parts: readonly Query[]): OrdinalSet {
    return union(
      parts.map((part) => this.#evaluate(part)),
      this.#segment.meta.records,
    );
  }

  /** Negated parts are subtracted at the end, which avoids computing their complements. */
  #evaluateAnd(parts: readonly Query[]): OrdinalSet {
    const positive = parts.filter((part) => part.kind !== 'not');
    const sets = positive.map((part) => this.#evaluate(part));
    const all = sets.length > 0 ? intersection(sets) : allOrdinals(this.#segment.meta.records);
    return parts.reduce((left, part) => (part.kind === 'not' ? difference(left, this.#evaluate(part.of)) : left), all);
  }

  /** Returns whether fewer bytes say which records have a value outside of the range, where each has one value. */
  #isLargelyInside(range: QueryOf<'numberRange'>): boolean {
    return (
      this.#numbers.isLargelyInside(range) && this.#exists(range.path)?.count === this.#numbers.entries(range.path)
    );
  }

  #wantExists(path: string): void {
    const exists = this.#exists(path);
    if (exists) this.#reads.want(this.#existsPiece(exists));
  }

  #evaluateExists(path: string): OrdinalSet {
    const exists = this.#exists(path);
    if (!exists) return noOrdinals();
    return readPostings(this.#reads.bytes(this.#existsPiece(exists)), exists.count, this.#segment.meta.records);
  }

  #exists(path: string): ExistsMeta | undefined {
    return this.#segment.meta.fields.get(path)?.exists;
  }

  #existsPiece(exists: ExistsMeta): Piece {
    return pieceOf(this.#segment.id, `e${exists.offset}`, exists);
  }
}
