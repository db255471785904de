import type { Query } from '../../query/query.ts';
import { MAX_EXPANSIONS, TooManyTerms } from '../../query/query.ts';
import { type Extent, UnreadableSegment } from '../format/format.ts';
import { blocksOfSpan, type FieldMeta, type NumbersMeta } from '../format/meta.ts';
import {
  float64s,
  highStretch,
  lowStretch,
  ordinalsExtent,
  rangeEnd,
  rangeStart,
  type Stretch,
  stretchesIn,
  uint32s,
  valuesExtent,
} from '../format/numbers.ts';
import {
  addBits,
  allOrdinals,
  bitSet,
  complement,
  difference,
  intersection,
  listSet,
  noOrdinals,
  type OrdinalSet,
  ordinalsOf,
  sizeOf,
  union,
  wordsFor,
} from '../format/ordinal-set.ts';
import { addPostings, readPostings } from '../format/postings.ts';
import { TermBlock, type TermEntry } from '../format/term-block.ts';
import { afterTerm, prefixSpan, type TermSpan, termBytes, termText } from '../format/term-bytes.ts';
import { globTest, literalStart } from './glob.ts';
import type { OpenSegment } from './open-segment.ts';
import { matchPhrase, type PhraseTerm } from './phrase.ts';
import type { Piece, QueryReads } from './reads.ts';

type Leaf<Kind extends Query['kind']> = Extract<Query, { kind: Kind }>;
type TermsLeaf = Leaf<'term'> | Leaf<'prefix'> | Leaf<'termRange'>;

/** The terms that the wildcards of a query stand for, over all segments. */
export type Expansions = Map<Query, Set<string>>;

/**
 * Up to this much, the postings that a wildcard may need come together with its dictionary blocks; beyond it they wait
 * for one more round, when it is known which are needed.
 */
const EAGER_POSTINGS_BYTES = 1 << 20;

/** A term with the block it stands in. */
interface Found {
  readonly block: number;
  readonly entry: TermEntry;
}

/** One query on one segment: says what must be read, then answers from it. */
export class SegmentQuery {
  readonly #segment: OpenSegment;
  readonly #reads: QueryReads;
  readonly #expansions: Expansions;
  readonly #blocks = new Map<number, TermBlock>();

  constructor(segment: OpenSegment, reads: QueryReads, expansions: Expansions) {
    this.#segment = segment;
    this.#reads = reads;
    this.#expansions = expansions;
  }

  /** Wants all that can be known to be needed from the meta alone. */
  want(query: Query): void {
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
        return this.#wantNumbers(query, true);
      case 'phrase':
        for (const term of query.terms) this.#wantTerms(query.path, exactly(term), { postings: true, positions: true });
        return;
      case 'wildcard':
        return this.#wantWildcard(query);
      case 'term':
      case 'prefix':
      case 'termRange':
        return this.#wantTerms(query.path, spanOf(query), { postings: true, positions: false });
    }
  }

  /** Wants what only the terms behind a wildcard tell; nothing for most queries. */
  wantMore(query: Query): void {
    if (query.kind === 'and' || query.kind === 'or') for (const part of query.of) this.wantMore(part);
    else if (query.kind === 'not') this.wantMore(query.of);
    else if (query.kind === 'wildcard') {
      for (const { block, entry } of this.#expand(query))
        if (entry.records > 1) this.#reads.want(this.#postings(block));
    }
  }

  /** The live records that match. */
  evaluate(query: Query): OrdinalSet {
    const found = this.#evaluate(query);
    const { tombstones } = this.#segment;
    return tombstones ? difference(found, tombstones.deleted) : found;
  }

  /** Wants what counting needs, which is little where the count can be told without the records; gives the counter. */
  wantCount(query: Query): () => number {
    const counter = this.#segment.tombstones ? undefined : this.#wantLoneCount(query);
    if (counter) return counter;
    this.want(query);
    return () => sizeOf(this.evaluate(query));
  }

  #wantLoneCount(query: Query): (() => number) | undefined {
    const { fields } = this.#segment.meta;
    if (query.kind === 'exists') return () => fields.get(query.path)?.exists?.count ?? 0;
    if (query.kind === 'term') {
      const span = exactly(query.term);
      this.#wantTerms(query.path, span, { postings: false, positions: false });
      return () => this.#termsIn(query.path, span).reduce((sum, { entry }) => sum + entry.records, 0);
    }
    if (query.kind !== 'numberRange') return undefined;
    const column = fields.get(query.path)?.numbers;
    // A record with two values in the range has two entries.
    if (!column?.single) return undefined;
    this.#wantNumbers(query, false);
    return () => {
      const { start, end } = this.#entriesIn(column, query);
      return Math.max(0, end - start);
    };
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
        return union(
          query.of.map((part) => this.#evaluate(part)),
          records,
        );
      case 'not':
        return complement(this.#evaluate(query.of), records);
      case 'exists':
        return this.#evaluateExists(query.path);
      case 'numberRange':
        return this.#evaluateNumbers(query);
      case 'phrase':
        return this.#evaluatePhrase(query);
      case 'wildcard':
        return this.#unionOf(this.#expand(query));
      default:
        return this.#unionOf(this.#termsIn(query.path, spanOf(query)));
    }
  }

  /** Negated parts are taken away at the end, which spares their complements. */
  #evaluateAnd(parts: readonly Query[]): OrdinalSet {
    const positive = parts.filter((part) => part.kind !== 'not');
    const sets = positive.map((part) => this.#evaluate(part));
    const all = sets.length > 0 ? intersection(sets) : allOrdinals(this.#segment.meta.records);
    return parts.reduce((left, part) => (part.kind === 'not' ? difference(left, this.#evaluate(part.of)) : left), all);
  }

  #wantExists(path: string): void {
    const exists = this.#segment.meta.fields.get(path)?.exists;
    if (exists) this.#reads.want(this.#piece(`e${exists.offset}`, exists));
  }

  #evaluateExists(path: string): OrdinalSet {
    const exists = this.#segment.meta.fields.get(path)?.exists;
    if (!exists) return noOrdinals();
    const bytes = this.#reads.bytes(this.#piece(`e${exists.offset}`, exists));
    return readPostings(bytes, exists.count, this.#segment.meta.records);
  }

  #wantTerms(path: string, span: TermSpan, { postings, positions }: { postings: boolean; positions: boolean }): void {
    const field = this.#termsField(path);
    if (!field) return;
    const { first, end } = blocksOfSpan(this.#segment.meta.termBlocks, field, span);
    for (let block = first; block < end; block++) {
      this.#reads.want(this.#dictionary(block));
      if (postings) this.#reads.want(this.#postings(block));
      if (positions) this.#reads.want(this.#positions(block));
    }
  }

  #wantWildcard(query: Leaf<'wildcard'>): void {
    const field = this.#termsField(query.path);
    if (!field) return;
    const span = prefixSpan(literalStart(query.pattern));
    const { termBlocks } = this.#segment.meta;
    const { first, end } = blocksOfSpan(termBlocks, field, span);
    let bytes = 0;
    for (let block = first; block < end; block++) bytes += termBlocks.postings(block).length;
    this.#wantTerms(query.path, span, { postings: bytes <= EAGER_POSTINGS_BYTES, positions: false });
  }

  /** The segment's terms behind a wildcard. */
  #expand(query: Leaf<'wildcard'>): Found[] {
    const fits = globTest(query.pattern);
    const expansion = this.#expansions.get(query) ?? new Set<string>();
    this.#expansions.set(query, expansion);
    const found: Found[] = [];
    this.#forEachBlock(query.path, prefixSpan(literalStart(query.pattern)), (block, terms, from, to) => {
      for (const { index, bytes } of terms.terms(from, to)) {
        const term = termText(bytes);
        if (!fits(term)) continue;
        expansion.add(term);
        if (expansion.size > MAX_EXPANSIONS) throw new TooManyTerms();
        found.push({ block, entry: terms.entry(index) });
      }
    });
    return found;
  }

  #termsIn(path: string, span: TermSpan): Found[] {
    const found: Found[] = [];
    this.#forEachBlock(path, span, (block, terms, from, to) => {
      for (let index = from; index < to; index++) found.push({ block, entry: terms.entry(index) });
    });
    return found;
  }

  /** Calls with each block of the span, and from where to where its terms are in it. */
  #forEachBlock(
    path: string,
    span: TermSpan,
    visit: (block: number, terms: TermBlock, from: number, to: number) => void,
  ): void {
    const field = this.#termsField(path);
    if (!field) return;
    const { first, end } = blocksOfSpan(this.#segment.meta.termBlocks, field, span);
    for (let block = first; block < end; block++) {
      const terms = this.#termBlock(block, field);
      const from = block === first ? terms.lowerBound(span.from) : 0;
      const to = block === end - 1 && span.before ? terms.lowerBound(span.before) : terms.count;
      if (from < to) visit(block, terms, from, to);
    }
  }

  #unionOf(found: readonly Found[]): OrdinalSet {
    const { records } = this.#segment.meta;
    if (found.length < 2) return found[0] ? this.#ordinals(found[0]) : noOrdinals();
    const words = new Uint32Array(wordsFor(records));
    for (const { block, entry } of found) {
      if (entry.records === 1) words[entry.ordinal >>> 5]! |= 1 << (entry.ordinal & 31);
      else addPostings(this.#postingsOf(block, entry), entry.records, records, words);
    }
    return bitSet(words);
  }

  #ordinals({ block, entry }: Found): OrdinalSet {
    if (entry.records === 1) return listSet(Uint32Array.of(entry.ordinal));
    return readPostings(this.#postingsOf(block, entry), entry.records, this.#segment.meta.records);
  }

  #evaluatePhrase({ path, terms }: Leaf<'phrase'>): OrdinalSet {
    const parts: PhraseTerm[] = [];
    for (const term of terms) {
      const found = this.#termsIn(path, exactly(term))[0];
      if (!found) return noOrdinals();
      const { positionsStart, positionsEnd } = found.entry;
      const positions = this.#reads.bytes(this.#positions(found.block)).subarray(positionsStart, positionsEnd);
      parts.push({ ordinals: ordinalsOf(this.#ordinals(found)), positions });
    }
    return listSet(matchPhrase(parts));
  }

  #wantNumbers(range: Leaf<'numberRange'>, withOrdinals: boolean): void {
    const column = this.#segment.meta.fields.get(range.path)?.numbers;
    if (!column) return;
    const low = lowStretch(column, range);
    const high = highStretch(column, range);
    for (const edge of [low, high]) if (edge.end > edge.start) this.#reads.want(this.#values(column, edge));
    if (!withOrdinals) return;
    for (const part of stretchesIn({ start: low.start, end: high.end }, column))
      this.#reads.want(this.#numberOrdinals(column, part));
  }

  #evaluateNumbers(range: Leaf<'numberRange'>): OrdinalSet {
    const column = this.#segment.meta.fields.get(range.path)?.numbers;
    if (!column) return noOrdinals();
    const { start, end } = this.#entriesIn(column, range);
    const words = new Uint32Array(wordsFor(this.#segment.meta.records));
    for (const part of stretchesIn({ start, end }, column)) {
      const ordinals = uint32s(this.#reads.bytes(this.#numberOrdinals(column, part)));
      addBits(words, listSet(ordinals.subarray(Math.max(0, start - part.start), end - part.start)));
    }
    return bitSet(words);
  }

  /** The first entry of the range and the first behind it. */
  #entriesIn(column: NumbersMeta, range: Leaf<'numberRange'>): Stretch {
    const low = lowStretch(column, range);
    const high = highStretch(column, range);
    const valuesOf = (edge: Stretch) =>
      edge.end > edge.start ? float64s(this.#reads.bytes(this.#values(column, edge))) : new Float64Array(0);
    return { start: rangeStart(valuesOf(low), low, range), end: rangeEnd(valuesOf(high), high, range) };
  }

  /** The field, if it is one with terms. */
  #termsField(path: string): FieldMeta | undefined {
    const field = this.#segment.meta.fields.get(path);
    return field && field.endBlock > field.firstBlock ? field : undefined;
  }

  #termBlock(block: number, field: FieldMeta): TermBlock {
    let terms = this.#blocks.get(block);
    if (!terms) {
      terms = new TermBlock(this.#reads.bytes(this.#dictionary(block)), field.kind === 'text');
      this.#blocks.set(block, terms);
    }
    return terms;
  }

  #postingsOf(block: number, { postingsStart, postingsEnd }: TermEntry): Uint8Array {
    const bytes = this.#reads.bytes(this.#postings(block));
    if (postingsEnd > bytes.length)
      throw new UnreadableSegment(`postings of segment ${this.#segment.id} are too short`);
    return bytes.subarray(postingsStart, postingsEnd);
  }

  #dictionary(block: number): Piece {
    return this.#piece(`d${block}`, this.#segment.meta.termBlocks.dictionary(block), true);
  }

  #postings(block: number): Piece {
    return this.#piece(`p${block}`, this.#segment.meta.termBlocks.postings(block));
  }

  #positions(block: number): Piece {
    return this.#piece(`w${block}`, this.#segment.meta.termBlocks.positions(block));
  }

  #values(column: NumbersMeta, stretch: Stretch): Piece {
    const extent = valuesExtent(column, stretch);
    return this.#piece(`v${extent.offset}`, extent);
  }

  #numberOrdinals(column: NumbersMeta, stretch: Stretch): Piece {
    const extent = ordinalsExtent(column, stretch);
    return this.#piece(`o${extent.offset}`, extent);
  }

  #piece(name: string, { offset, length }: Extent, compressed = false): Piece {
    return { segmentId: this.#segment.id, name, offset, length, compressed };
  }
}

const exactly = (term: string): TermSpan => {
  const from = termBytes(term);
  return { from, before: afterTerm(from) };
};

function spanOf(leaf: TermsLeaf): TermSpan {
  if (leaf.kind === 'term') return exactly(leaf.term);
  if (leaf.kind === 'prefix') return prefixSpan(leaf.prefix);
  const { from, to } = leaf;
  const first = termBytes(from?.term ?? '');
  const last = to && termBytes(to.term);
  return {
    from: from?.inclusive === false ? afterTerm(first) : first,
    before: to && last && (to.inclusive ? afterTerm(last) : last),
  };
}
