import type { ValueKind } from '../../schemas/schema.ts';
import { ByteWriter, Float64List, Uint32List } from '../format/bytes.ts';
import { compress } from '../format/compression.ts';
import type { SegmentSink } from '../format/format.ts';
import type { ExistsMeta, MetaDraft, NumbersMeta } from '../format/meta.ts';
import { encodeMeta } from '../format/meta-codec.ts';
import { ENTRIES_PER_GROUP, SPARSE_DISTANCE } from '../format/numbers.ts';
import type { PositionsWriter } from '../format/positions.ts';
import { writePostings } from '../format/postings.ts';
import { separator, TermBlockWriter } from '../format/term-block.ts';
import type { TermSlice } from '../format/term-bytes.ts';

const CHUNK_BYTES = 1 << 20;
const TERMS_PER_BLOCK = 256;
const BLOCK_TERM_BYTES = 32 << 10;
/** The sizes above which a block is closed early, so that a lookup of a rare term never reads many bytes of others. */
const BLOCK_POSTINGS_BYTES = 16 << 10;
const BLOCK_POSITIONS_BYTES = 64 << 10;
const GROUP_BYTES = 256 << 10;
const GROUP_POSITIONS_BYTES = 4 << 20;

export interface WrittenSegment {
  readonly meta: Uint8Array;
  /** Bytes of the data object. */
  readonly bytes: number;
}

interface FieldDraft {
  readonly path: string;
  readonly kind: ValueKind | 'object';
  firstBlock: number;
  endBlock: number;
  numbers?: NumbersMeta;
  exists?: ExistsMeta;
}

/**
 * Writes one segment from front to back: record blocks, then the terms field by field in order, then number columns,
 * then sets of records with a value. What it holds in memory does not grow with the segment, except for the meta.
 * Await `drain` whenever `full`.
 */
export class SegmentWriter {
  readonly #records: number;
  readonly #sink: SegmentSink;
  readonly #out = new ByteWriter();
  #drained = 0;

  readonly #recordBlocks: { records: number; length: number }[] = [];
  readonly #groups: { blocks: number; offset: number }[] = [];
  readonly #termBlocks: { separator: Uint8Array; dictionary: number; postings: number; positions: number }[] = [];
  readonly #fields: FieldDraft[] = [];

  readonly #block = new TermBlockWriter();
  #blockSeparator: Uint8Array = new Uint8Array(0);
  #blockPostings = 0;
  #blockPositions = 0;
  #blocksInGroup = 0;
  readonly #dictionary = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #positions = new ByteWriter();
  readonly #termPostings = new ByteWriter();
  readonly #termPositions = new ByteWriter();

  /** @param records how many the segment will have. */
  constructor(sink: SegmentSink, records: number) {
    this.#sink = sink;
    this.#records = records;
  }

  get full(): boolean {
    return this.#out.length >= CHUNK_BYTES;
  }

  async drain(): Promise<void> {
    if (this.#out.length === 0) return;
    await this.#sink.write(this.#out.copy());
    this.#drained += this.#out.length;
    this.#out.clear();
  }

  /** Adds the next records, as lines of JSON text. */
  addRecords(lines: Uint8Array, count: number): void {
    this.addRecordBlock(compress(lines), count);
  }

  /** Adds a record block copied from another segment. */
  addRecordBlock(block: Uint8Array, count: number): void {
    this.#recordBlocks.push({ records: count, length: block.length });
    this.#out.raw(block);
  }

  beginField(path: string, kind: ValueKind | 'object'): void {
    this.#closeBlock();
    const block = this.#termBlocks.length;
    this.#fields.push({ path, kind, firstBlock: block, endBlock: block });
  }

  /**
   * Adds the field's next term.
   * @param positions of a text field, filled for the same ordinals; the writer empties them.
   */
  addTerm(term: TermSlice, ordinals: Uint32Array, positions?: PositionsWriter): void {
    this.#termPostings.clear();
    this.#termPositions.clear();
    const only = ordinals.length === 1;
    if (!only) writePostings(ordinals, this.#records, this.#termPostings);
    positions?.flush(this.#termPositions);
    const postingsLength = this.#termPostings.length;
    const positionsLength = this.#termPositions.length;

    if (this.#isBlockFullFor(postingsLength, positionsLength)) this.#closeBlock();
    if (this.#block.count === 0) this.#blockSeparator = this.#separatorOf(term);
    this.#block.add(term, {
      records: ordinals.length,
      postings: only ? ordinals[0]! : postingsLength,
      positions: positions && positionsLength,
    });
    this.#postings.append(this.#termPostings);
    this.#positions.append(this.#termPositions);
    this.#blockPostings += postingsLength;
    this.#blockPositions += positionsLength;
  }

  /** Ends the terms; called once, between the last term and the first number column. */
  endTerms(): void {
    this.#closeBlock();
    this.#closeGroup();
  }

  beginNumbers(path: string, single: boolean): NumbersWriter {
    return new NumbersWriter(this.#out, this.#offset, single, (numbers) => {
      this.#field(path).numbers = numbers;
    });
  }

  addExists(path: string, ordinals: Uint32Array): void {
    if (ordinals.length === 0) return;
    const offset = this.#offset;
    writePostings(ordinals, this.#records, this.#out);
    this.#field(path).exists = { count: ordinals.length, offset, length: this.#offset - offset };
  }

  async finish(): Promise<WrittenSegment> {
    await this.drain();
    const draft: MetaDraft = {
      records: this.#records,
      bytes: this.#drained,
      recordBlocks: this.#recordBlocks,
      groups: this.#groups,
      termBlocks: this.#termBlocks,
      fields: this.#fields,
    };
    return { meta: encodeMeta(draft), bytes: this.#drained };
  }

  get #offset(): number {
    return this.#drained + this.#out.length;
  }

  #field(path: string): FieldDraft {
    const field = this.#fields.find((field) => field.path === path);
    if (!field) throw new Error(`field ${path} was not begun`);
    return field;
  }

  #isBlockFullFor(postings: number, positions: number): boolean {
    const { count, bytes } = this.#block;
    if (count === 0) return false;
    return (
      count === TERMS_PER_BLOCK ||
      bytes > BLOCK_TERM_BYTES ||
      this.#blockPostings + postings > BLOCK_POSTINGS_BYTES ||
      this.#blockPositions + positions > BLOCK_POSITIONS_BYTES
    );
  }

  #separatorOf(term: TermSlice): Uint8Array {
    const isFirstOfField = this.#fields.at(-1)?.firstBlock === this.#termBlocks.length;
    return isFirstOfField ? new Uint8Array(0) : separator(this.#block.last, term);
  }

  #closeBlock(): void {
    if (this.#block.count === 0) return;
    const dictionary = compress(this.#block.flush());
    this.#dictionary.raw(dictionary);
    this.#termBlocks.push({
      separator: this.#blockSeparator,
      dictionary: dictionary.length,
      postings: this.#blockPostings,
      positions: this.#blockPositions,
    });
    this.#blockPostings = 0;
    this.#blockPositions = 0;
    this.#blocksInGroup++;
    this.#fields.at(-1)!.endBlock = this.#termBlocks.length;
    const isGroupFull =
      this.#dictionary.length + this.#postings.length > GROUP_BYTES || this.#positions.length > GROUP_POSITIONS_BYTES;
    if (isGroupFull) this.#closeGroup();
  }

  #closeGroup(): void {
    if (this.#blocksInGroup === 0) return;
    this.#groups.push({ blocks: this.#blocksInGroup, offset: this.#offset });
    this.#blocksInGroup = 0;
    for (const part of [this.#dictionary, this.#postings, this.#positions]) {
      this.#out.append(part);
      part.clear();
    }
  }
}

/** Writes one number column, entry by entry in its order. */
export class NumbersWriter {
  readonly #out: ByteWriter;
  readonly #offset: number;
  readonly #single: boolean;
  readonly #done: (numbers: NumbersMeta) => void;
  readonly #values = new Float64List();
  readonly #ordinals = new Uint32List();
  readonly #sparse = new Float64List();
  #entries = 0;

  constructor(out: ByteWriter, offset: number, single: boolean, done: (numbers: NumbersMeta) => void) {
    this.#out = out;
    this.#offset = offset;
    this.#single = single;
    this.#done = done;
  }

  add(value: number, ordinal: number): void {
    if (this.#entries % SPARSE_DISTANCE === 0) this.#sparse.push(value);
    this.#values.push(value);
    this.#ordinals.push(ordinal);
    this.#entries++;
    if (this.#entries % ENTRIES_PER_GROUP === 0) this.#closeGroup();
  }

  end(): void {
    if (this.#entries === 0) return;
    this.#closeGroup();
    this.#done({ offset: this.#offset, entries: this.#entries, single: this.#single, sparse: this.#sparse.view() });
  }

  #closeGroup(): void {
    for (const { buffer, byteLength } of [this.#values.view(), this.#ordinals.view()]) {
      this.#out.raw(new Uint8Array(buffer, 0, byteLength));
    }
    this.#values.clear();
    this.#ordinals.clear();
  }
}
