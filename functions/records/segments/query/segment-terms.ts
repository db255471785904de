import { MAX_EXPANSIONS, type Query, type QueryOf, TooManyTerms } from '../../query/query.ts';
import { pairsOf, UnreadableSegment } from '../format/format.ts';
import { type FieldMeta, groupsOfSpan, partOfSpan } from '../format/meta.ts';
import { bitSet, listSet, noOrdinals, type OrdinalSet, ordinalsOf, wordsFor } from '../format/ordinal-set.ts';
import { addPostings, isCompressed, plainPostings, readPostings } from '../format/postings.ts';
import { TermBlock, type TermEntry } from '../format/term-block.ts';
import { afterTerm, prefixSpan, type TermSpan, termBytes, termText } from '../format/term-bytes.ts';
import { TermGroup } from '../format/term-group.ts';
import { globTest, literalStart } from './glob.ts';
import type { OpenSegment } from './open-segment.ts';
import { matchPhrase, type PhrasePart } from './phrase.ts';
import { type Piece, pieceOf, type QueryReads } from './reads.ts';

/** The terms that the wildcards of a query match, over all segments. */
export type Expansions = Map<Query, Set<string>>;

/**
 * The most bytes of postings that are read together with the dictionary blocks of a wildcard; larger postings take one
 * more round, when it is known which are needed.
 */
const EAGER_POSTINGS_BYTES = 1 << 20;

/** A term with the block that holds it. */
interface BlockTerm {
  readonly group: number;
  readonly block: number;
  readonly entry: TermEntry;
}

/** The terms of one segment with their postings and positions, as one query reads them. */
export class SegmentTerms {
  readonly #segment: OpenSegment;
  readonly #reads: QueryReads;
  readonly #expansions: Expansions;
  readonly #groups = new Map<number, TermGroup>();
  readonly #blocks = new Map<string, TermBlock>();

  constructor(segment: OpenSegment, reads: QueryReads, expansions: Expansions) {
    this.#segment = segment;
    this.#reads = reads;
    this.#expansions = expansions;
  }

  /** Requests the terms of the span with their postings. */
  want(path: string, span: TermSpan, { positions = false } = {}): void {
    this.#forEachGroup(path, span, (group) => {
      this.#reads.want(this.#dictionary(group));
      this.#reads.want(this.#postings(group));
      if (positions) this.#reads.want(this.#positions(group));
    });
  }

  wantPhrase(phrase: QueryOf<'phrase'>): void {
    const parts = this.#partsOf(phrase);
    for (const { path, term } of parts) this.want(path, exactly(term), { positions: parts.length > 1 });
  }

  wantWildcard({ path, pattern }: QueryOf<'wildcard'>): void {
    const span = prefixSpan(literalStart(pattern));
    let bytes = 0;
    this.#forEachGroup(path, span, (group) => {
      bytes += this.#segment.meta.groups.postings(group).length;
    });
    this.#forEachGroup(path, span, (group) => {
      this.#reads.want(this.#dictionary(group));
      if (bytes <= EAGER_POSTINGS_BYTES) this.#reads.want(this.#postings(group));
    });
  }

  /** Requests the data for the terms of a wildcard, after its dictionary blocks have been read. */
  wantExpanded(query: QueryOf<'wildcard'>): void {
    for (const { group, entry } of this.#expand(query)) if (entry.records > 1) this.#reads.want(this.#postings(group));
  }

  /** The records that have a term of the span. */
  evaluate(path: string, span: TermSpan): OrdinalSet {
    return this.#unionOf(this.#termsIn(path, span));
  }

  evaluateWildcard(query: QueryOf<'wildcard'>): OrdinalSet {
    return this.#unionOf(this.#expand(query));
  }

  evaluatePhrase(phrase: QueryOf<'phrase'>): OrdinalSet {
    const matches = this.#partsOf(phrase).map((part) => ({
      ...part,
      match: this.#termsIn(part.path, exactly(part.term))[0],
    }));
    const parts: PhrasePart[] = [];
    for (const { offset, match } of matches) {
      if (!match) return noOrdinals();
      // A phrase that is one pair needs no positions.
      if (matches.length === 1) return this.#ordinals(match);
      parts.push({ ordinals: ordinalsOf(this.#ordinals(match)), positions: this.#positionsOf(match), offset });
    }
    return listSet(matchPhrase(parts));
  }

  /** The terms that together say where the phrase is: pairs of frequent words, and the words that are in no pair. */
  #partsOf({ path, terms }: QueryOf<'phrase'>): { path: string; term: string; offset: number }[] {
    const frequent = this.#segment.meta.fields.get(path)?.frequentWords ?? new Set<string>();
    const isPair = (at: number) =>
      at >= 0 && at + 1 < terms.length && frequent.has(terms[at]!) && frequent.has(terms[at + 1]!);
    return terms.flatMap((term, offset) => {
      if (isPair(offset)) return [{ path: pairsOf(path), term: `${term} ${terms[offset + 1]}`, offset }];
      return isPair(offset - 1) ? [] : [{ path, term, offset }];
    });
  }

  /** The number of records of the terms in the span, counted separately for each term. */
  count(path: string, span: TermSpan): number {
    return this.#termsIn(path, span).reduce((sum, { entry }) => sum + entry.records, 0);
  }

  /** The segment's terms that match a wildcard. */
  #expand(query: QueryOf<'wildcard'>): BlockTerm[] {
    const fits = globTest(query.pattern);
    const expansion = this.#expansions.get(query) ?? new Set<string>();
    this.#expansions.set(query, expansion);
    const matches: BlockTerm[] = [];
    this.#forEachBlock(query.path, prefixSpan(literalStart(query.pattern)), (place, terms, from, to) => {
      for (const { index, bytes } of terms.terms(from, to)) {
        const term = termText(bytes);
        if (!fits(term)) continue;
        expansion.add(term);
        if (expansion.size > MAX_EXPANSIONS) throw new TooManyTerms();
        matches.push({ ...place, entry: terms.entry(index) });
      }
    });
    return matches;
  }

  #termsIn(path: string, span: TermSpan): BlockTerm[] {
    const matches: BlockTerm[] = [];
    this.#forEachBlock(path, span, (place, terms, from, to) => {
      for (let index = from; index < to; index++) matches.push({ ...place, entry: terms.entry(index) });
    });
    return matches;
  }

  #forEachGroup(path: string, span: TermSpan, visit: (group: number, field: FieldMeta) => void): void {
    const field = this.#segment.meta.fields.get(path);
    if (!field) return;
    const { first, end } = groupsOfSpan(this.#segment.meta.groups, field, span);
    for (let group = first; group < end; group++) visit(group, field);
  }

  /** Calls with each block of the span, and the range of its terms within the block. */
  #forEachBlock(
    path: string,
    span: TermSpan,
    visit: (place: { group: number; block: number }, terms: TermBlock, from: number, to: number) => void,
  ): void {
    this.#forEachGroup(path, span, (group, { kind }) => {
      const blocks = this.#group(group);
      const { first, end } = partOfSpan(blocks, { first: 0, end: blocks.count }, span);
      for (let block = first; block < end; block++) {
        const terms = this.#termBlock(group, block, kind === 'text');
        const from = block === first ? terms.lowerBound(span.from) : 0;
        const to = block === end - 1 && span.before ? terms.lowerBound(span.before) : terms.count;
        if (from < to) visit({ group, block }, terms, from, to);
      }
    });
  }

  #unionOf(terms: readonly BlockTerm[]): OrdinalSet {
    const { records } = this.#segment.meta;
    if (terms.length < 2) return terms[0] ? this.#ordinals(terms[0]) : noOrdinals();
    const words = new Uint32Array(wordsFor(records));
    for (const term of terms) {
      const { entry } = term;
      if (entry.records === 1) words[entry.ordinal >>> 5]! |= 1 << (entry.ordinal & 31);
      else addPostings(this.#postingsOf(term), entry.records, records, words);
    }
    return bitSet(words);
  }

  #ordinals(term: BlockTerm): OrdinalSet {
    const { entry } = term;
    if (entry.records === 1) return listSet(Uint32Array.of(entry.ordinal));
    return readPostings(this.#postingsOf(term), entry.records, this.#segment.meta.records);
  }

  #group(group: number): TermGroup {
    const opened = this.#groups.get(group) ?? new TermGroup(this.#reads.bytes(this.#dictionary(group)));
    this.#groups.set(group, opened);
    return opened;
  }

  #termBlock(group: number, block: number, positional: boolean): TermBlock {
    const name = `b${group}.${block}`;
    let terms = this.#blocks.get(name);
    if (!terms) {
      const { id } = this.#segment;
      const bytes = this.#reads.derive(id, name, () => this.#group(group).dictionary(block, `${id}/${name}`));
      terms = new TermBlock(bytes, positional);
      this.#blocks.set(name, terms);
    }
    return terms;
  }

  #postingsOf({ group, block, entry: { postingsStart, postingsEnd } }: BlockTerm): Uint8Array {
    const { offset } = this.#group(group).postings(block);
    const piece = this.#postings(group);
    const postings = this.#part(this.#reads.bytes(piece), offset + postingsStart, offset + postingsEnd);
    if (!isCompressed(postings)) return postings;
    const name = `${piece.name}.${offset + postingsStart}`;
    return this.#reads.derive(piece.segmentId, name, () => plainPostings(postings));
  }

  #positionsOf({ group, block, entry: { positionsStart, positionsEnd } }: BlockTerm): Uint8Array {
    const { offset } = this.#group(group).positions(block);
    return this.#part(this.#reads.bytes(this.#positions(group)), offset + positionsStart, offset + positionsEnd);
  }

  #part(bytes: Uint8Array, from: number, to: number): Uint8Array {
    if (to > bytes.length) throw new UnreadableSegment(`a term group of segment ${this.#segment.id} is too short`);
    return bytes.subarray(from, to);
  }

  #dictionary(group: number): Piece {
    return pieceOf(this.#segment.id, `d${group}`, this.#segment.meta.groups.dictionary(group));
  }

  #postings(group: number): Piece {
    return pieceOf(this.#segment.id, `p${group}`, this.#segment.meta.groups.postings(group));
  }

  #positions(group: number): Piece {
    return pieceOf(this.#segment.id, `w${group}`, this.#segment.meta.groups.positions(group));
  }
}

export const exactly = (term: string): TermSpan => {
  const from = termBytes(term);
  return { from, before: afterTerm(from) };
};

export function spanOf(leaf: QueryOf<'term'> | QueryOf<'prefix'> | QueryOf<'termRange'>): TermSpan {
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
