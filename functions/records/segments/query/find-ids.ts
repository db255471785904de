import { dataKey, ID_FIELD, metaKey, type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import { groupsOfSpan, partOfSpan } from '../format/meta.ts';
import type { SegmentRef } from '../format/segment-ref.ts';
import { TermBlock } from '../format/term-block.ts';
import { compareBytes, termBytes } from '../format/term-bytes.ts';
import { TermGroup } from '../format/term-group.ts';
import { metaFor } from './open-segment.ts';
import { coalesced, type Piece, pieceOf } from './reads.ts';

/** The dictionary of a group and the ids that can only be in it: from one index up to another. */
interface Search extends Piece {
  readonly group: number;
  readonly from: number;
  to: number;
}

/**
 * The ordinals, sorted, of the records that have one of the ids, deleted ones included. Reads only the dictionaries
 * that may hold an id, a few megabytes at a time, so neither many ids nor a large segment take much memory.
 * @param ids sorted by UTF-16 code units, as `sort` does.
 */
export async function findIds(ids: readonly string[], ref: SegmentRef, storage: SegmentStorage): Promise<Uint32Array> {
  const meta = metaFor(ref, await storage.readWhole(metaKey(ref.id)));
  const field = meta.fields.get(ID_FIELD);
  if (!field || field.endGroup === field.firstGroup) return new Uint32Array(0);

  const searches: Search[] = [];
  for (const [i, id] of ids.entries()) {
    const group = groupsOfSpan(meta.groups, field, {
      from: termBytes(id),
    }).first;
    const last = searches.at(-1);
    if (last?.group === group) last.to = i + 1;
    else searches.push({ ...pieceOf(ref.id, `d${group}`, meta.groups.dictionary(group)), group, from: i, to: i + 1 });
  }

  const ordinals: number[] = [];
  for (const run of coalesced(searches)) {
    const read = await storage.read(dataKey(ref.id), run.offset, run.end - run.offset);
    if (read.length !== run.end - run.offset)
      throw new UnreadableSegment(`the data of segment ${ref.id} ends too early`);
    for (const { offset, length, name, from, to } of run.pieces) {
      const group = new TermGroup(read.subarray(offset - run.offset, offset - run.offset + length));
      collectFromGroup(group, ids.slice(from, to), `${ref.id}/${name}`, ordinals);
    }
  }
  return Uint32Array.from(ordinals).sort();
}

/** Looks each block up that may hold one of the ids. */
function collectFromGroup(group: TermGroup, ids: readonly string[], what: string, ordinals: number[]): void {
  const blockOf = (id: string) => partOfSpan(group, { first: 0, end: group.count }, { from: termBytes(id) }).first;
  for (let from = 0; from < ids.length; ) {
    const block = blockOf(ids[from]!);
    let to = from + 1;
    while (to < ids.length && blockOf(ids[to]!) === block) to++;
    collect(new TermBlock(group.dictionary(block, what), false), ids.slice(from, to), ordinals);
    from = to;
  }
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
