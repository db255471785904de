import type { ValueKind } from '../../schemas/schema.ts';
import { ByteWriter, Float64List, Uint32List } from '../format/bytes.ts';
import { compress } from '../format/compression.ts';
import type { SegmentSink } from '../format/format.ts';
import type { ExistsMeta, GroupDraft, MetaDraft, NumbersMeta } from '../format/meta.ts';
import { encodeMeta } from '../format/meta-codec.ts';
import { ENTRIES_PER_STRETCH, writeStretch } from '../format/numbers.ts';
import type { PositionsWriter } from '../format/positions.ts';
import { writePostings } from '../format/postings.ts';
import { writeRecordBlock } from '../format/record-block.ts';
import { separator, TermBlockWriter } from '../format/term-block.ts';
import type { TermSlice } from '../format/term-bytes.ts';
import { type GroupBlock, writeGroupTable } from '../format/term-group.ts';

const CHUNK_BYTES = 1 << 20;
const TERMS_PER_BLOCK = 256;
const BLOCK_TERM_BYTES = 32 << 10;
/** The sizes above which a block is closed early, so that a group of rare terms is never large. */
const BLOCK_POSTINGS_BYTES = 16 << 10;
const BLOCK_POSITIONS_BYTES = 64 << 10;
/**
 * The sizes above which a group gets no further block. Smaller groups make a lookup read less, and a meta, which every
 * cold query reads, larger.
 */
const GROUP_BYTES = 96 << 10;
const GROUP_POSITIONS_BYTES = 256 << 10;
/** Groups that are written together, after their positions. They are in memory meanwhile. */
const RUN_BYTES = 16 << 20;

export interface WrittenSegment {
  readonly meta: Uint8Array;
  /** Bytes of the data object. */
  readonly bytes: number;
}

interface FieldDraft {
  readonly path: string;
  readonly kind: ValueKind | 'object';
  readonly frequentWords?: ReadonlySet<string>;
  readonly firstGroup: number;
  endGroup: number;
  numbers?: NumbersMeta;
  exists?: ExistsMeta;
}

/**
 * Writes one segment from front to back: record blocks, then the terms field by field in order, then number columns,
 * then sets of records with a value. What it holds in memory does not grow with the segment, except for the meta and
 * the values of one number column. Await `drain` whenever `full`.
 */
export class SegmentWriter {
  readonly #records: number;
  readonly #sink: SegmentSink;
  readonly #out = new ByteWriter();
  #drained = 0;

  readonly #recordBlocks: { records: number; length: number }[] = [];
  readonly #groups: GroupDraft[] = [];
  readonly #fields: FieldDraft[] = [];

  readonly #block = new TermBlockWriter();
  #blockSeparator: Uint8Array = new Uint8Array(0);
  readonly #blockPostings = new ByteWriter();
  readonly #blockPositions = new ByteWriter();
  #groupBlocks: GroupBlock[] = [];
  readonly #dictionaries = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #positions = new ByteWriter();
  /** Groups that are yet to be written, with their offsets in the run. */
  #runGroups: GroupDraft[] = [];
  readonly #run = new ByteWriter();
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
    this.addRecordBlock(writeRecordBlock(lines), count);
  }

  /** Adds a record block copied from another segment. */
  addRecordBlock(block: Uint8Array, count: number): void {
    this.#recordBlocks.push({ records: count, length: block.length });
    this.#out.raw(block);
  }

  /** @param frequentWords of a text field: those of which the field of pairs, which must follow, holds all pairs. */
  beginField(path: string, kind: ValueKind | 'object', frequentWords?: ReadonlySet<string>): void {
    this.#endField();
    const group = this.#groups.length;
    this.#fields.push({ path, kind, firstGroup: group, endGroup: group, ...(frequentWords && { frequentWords }) });
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
    this.#blockPostings.append(this.#termPostings);
    this.#blockPositions.append(this.#termPositions);
  }

  /** Ends the terms; called once, between the last term and the first number column. */
  endTerms(): void {
    this.#endField();
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
      this.#blockPostings.length + postings > BLOCK_POSTINGS_BYTES ||
      this.#blockPositions.length + positions > BLOCK_POSITIONS_BYTES
    );
  }

  #separatorOf(term: TermSlice): Uint8Array {
    const field = this.#fields.at(-1)!;
    const isFirstOfField =
      field.firstGroup === this.#groups.length + this.#runGroups.length && this.#groupBlocks.length === 0;
    return isFirstOfField ? new Uint8Array(0) : separator(this.#block.last, term);
  }

  #closeBlock(): void {
    if (this.#block.count === 0) return;
    const dictionary = compress(this.#block.flush());
    const bytes = this.#dictionaries.length + this.#postings.length + dictionary.length + this.#blockPostings.length;
    const isTooMuch =
      bytes > GROUP_BYTES || this.#positions.length + this.#blockPositions.length > GROUP_POSITIONS_BYTES;
    if (isTooMuch) this.#closeGroup();
    this.#dictionaries.raw(dictionary);
    this.#groupBlocks.push({
      separator: this.#blockSeparator,
      dictionary: dictionary.length,
      postings: this.#blockPostings.length,
      positions: this.#blockPositions.length,
    });
    for (const [part, all] of [
      [this.#blockPostings, this.#postings],
      [this.#blockPositions, this.#positions],
    ] as const) {
      all.append(part);
      part.clear();
    }
  }

  #closeGroup(): void {
    const [first] = this.#groupBlocks;
    if (first === undefined) return;
    const offset = this.#run.length;
    writeGroupTable(this.#groupBlocks, this.#run);
    this.#run.append(this.#dictionaries);
    this.#runGroups.push({
      separator: first.separator,
      dictionary: this.#run.length - offset,
      postings: this.#postings.length,
      positions: { offset: this.#offset, length: this.#positions.length },
      offset,
    });
    this.#run.append(this.#postings);
    this.#out.append(this.#positions);
    for (const part of [this.#dictionaries, this.#postings, this.#positions]) part.clear();
    this.#groupBlocks = [];
    if (this.#run.length > RUN_BYTES) this.#endRun();
  }

  #endRun(): void {
    const start = this.#offset;
    for (const group of this.#runGroups) this.#groups.push({ ...group, offset: start + group.offset });
    this.#out.append(this.#run);
    this.#run.clear();
    this.#runGroups = [];
  }

  #endField(): void {
    this.#closeBlock();
    this.#closeGroup();
    this.#endRun();
    const field = this.#fields.at(-1);
    if (field) field.endGroup = this.#groups.length;
  }
}

/** Writes one number column, entry by entry in its order. The values stay in memory until its end. */
export class NumbersWriter {
  readonly #ordinals: ByteWriter;
  readonly #offset: number;
  readonly #single: boolean;
  readonly #done: (numbers: NumbersMeta) => void;
  readonly #stretchValues = new Float64List();
  readonly #stretchOrdinals = new Uint32List();
  readonly #firsts = new Float64List();
  readonly #values = new ByteWriter();
  #ordinalBytes = 0;
  readonly #ordinalEnds = new Float64List();
  readonly #valueEnds = new Float64List();
  #entries = 0;

  constructor(out: ByteWriter, offset: number, single: boolean, done: (numbers: NumbersMeta) => void) {
    this.#ordinals = out;
    this.#offset = offset;
    this.#single = single;
    this.#done = done;
  }

  add(value: number, ordinal: number): void {
    if (this.#entries % ENTRIES_PER_STRETCH === 0) {
      this.#closeStretch();
      this.#firsts.push(value);
    }
    this.#stretchValues.push(value);
    this.#stretchOrdinals.push(ordinal);
    this.#entries++;
  }

  end(): void {
    if (this.#entries === 0) return;
    this.#closeStretch();
    const ordinalsEnd = this.#offset + this.#ordinalBytes;
    this.#ordinals.append(this.#values);
    this.#done({
      entries: this.#entries,
      single: this.#single,
      firsts: this.#firsts.view(),
      ordinals: Float64Array.of(this.#offset, ...this.#ordinalEnds.view().map((end) => this.#offset + end)),
      values: Float64Array.of(ordinalsEnd, ...this.#valueEnds.view().map((end) => ordinalsEnd + end)),
    });
  }

  #closeStretch(): void {
    if (this.#stretchOrdinals.length === 0) return;
    const before = this.#ordinals.length;
    writeStretch(this.#stretchValues.view(), this.#stretchOrdinals.view(), {
      ordinals: this.#ordinals,
      values: this.#values,
    });
    this.#ordinalBytes += this.#ordinals.length - before;
    this.#ordinalEnds.push(this.#ordinalBytes);
    this.#valueEnds.push(this.#values.length);
    this.#stretchValues.clear();
    this.#stretchOrdinals.clear();
  }
}
