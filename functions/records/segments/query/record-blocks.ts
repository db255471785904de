import { UnreadableSegment } from '../format/format.ts';
import type { RecordBlocks } from '../format/meta.ts';
import { gallop } from '../format/ordinal-set.ts';
import type { OpenSegment } from './open-segment.ts';
import type { Piece, QueryReads } from './reads.ts';

const LINE_FEED = 10;
const LINE_END = Uint8Array.of(LINE_FEED);

export interface RecordBlock extends Piece {
  readonly block: number;
}

/** The record blocks that contain the ordinals, which ascend; each block once. */
export function blocksWith({ id, meta }: OpenSegment, ordinals: Uint32Array): RecordBlock[] {
  const blocks: RecordBlock[] = [];
  let block = -1;
  for (const ordinal of ordinals) {
    const next = blockOf(meta.recordBlocks, ordinal);
    if (next !== block) blocks.push(recordBlock(id, meta.recordBlocks, next));
    block = next;
  }
  return blocks;
}

/** The JSON texts of the records; their blocks must have been read. */
export function recordsIn({ id, meta }: OpenSegment, ordinals: Uint32Array, reads: QueryReads): string[] {
  const { firsts } = meta.recordBlocks;
  return Array.from(ordinals, (ordinal) => {
    const block = blockOf(meta.recordBlocks, ordinal);
    const lines = reads.bytes(recordBlock(id, meta.recordBlocks, block));
    const { start, end } = lineAt(lines, ordinal - firsts[block]!, id);
    return text(lines.subarray(start, end));
  });
}

/** The same records as lines of JSON, each with its line end, in one run of bytes. */
export function linesIn({ id, meta }: OpenSegment, ordinals: Uint32Array, reads: QueryReads): Uint8Array {
  const { firsts } = meta.recordBlocks;
  const runs: Uint8Array[] = [];
  let at = 0;
  while (at < ordinals.length) {
    const block = blockOf(meta.recordBlocks, ordinals[at]!);
    const first = firsts[block]!;
    const lines = reads.bytes(recordBlock(id, meta.recordBlocks, block));
    const until = gallop(ordinals, firsts[block + 1]!, at);
    if (until - at === firsts[block + 1]! - first) runs.push(lines, LINE_END);
    else {
      const all = linesOf(lines);
      for (const ordinal of ordinals.subarray(at, until)) {
        const line = all[ordinal - first];
        if (!line) throw new UnreadableSegment(`a record block of segment ${id} lacks records`);
        runs.push(line, LINE_END);
      }
    }
    at = until;
  }
  return Buffer.concat(runs);
}

export function recordBlock(segmentId: string, { offsets }: RecordBlocks, block: number): RecordBlock {
  const offset = offsets[block]!;
  return { segmentId, name: `r${block}`, offset, length: offsets[block + 1]! - offset, isRecordBlock: true, block };
}

function blockOf({ firsts }: RecordBlocks, ordinal: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (firsts[middle]! <= ordinal) low = middle;
    else high = middle;
  }
  return low;
}

/** The records of a block. */
export function linesOf(lines: Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = [];
  let start = 0;
  for (let feed = lines.indexOf(LINE_FEED); feed !== -1; feed = lines.indexOf(LINE_FEED, start)) {
    records.push(lines.subarray(start, feed));
    start = feed + 1;
  }
  records.push(lines.subarray(start));
  return records;
}

function lineAt(lines: Uint8Array, line: number, segmentId: string): { start: number; end: number } {
  let start = 0;
  for (let left = line; left > 0; left--) {
    const feed = lines.indexOf(LINE_FEED, start);
    if (feed === -1) throw new UnreadableSegment(`a record block of segment ${segmentId} lacks records`);
    start = feed + 1;
  }
  const end = lines.indexOf(LINE_FEED, start);
  return { start, end: end === -1 ? lines.length : end };
}

const decoder = new TextDecoder();
const text = (bytes: Uint8Array): string => decoder.decode(bytes);
