import { ByteReader, ByteWriter } from './bytes.ts';
import { UnreadableSegment } from './format.ts';
import { difference, listSet, type OrdinalSet, ordinalsOf, sizeOf, union } from './ordinal-set.ts';
import { readPostings, writePostings } from './postings.ts';

/**
 * The records of a segment that a later segment replaced or deleted. Each state is an object of its own, named in
 * the manifest, and never changed.
 */
export interface Tombstones {
  /** Records of the segment, deleted ones included. */
  readonly records: number;
  readonly deleted: OrdinalSet;
}

const MAGIC = [0x64, 0x74, 0x6f, 0x6d];
const VERSION = 1;

export const noTombstones = (records: number): Tombstones => ({ records, deleted: listSet(new Uint32Array(0)) });

/** @param ordinals sorted. */
export function addTombstones({ records, deleted }: Tombstones, ordinals: Uint32Array): Tombstones {
  return { records, deleted: union([deleted, listSet(ordinals)], records) };
}

export const deletedCount = ({ deleted }: Tombstones): number => sizeOf(deleted);

export function encodeTombstones({ records, deleted }: Tombstones): Uint8Array {
  const out = new ByteWriter();
  for (const byte of MAGIC) out.byte(byte);
  out.byte(VERSION);
  out.varint(records);
  out.varint(sizeOf(deleted));
  writePostings(ordinalsOf(deleted), records, out);
  return out.copy();
}

/** @param id names the tombstones when they cannot be read. */
export function decodeTombstones(bytes: Uint8Array, id: string): Tombstones {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) throw new UnreadableSegment(`${id} is not a tombstones object`);
  if (bytes[4] !== VERSION) throw new UnreadableSegment(`tombstones ${id} have format version ${bytes[4]}`);
  const head = new ByteReader(bytes, 5);
  const records = head.varint();
  const count = head.varint();
  const deleted = readPostings(bytes.subarray(head.position), count, records);
  if (sizeOf(deleted) !== count) throw new UnreadableSegment(`tombstones ${id} are damaged`);
  return { records, deleted };
}

/** An input of a merge: its records, and those left out because they were deleted at that time. */
export interface MergedInput {
  readonly records: number;
  readonly leftOut?: Tombstones;
}

/**
 * The deletions in the inputs of a merge while it ran, as tombstones of the merged segment; undefined when there are
 * none. `now` has the tombstones of each input at present, in the order of the inputs.
 */
export function tombstonesSince(
  inputs: readonly MergedInput[],
  now: readonly (Tombstones | undefined)[],
): Tombstones | undefined {
  const ordinals: number[] = [];
  let base = 0;
  for (const [i, { records, leftOut }] of inputs.entries()) {
    const gone = leftOut ? ordinalsOf(leftOut.deleted) : new Uint32Array(0);
    const later = now[i] && (leftOut ? difference(now[i].deleted, leftOut.deleted) : now[i].deleted);
    let goneBefore = 0;
    for (const ordinal of later ? ordinalsOf(later) : []) {
      while (goneBefore < gone.length && gone[goneBefore]! < ordinal) goneBefore++;
      ordinals.push(base + ordinal - goneBefore);
    }
    base += records - gone.length;
  }
  return ordinals.length === 0 ? undefined : addTombstones(noTombstones(base), Uint32Array.from(ordinals));
}
