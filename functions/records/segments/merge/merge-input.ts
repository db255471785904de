import type { Uint32List } from '../format/bytes.ts';
import { dataKey, type Extent, metaKey, type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import type { FieldMeta, NumbersMeta, SegmentMeta } from '../format/meta.ts';
import { entriesIn, ordinalsExtent, readOrdinals, readValues, sortColumn, valuesExtent } from '../format/numbers.ts';
import { memberTest, sizeOf } from '../format/ordinal-set.ts';
import { PositionsCursor, type PositionsWriter } from '../format/positions.ts';
import { postedOrdinals } from '../format/postings.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { TermBlock, type TermEntry } from '../format/term-block.ts';
import { TermGroup } from '../format/term-group.ts';
import type { Tombstones } from '../format/tombstones.ts';
import { metaFor } from '../query/open-segment.ts';

const GONE = 0xffffffff;

/** Bytes that are read at once where parts are needed one after the other. A merge holds two of these for an input. */
const AHEAD_BYTES = 512 << 10;

/** Reads parts of an input that follow one another, several at a time. */
class ReadAhead {
  readonly #input: MergeInput;
  #offset = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  constructor(input: MergeInput) {
    this.#input = input;
  }

  async read({ offset, length }: Extent): Promise<Uint8Array> {
    if (offset < this.#offset || offset + length > this.#offset + this.#bytes.length) {
      this.#bytes = await this.#input.read({
        offset,
        length: Math.max(length, Math.min(AHEAD_BYTES, this.#input.meta.bytes - offset)),
      });
      this.#offset = offset;
    }
    return this.#bytes.subarray(offset - this.#offset, offset - this.#offset + length);
  }
}

/** One segment that is being merged: returns its parts in order, with their ordinals in the merged segment. */
export class MergeInput {
  readonly meta: SegmentMeta;
  /** Ordinal of its first record in the merged segment. */
  readonly base: number;
  /** The live records of this input. */
  readonly live: number;
  /** Reads terms and ordinals; beside it, positions and values. One field is merged after the other, so they share these. */
  readonly main = new ReadAhead(this);
  readonly beside = new ReadAhead(this);
  readonly #id: string;
  readonly #storage: SegmentStorage;
  /** Merged ordinals by the input's own; none when nothing is deleted. */
  readonly #merged: Uint32Array | undefined;

  static async open(
    { ref, tombstones }: { readonly ref: SegmentRef; readonly tombstones?: Tombstones },
    base: number,
    storage: SegmentStorage,
  ): Promise<MergeInput> {
    return new MergeInput(ref.id, metaFor(ref, await storage.readWhole(metaKey(ref.id))), {
      base,
      tombstones,
      storage,
    });
  }

  private constructor(
    id: string,
    meta: SegmentMeta,
    { base, tombstones, storage }: { base: number; tombstones?: Tombstones; storage: SegmentStorage },
  ) {
    this.#id = id;
    this.meta = meta;
    this.base = base;
    this.#storage = storage;
    this.live = meta.records - (tombstones ? sizeOf(tombstones.deleted) : 0);
    if (tombstones && this.live < meta.records) this.#merged = mergedOrdinals(meta.records, base, tombstones);
  }

  get id(): string {
    return this.#id;
  }

  get isWhole(): boolean {
    return this.#merged === undefined;
  }

  isLive(ordinal: number): boolean {
    return this.#merged === undefined || this.#merged[ordinal] !== GONE;
  }

  /** The ordinal in the merged segment; only for live records. */
  mergedOrdinal(ordinal: number): number {
    return this.#merged === undefined ? ordinal + this.base : this.#merged[ordinal]!;
  }

  async read({ offset, length }: Extent): Promise<Uint8Array> {
    const bytes = await this.#storage.read(dataKey(this.#id), offset, length);
    if (bytes.length !== length) throw new UnreadableSegment(`the data of segment ${this.#id} ends too early`);
    return bytes;
  }

  /** Adds the live ones of some ordinals to a list. */
  addMerged(ordinals: Uint32Array, into: Uint32List): void {
    for (const ordinal of ordinals) if (this.isLive(ordinal)) into.push(this.mergedOrdinal(ordinal));
  }
}

/** Goes through the terms of one field of one input. */
export class TermCursor {
  readonly input: MergeInput;
  readonly field: FieldMeta;
  /** The current group with its postings and positions, and the block in it. */
  #groupNumber: number;
  #group: TermGroup | undefined;
  #postings: Uint8Array = new Uint8Array(0);
  #positions: Uint8Array = new Uint8Array(0);
  #block = -1;
  #terms: Iterator<{ index: number; bytes: Uint8Array }> | undefined;
  #entries: TermBlock | undefined;
  #entry: TermEntry | undefined;
  /** The current term; undefined after the last one. */
  term: Uint8Array | undefined;

  constructor(input: MergeInput, field: FieldMeta) {
    this.input = input;
    this.field = field;
    this.#groupNumber = field.firstGroup - 1;
  }

  /** Returns whether the next term is in a block that must be read first. */
  get isAtEndOfBlock(): boolean {
    return this.#terms === undefined;
  }

  /** Records that have the current term, deleted ones included. */
  get records(): number {
    return this.#entry?.records ?? 0;
  }

  /** Goes to the next term inside the block; at its end `isAtEndOfBlock` becomes true. */
  step(): void {
    const next = this.#terms?.next();
    if (!next || next.done) {
      this.#terms = undefined;
      this.term = undefined;
      return;
    }
    this.term = next.value.bytes;
    this.#entry = this.#entries?.entry(next.value.index);
  }

  /** Goes to the first term of the next block, or past the last one. */
  async nextBlock(): Promise<void> {
    this.#block++;
    if (this.#group === undefined || this.#block === this.#group.count) await this.#nextGroup();
    if (this.#group === undefined) return;
    const what = `dictionary block ${this.#block} of group ${this.#groupNumber} of ${this.input.id}`;
    this.#entries = new TermBlock(this.#group.dictionary(this.#block, what), this.field.kind === 'text');
    this.#terms = this.#entries.terms();
    this.step();
  }

  async #nextGroup(): Promise<void> {
    this.#group = undefined;
    this.#block = 0;
    this.#groupNumber++;
    if (this.#groupNumber >= this.field.endGroup) return;
    const { groups } = this.input.meta;
    const dictionary = groups.dictionary(this.#groupNumber);
    const postings = groups.postings(this.#groupNumber);
    const bytes = await this.input.main.read({ ...dictionary, length: dictionary.length + postings.length });
    this.#group = new TermGroup(bytes.subarray(0, dictionary.length));
    this.#postings = bytes.subarray(dictionary.length);
    if (this.field.kind === 'text') this.#positions = await this.input.beside.read(groups.positions(this.#groupNumber));
  }

  /** Adds the live records of the current term, and their positions if the field has some. */
  addTo(ordinals: Uint32List, positions: PositionsWriter | undefined): void {
    const entry = this.#entry!;
    const own = this.#ordinals(entry);
    if (positions) {
      const { offset } = this.#group!.positions(this.#block);
      const bytes = this.#positions.subarray(offset + entry.positionsStart, offset + entry.positionsEnd);
      const cursor = new PositionsCursor(bytes, own.length);
      for (let i = 0; i < own.length; i++) if (this.input.isLive(own[i]!)) cursor.copy(i, positions);
    }
    this.input.addMerged(own, ordinals);
  }

  #ordinals({ records, ordinal, postingsStart, postingsEnd }: TermEntry): Uint32Array {
    if (records === 1) return Uint32Array.of(ordinal);
    const { offset } = this.#group!.postings(this.#block);
    const bytes = this.#postings.subarray(offset + postingsStart, offset + postingsEnd);
    return postedOrdinals(bytes, records, this.input.meta.records);
  }
}

/** Goes through the live entries of one number column of one input. */
export class NumberCursor {
  readonly #input: MergeInput;
  readonly #column: NumbersMeta;
  #values: Float64Array = new Float64Array(0);
  #ordinals: Uint32Array = new Uint32Array(0);
  #stretch = 0;
  #at = -1;
  /** The current entry; `ordinal` is -1 after the last. */
  value = 0;
  ordinal = 0;

  constructor(input: MergeInput, column: NumbersMeta) {
    this.#input = input;
    this.#column = column;
  }

  /** Goes to the next live entry of the stretch; stops at its end. @returns whether there was one. */
  step(): boolean {
    while (++this.#at < this.#values.length) {
      const own = this.#ordinals[this.#at]!;
      if (!this.#input.isLive(own)) continue;
      this.value = this.#values[this.#at]!;
      this.ordinal = this.#input.mergedOrdinal(own);
      return true;
    }
    return false;
  }

  /** Goes to the next live entry, reading as many stretches as it takes. */
  async advance(): Promise<void> {
    while (!this.step()) {
      if (this.#stretch >= this.#column.firsts.length) {
        this.ordinal = -1;
        return;
      }
      const count = entriesIn(this.#column, this.#stretch);
      const ordinals = await this.#input.main.read(ordinalsExtent(this.#column, this.#stretch));
      const values = await this.#input.beside.read(valuesExtent(this.#column, this.#stretch));
      const sorted = sortColumn(readValues(values, count), readOrdinals(ordinals, count));
      this.#values = sorted.values;
      this.#ordinals = sorted.ordinals;
      this.#stretch++;
      this.#at = -1;
    }
  }
}

function mergedOrdinals(records: number, base: number, { deleted }: Tombstones): Uint32Array {
  const isDeleted = memberTest(deleted);
  const merged = new Uint32Array(records);
  let next = base;
  for (let ordinal = 0; ordinal < records; ordinal++) merged[ordinal] = isDeleted(ordinal) ? GONE : next++;
  return merged;
}
