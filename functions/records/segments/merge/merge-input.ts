import type { Uint32List } from '../format/bytes.ts';
import { decompress } from '../format/compression.ts';
import { dataKey, type Extent, metaKey, type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import type { FieldMeta, NumbersMeta, SegmentMeta, TermGroup } from '../format/meta.ts';
import { ENTRIES_PER_GROUP, float64s, groupExtent, uint32s } from '../format/numbers.ts';
import { memberTest, ordinalsOf, sizeOf } from '../format/ordinal-set.ts';
import { PositionsCursor, type PositionsWriter } from '../format/positions.ts';
import { readPostings } from '../format/postings.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { TermBlock, type TermEntry } from '../format/term-block.ts';
import type { Tombstones } from '../format/tombstones.ts';
import { metaFor } from '../query/open-segment.ts';

const GONE = 0xffffffff;

/** One segment that is being merged: returns its parts in order, with their ordinals in the merged segment. */
export class MergeInput {
  readonly meta: SegmentMeta;
  /** Ordinal of its first record in the merged segment. */
  readonly base: number;
  /** The live records of this input. */
  readonly live: number;
  readonly #id: string;
  readonly #storage: SegmentStorage;
  /** Merged ordinals by the input's own; none when nothing is deleted. */
  readonly #merged: Uint32Array | undefined;
  #group: TermGroup | undefined;
  #groupBytes: Uint8Array = new Uint8Array(0);

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

  /**
   * The part of the group that a dictionary block needs; the group is read once, as long as blocks are requested in
   * order.
   */
  async loadGroupOf(block: number): Promise<(extent: Extent) => Uint8Array> {
    if (!this.#group || block < this.#group.firstBlock || block >= this.#group.endBlock) {
      this.#group = this.meta.termBlocks.groups.find((group) => block < group.endBlock);
      if (!this.#group) throw new UnreadableSegment(`segment ${this.#id} has no dictionary block ${block}`);
      this.#groupBytes = await this.read(this.#group);
    }
    const { offset } = this.#group;
    const bytes = this.#groupBytes;
    return (extent) => bytes.subarray(extent.offset - offset, extent.offset - offset + extent.length);
  }

  /** Adds the live ones of some ordinals to a list. */
  addMerged(ordinals: Uint32Array, into: Uint32List): void {
    for (const ordinal of ordinals) if (this.isLive(ordinal)) into.push(this.mergedOrdinal(ordinal));
  }
}

/** Goes through the terms of one field of one input. */
export class TermCursor {
  readonly #input: MergeInput;
  readonly #field: FieldMeta;
  #block: number;
  #terms: Iterator<{ index: number; bytes: Uint8Array }> | undefined;
  #entries: TermBlock | undefined;
  #postings: Uint8Array = new Uint8Array(0);
  #positions: Uint8Array = new Uint8Array(0);
  #entry: TermEntry | undefined;
  /** The current term; undefined after the last one. */
  term: Uint8Array | undefined;

  constructor(input: MergeInput, field: FieldMeta) {
    this.#input = input;
    this.#field = field;
    this.#block = field.firstBlock - 1;
  }

  /** Returns whether the next term is in a block that must be read first. */
  get isAtEndOfBlock(): boolean {
    return this.#terms === undefined;
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
    if (this.#block >= this.#field.endBlock) return;
    const { termBlocks } = this.#input.meta;
    const part = await this.#input.loadGroupOf(this.#block);
    const dictionary = decompress(part(termBlocks.dictionary(this.#block)), `dictionary block ${this.#block}`);
    this.#postings = part(termBlocks.postings(this.#block));
    this.#positions = part(termBlocks.positions(this.#block));
    this.#entries = new TermBlock(dictionary, this.#field.kind === 'text');
    this.#terms = this.#entries.terms();
    this.step();
  }

  /** Adds the live records of the current term, and their positions if the field has some. */
  addTo(ordinals: Uint32List, positions: PositionsWriter | undefined): void {
    const entry = this.#entry!;
    const own = this.#ordinals(entry);
    if (positions) {
      const { positionsStart, positionsEnd } = entry;
      const cursor = new PositionsCursor(this.#positions.subarray(positionsStart, positionsEnd), own.length);
      for (let i = 0; i < own.length; i++) if (this.#input.isLive(own[i]!)) cursor.copy(i, positions);
    }
    this.#input.addMerged(own, ordinals);
  }

  #ordinals({ records, ordinal, postingsStart, postingsEnd }: TermEntry): Uint32Array {
    if (records === 1) return Uint32Array.of(ordinal);
    return ordinalsOf(
      readPostings(this.#postings.subarray(postingsStart, postingsEnd), records, this.#input.meta.records),
    );
  }
}

/** Goes through the live entries of one number column of one input. */
export class NumberCursor {
  readonly #input: MergeInput;
  readonly #column: NumbersMeta;
  #values: Float64Array = new Float64Array(0);
  #ordinals: Uint32Array = new Uint32Array(0);
  #groupStart = 0;
  #at = -1;
  /** The current entry; `ordinal` is -1 after the last. */
  value = 0;
  ordinal = 0;

  constructor(input: MergeInput, column: NumbersMeta) {
    this.#input = input;
    this.#column = column;
  }

  /** Goes to the next live entry of the group; stops at its end. @returns whether there was one. */
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

  /** Goes to the next live entry, reading as many groups as it takes. */
  async advance(): Promise<void> {
    while (!this.step()) {
      if (this.#groupStart >= this.#column.entries) {
        this.ordinal = -1;
        return;
      }
      const bytes = await this.#input.read(groupExtent(this.#column, this.#groupStart));
      const entries = Math.min(ENTRIES_PER_GROUP, this.#column.entries - this.#groupStart);
      this.#values = float64s(bytes.subarray(0, entries * 8));
      this.#ordinals = uint32s(bytes.subarray(entries * 8));
      this.#groupStart += entries;
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
