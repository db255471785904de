import { MAX_EXPANSIONS, type Query, type QueryOf, TooManyTerms } from '../../query/query.ts';
import { UnreadableSegment } from '../format/format.ts';
import { blocksOfSpan, type FieldMeta } from '../format/meta.ts';
import { bitSet, listSet, noOrdinals, type OrdinalSet, ordinalsOf, wordsFor } from '../format/ordinal-set.ts';
import { addPostings, readPostings } from '../format/postings.ts';
import { TermBlock, type TermEntry } from '../format/term-block.ts';
import { afterTerm, prefixSpan, type TermSpan, termBytes, termText } from '../format/term-bytes.ts';
import { globTest, literalStart } from './glob.ts';
import type { OpenSegment } from './open-segment.ts';
import { matchPhrase, type PhraseTerm } from './phrase.ts';
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
  readonly block: number;
  readonly entry: TermEntry;
}

/** The terms of one segment with their postings and positions, as one query reads them. */
export class SegmentTerms {
  readonly #segment: OpenSegment;
  readonly #reads: QueryReads;
  readonly #expansions: Expansions;
  readonly #blocks = new Map<number, TermBlock>();

  constructor(segment: OpenSegment, reads: QueryReads, expansions: Expansions) {
    this.#segment = segment;
    this.#reads = reads;
    this.#expansions = expansions;
  }

  want(path: string, span: TermSpan, { postings, positions }: { postings: boolean; positions: boolean }): void {
    const field = this.#field(path);
    if (!field) return;
    const { first, end } = blocksOfSpan(this.#segment.meta.termBlocks, field, span);
    for (let block = first; block < end; block++) {
      this.#reads.want(this.#dictionary(block));
      if (postings) this.#reads.want(this.#postings(block));
      if (positions) this.#reads.want(this.#positions(block));
    }
  }

  wantPhrase({ path, terms }: QueryOf<'phrase'>): void {
    for (const term of terms) this.want(path, exactly(term), { postings: true, positions: true });
  }

  wantWildcard({ path, pattern }: QueryOf<'wildcard'>): void {
    const field = this.#field(path);
    if (!field) return;
    const span = prefixSpan(literalStart(pattern));
    const { termBlocks } = this.#segment.meta;
    const { first, end } = blocksOfSpan(termBlocks, field, span);
    let bytes = 0;
    for (let block = first; block < end; block++) bytes += termBlocks.postings(block).length;
    this.want(path, span, { postings: bytes <= EAGER_POSTINGS_BYTES, positions: false });
  }

  /** Requests the data for the terms of a wildcard, after its dictionary blocks have been read. */
  wantExpanded(query: QueryOf<'wildcard'>): void {
    for (const { block, entry } of this.#expand(query)) if (entry.records > 1) this.#reads.want(this.#postings(block));
  }

  /** The records that have a term of the span. */
  evaluate(path: string, span: TermSpan): OrdinalSet {
    return this.#unionOf(this.#termsIn(path, span));
  }

  evaluateWildcard(query: QueryOf<'wildcard'>): OrdinalSet {
    return this.#unionOf(this.#expand(query));
  }

  evaluatePhrase({ path, terms }: QueryOf<'phrase'>): OrdinalSet {
    const parts: PhraseTerm[] = [];
    for (const term of terms) {
      const match = this.#termsIn(path, exactly(term))[0];
      if (!match) return noOrdinals();
      const { positionsStart, positionsEnd } = match.entry;
      const positions = this.#reads.bytes(this.#positions(match.block)).subarray(positionsStart, positionsEnd);
      parts.push({ ordinals: ordinalsOf(this.#ordinals(match)), positions });
    }
    return listSet(matchPhrase(parts));
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
    this.#forEachBlock(query.path, prefixSpan(literalStart(query.pattern)), (block, terms, from, to) => {
      for (const { index, bytes } of terms.terms(from, to)) {
        const term = termText(bytes);
        if (!fits(term)) continue;
        expansion.add(term);
        if (expansion.size > MAX_EXPANSIONS) throw new TooManyTerms();
        matches.push({ block, entry: terms.entry(index) });
      }
    });
    return matches;
  }

  #termsIn(path: string, span: TermSpan): BlockTerm[] {
    const matches: BlockTerm[] = [];
    this.#forEachBlock(path, span, (block, terms, from, to) => {
      for (let index = from; index < to; index++) matches.push({ block, entry: terms.entry(index) });
    });
    return matches;
  }

  /** Calls with each block of the span, and the range of its terms within the block. */
  #forEachBlock(
    path: string,
    span: TermSpan,
    visit: (block: number, terms: TermBlock, from: number, to: number) => void,
  ): void {
    const field = this.#field(path);
    if (!field) return;
    const { first, end } = blocksOfSpan(this.#segment.meta.termBlocks, field, span);
    for (let block = first; block < end; block++) {
      const terms = this.#termBlock(block, field);
      const from = block === first ? terms.lowerBound(span.from) : 0;
      const to = block === end - 1 && span.before ? terms.lowerBound(span.before) : terms.count;
      if (from < to) visit(block, terms, from, to);
    }
  }

  #unionOf(terms: readonly BlockTerm[]): OrdinalSet {
    const { records } = this.#segment.meta;
    if (terms.length < 2) return terms[0] ? this.#ordinals(terms[0]) : noOrdinals();
    const words = new Uint32Array(wordsFor(records));
    for (const { block, entry } of terms) {
      if (entry.records === 1) words[entry.ordinal >>> 5]! |= 1 << (entry.ordinal & 31);
      else addPostings(this.#postingsOf(block, entry), entry.records, records, words);
    }
    return bitSet(words);
  }

  #ordinals({ block, entry }: BlockTerm): OrdinalSet {
    if (entry.records === 1) return listSet(Uint32Array.of(entry.ordinal));
    return readPostings(this.#postingsOf(block, entry), entry.records, this.#segment.meta.records);
  }

  /** The field, if it has terms. */
  #field(path: string): FieldMeta | undefined {
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
    const { offset, length } = this.#segment.meta.termBlocks.dictionary(block);
    return { segmentId: this.#segment.id, name: `d${block}`, offset, length, compressed: true };
  }

  #postings(block: number): Piece {
    return pieceOf(this.#segment.id, `p${block}`, this.#segment.meta.termBlocks.postings(block));
  }

  #positions(block: number): Piece {
    return pieceOf(this.#segment.id, `w${block}`, this.#segment.meta.termBlocks.positions(block));
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
