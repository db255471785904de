import { mergedFrequentWords } from '../build/frequent-words.ts';
import { SegmentWriter, type WrittenSegment } from '../build/segment-writer.ts';
import { ByteWriter, Uint32List } from '../format/bytes.ts';
import { pairsOf, RECORDS_PER_BLOCK, type SegmentSink, type SegmentStorage } from '../format/format.ts';
import type { FieldMeta } from '../format/meta.ts';
import { PositionsWriter } from '../format/positions.ts';
import { postedOrdinals } from '../format/postings.ts';
import { readRecordBlock } from '../format/record-block.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { compareBytes, termBytes, termText } from '../format/term-bytes.ts';
import type { Tombstones } from '../format/tombstones.ts';
import { coalesced } from '../query/reads.ts';
import { linesOf, recordBlock } from '../query/record-blocks.ts';
import { MergeInput, NumberCursor, TermCursor } from './merge-input.ts';

export interface MergedSegment extends WrittenSegment {
  readonly records: number;
}

/**
 * Makes one segment of several, given in the order of the manifest: their live records one after the other, so that
 * searches return the same records in the same order as before. Streams: apart from a few bytes per record for
 * ordinals, the meta and the postings of one term, what it holds in memory does not grow with the segments.
 */
export async function mergeSegments(
  inputs: readonly {
    readonly ref: SegmentRef;
    readonly tombstones?: Tombstones;
  }[],
  storage: SegmentStorage,
  sink: SegmentSink,
): Promise<MergedSegment> {
  const opened: MergeInput[] = [];
  let records = 0;
  for (const input of inputs) {
    const open = await MergeInput.open(input, records, storage);
    opened.push(open);
    records += open.live;
  }
  const writer = new SegmentWriter(sink, records);
  await mergeRecords(opened, writer);
  const fields = fieldsOf(opened);
  await mergeAllTerms(fields, { writer, records });
  writer.endTerms();
  for (const field of fields) await mergeNumbers(field, writer);
  for (const field of fields) await mergeExists(field, writer);
  return { ...(await writer.finish()), records };
}

/** A path and the inputs that contain it. */
interface MergedField {
  readonly path: string;
  readonly kind: FieldMeta['kind'];
  readonly parts: readonly {
    readonly input: MergeInput;
    readonly field: FieldMeta;
  }[];
}

/** The fields of all inputs; those of the newest first and in its order. */
function fieldsOf(inputs: readonly MergeInput[]): MergedField[] {
  const paths = new Set(inputs.toReversed().flatMap(({ meta }) => [...meta.fields.keys()]));
  return Array.from(paths, (path) => {
    const parts = inputs.flatMap((input) => {
      const field = input.meta.fields.get(path);
      return field ? [{ input, field }] : [];
    });
    const kinds = new Set(parts.map(({ field }) => field.kind));
    const [kind] = kinds;
    if (kind === undefined || kinds.size > 1) throw new Error(`segments disagree on the kind of ${path}`);
    return { path, kind, parts };
  });
}

/** Copies record blocks unchanged if all their records are live. */
async function mergeRecords(inputs: readonly MergeInput[], writer: SegmentWriter): Promise<void> {
  const pending = new PendingRecords(writer);
  for (const input of inputs) {
    const { recordBlocks } = input.meta;
    const blocks = Array.from({ length: recordBlocks.firsts.length - 1 }, (_, block) =>
      recordBlock(input.id, recordBlocks, block),
    );
    for (const run of coalesced(blocks)) {
      const bytes = await input.read({ offset: run.offset, length: run.end - run.offset });
      for (const { block, offset, length } of run.pieces) {
        const first = recordBlocks.firsts[block]!;
        const count = recordBlocks.firsts[block + 1]! - first;
        const compressed = bytes.subarray(offset - run.offset, offset - run.offset + length);
        const live = liveIn(input, first, count);
        if (live === count && pending.mayFlush) {
          pending.flush();
          writer.addRecordBlock(compressed, count);
        } else if (live > 0) {
          const lines = linesOf(readRecordBlock(compressed, `record block ${block} of ${input.id}`));
          lines.forEach((line, i) => input.isLive(first + i) && pending.add(line));
        }
        if (writer.full) await writer.drain();
      }
    }
  }
  pending.flush();
}

function liveIn(input: MergeInput, first: number, count: number): number {
  if (input.isWhole) return count;
  let live = 0;
  for (let i = 0; i < count; i++) if (input.isLive(first + i)) live++;
  return live;
}

/** Records on their way into a new block. */
class PendingRecords {
  readonly #writer: SegmentWriter;
  readonly #lines = new ByteWriter();
  #count = 0;

  constructor(writer: SegmentWriter) {
    this.#writer = writer;
  }

  /** Returns whether the pending records fill a block, or there are none: merging must not make blocks ever smaller. */
  get mayFlush(): boolean {
    return this.#count === 0 || this.#count * 2 >= RECORDS_PER_BLOCK;
  }

  add(line: Uint8Array): void {
    if (this.#count > 0) this.#lines.byte(10);
    this.#lines.raw(line);
    this.#count++;
    if (this.#count === RECORDS_PER_BLOCK) this.flush();
  }

  flush(): void {
    if (this.#count === 0) return;
    this.#writer.addRecords(this.#lines.view(), this.#count);
    this.#lines.clear();
    this.#count = 0;
  }
}

/** Merges the pairs of a text field after the field itself, which decides the words whose pairs remain. */
async function mergeAllTerms(
  fields: readonly MergedField[],
  { writer, records }: { writer: SegmentWriter; records: number },
): Promise<void> {
  const byPath = new Map(fields.map((field) => [field.path, field]));
  const pairs = new Set(fields.map(({ path }) => byPath.get(pairsOf(path))));
  for (const field of fields) {
    if (pairs.has(field)) continue;
    const complete = new CompleteWords(field);
    // Which words are frequent is known after the terms, and read when the segment is finished.
    const frequentWords = new Set<string>();
    writer.beginField(field.path, field.kind, field.kind === 'text' ? frequentWords : undefined);
    await mergeTerms(field, writer, (term, holders) => {
      complete.add(term, holders);
      return true;
    });
    for (const word of mergedFrequentWords(complete.words, records)) frequentWords.add(word);
    const own = byPath.get(pairsOf(field.path));
    if (!own) continue;
    writer.beginField(own.path, own.kind);
    await mergeTerms(own, writer, (term) => {
      const [one = '', other = ''] = termText(term).split(' ');
      return frequentWords.has(one) && frequentWords.has(other);
    });
  }
}

/** Collects the words of a text field whose pairs are complete: every input that has the word has its pairs. */
class CompleteWords {
  readonly words: { readonly word: string; readonly count: number }[] = [];
  /** The words that are frequent in some input, in the order of terms. */
  readonly #some: readonly Uint8Array[];
  #next = 0;

  constructor({ parts }: MergedField) {
    const some = new Set(parts.flatMap(({ field }) => [...(field.frequentWords ?? [])]));
    this.#some = Array.from(some, termBytes).toSorted(compareBytes);
  }

  /** Adds the next term, in their order. */
  add(term: Uint8Array, holders: readonly TermCursor[]): void {
    while (this.#next < this.#some.length && compareBytes(this.#some[this.#next]!, term) < 0) this.#next++;
    const frequent = this.#some[this.#next];
    if (!frequent || compareBytes(frequent, term) > 0) return;
    const word = termText(term);
    if (!holders.every(({ field }) => field.frequentWords?.has(word))) return;
    this.words.push({ word, count: holders.reduce((sum, { records }) => sum + records, 0) });
  }
}

/** @param isMerged whether a term is in the merged segment; called for each, with the inputs that have it. */
async function mergeTerms(
  { kind, parts }: MergedField,
  writer: SegmentWriter,
  isMerged: (term: Uint8Array, holders: readonly TermCursor[]) => boolean,
): Promise<void> {
  // By their terms, and those with the same term by the order of the inputs.
  const cursors: TermCursor[] = [];
  for (const { input, field } of parts.toReversed()) {
    const cursor = new TermCursor(input, field);
    await cursor.nextBlock();
    cursors.unshift(cursor);
    putInOrder(cursors, 0);
  }

  const positions = kind === 'text' ? new PositionsWriter() : undefined;
  const ordinals = new Uint32List();
  while (cursors.length > 0) {
    const bytes = cursors[0]!.term!.slice();
    const holders = cursors.slice(0, holdersOf(bytes, cursors));
    ordinals.clear();
    if (isMerged(bytes, holders)) for (const cursor of holders) cursor.addTo(ordinals, positions);
    if (ordinals.length > 0) writer.addTerm({ bytes, from: 0, to: bytes.length }, ordinals.view(), positions);
    if (writer.full) await writer.drain();
    for (let at = holders.length - 1; at >= 0; at--) {
      const cursor = holders[at]!;
      cursor.step();
      if (cursor.isAtEndOfBlock) await cursor.nextBlock();
      putInOrder(cursors, at);
    }
  }
}

/** Returns how many of the first cursors are at the term. */
function holdersOf(term: Uint8Array, cursors: readonly TermCursor[]): number {
  let count = 1;
  while (count < cursors.length && compareBytes(cursors[count]!.term!, term) === 0) count++;
  return count;
}

/** Moves a cursor behind those after it, which are in order, whose terms come first. Removes it after its last term. */
function putInOrder(cursors: TermCursor[], at: number): void {
  const cursor = cursors[at]!;
  const { term } = cursor;
  if (term === undefined) {
    cursors.splice(at, 1);
    return;
  }
  let from = at + 1;
  let to = cursors.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = cursors[middle]!;
    if ((compareBytes(other.term!, term) || other.input.base - cursor.input.base) < 0) from = middle + 1;
    else to = middle;
  }
  for (let i = at + 1; i < from; i++) cursors[i - 1] = cursors[i]!;
  cursors[from - 1] = cursor;
}

async function mergeNumbers({ path, parts }: MergedField, writer: SegmentWriter): Promise<void> {
  const columns = parts.flatMap(({ input, field: { numbers } }) => (numbers ? [{ input, numbers }] : []));
  if (columns.length === 0) return;
  const cursors = columns.map(({ input, numbers }) => new NumberCursor(input, numbers));
  for (const cursor of cursors) await cursor.advance();
  const out = writer.beginNumbers(
    path,
    columns.every(({ numbers }) => numbers.single),
  );
  for (;;) {
    let lowest: NumberCursor | undefined;
    // The earlier input comes first for equal values, so ordinals ascend.
    for (const cursor of cursors) {
      if (cursor.ordinal !== -1 && (!lowest || cursor.value < lowest.value)) lowest = cursor;
    }
    if (!lowest) break;
    out.add(lowest.value, lowest.ordinal);
    if (!lowest.step()) await lowest.advance();
    if (writer.full) await writer.drain();
  }
  out.end();
}

async function mergeExists({ path, parts }: MergedField, writer: SegmentWriter): Promise<void> {
  const ordinals = new Uint32List();
  for (const { input, field } of parts) {
    if (!field.exists) continue;
    const bytes = await input.main.read(field.exists);
    input.addMerged(postedOrdinals(bytes, field.exists.count, input.meta.records), ordinals);
  }
  writer.addExists(path, ordinals.view());
}
