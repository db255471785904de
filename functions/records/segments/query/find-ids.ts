import { decompress } from '../format/compression.ts';
import { dataKey, ID_FIELD, metaKey, type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import { blocksOfSpan } from '../format/meta.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { TermBlock } from '../format/term-block.ts';
import { compareBytes, termBytes } from '../format/term-bytes.ts';
import { metaFor } from './open-segment.ts';
import { coalesced, type Piece } from './reads.ts';

/** A dictionary block and the ids that can only be in it: from one index up to another. */
interface Search extends Piece {
  readonly from: number;
  to: number;
}

/**
 * The ordinals, sorted, of the records that have one of the ids, deleted ones included. Reads only the dictionary
 * blocks that may hold an id, a few megabytes at a time, so neither many ids nor a large segment take much memory.
 * @param ids sorted by UTF-16 code units, as `sort` does.
 */
export async function findIds(ids: readonly string[], ref: SegmentRef, storage: SegmentStorage): Promise<Uint32Array> {
  const meta = metaFor(ref, await storage.readWhole(metaKey(ref.id)));
  const field = meta.fields.get(ID_FIELD);
  if (!field || field.endBlock === field.firstBlock) return new Uint32Array(0);

  const searches: (Search & { readonly block: number })[] = [];
  for (const [i, id] of ids.entries()) {
    const from = termBytes(id);
    const block = blocksOfSpan(meta.termBlocks, field, { from }).first;
    const last = searches.at(-1);
    if (last?.block === block) last.to = i + 1;
    else {
      const extent = meta.termBlocks.dictionary(block);
      searches.push({ segmentId: ref.id, name: `d${block}`, ...extent, compressed: true, block, from: i, to: i + 1 });
    }
  }

  const ordinals: number[] = [];
  for (const run of coalesced(searches)) {
    const read = await storage.read(dataKey(ref.id), run.offset, run.end - run.offset);
    if (read.length !== run.end - run.offset)
      throw new UnreadableSegment(`the data of segment ${ref.id} ends too early`);
    for (const { offset, length, name, from, to } of run.pieces) {
      const bytes = decompress(read.subarray(offset - run.offset, offset - run.offset + length), `${ref.id}/${name}`);
      collect(new TermBlock(bytes, false), ids.slice(from, to), ordinals);
    }
  }
  return Uint32Array.from(ordinals).sort();
}

/** Walks the block and the ids side by side. */
function collect(block: TermBlock, ids: readonly string[], ordinals: number[]): void {
  let next = 0;
  let target = termBytes(ids[0]!);
  for (const { index, bytes } of block.terms()) {
    let order = compareBytes(bytes, target);
    while (order > 0) {
      next++;
      if (next === ids.length) return;
      target = termBytes(ids[next]!);
      order = compareBytes(bytes, target);
    }
    if (order === 0) ordinals.push(block.entry(index).ordinal);
  }
}
