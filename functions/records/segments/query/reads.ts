import { dataKey, type Extent, type SegmentStorage, UnreadableSegment } from '../format/format.ts';
import { listSet, type OrdinalSet } from '../format/ordinal-set.ts';
import { readRecordBlock } from '../format/record-block.ts';
import type { SegmentCache } from './segment-cache.ts';

/** A part of a data object that is read, cached and dropped as a unit. */
export interface Piece extends Extent {
  readonly segmentId: string;
  /** Unique within the segment. */
  readonly name: string;
  readonly isRecordBlock: boolean;
}

/** A part that is cached as it is read. */
export const pieceOf = (segmentId: string, name: string, { offset, length }: Extent): Piece => ({
  segmentId,
  name,
  offset,
  length,
  isRecordBlock: false,
});

/** A hook for measurements and tests. */
export interface ReadOptions {
  /** Called for every round with the reads that ran in parallel. */
  readonly onRound?: (reads: readonly { readonly key: string; readonly bytes: number }[]) => void;
  /** Data objects up to this size are read with their meta. */
  readonly smallBytes?: number;
}

/**
 * The largest gap between two pieces that are fetched with one read: transferring that much costs less time and money
 * than another request.
 */
const COALESCED_GAP_BYTES = 256 << 10;
const LARGEST_READ_BYTES = 8 << 20;

/** All small data objects of a query, which are held until it ends. */
const ALL_SMALL_BYTES = 4 << 20;

/**
 * The reads of one query. All requested pieces are read in one parallel round, so another round is needed only where an
 * offset depends on earlier reads. It holds all data that the query uses, whatever the cache drops.
 */
export class QueryReads {
  readonly #storage: SegmentStorage;
  readonly #cache: SegmentCache;
  readonly #options: ReadOptions;
  readonly #held = new Map<string, Uint8Array>();
  readonly #wanted = new Map<string, Piece>();
  /** Data objects that were read whole, by segment. */
  readonly #small = new Map<string, Uint8Array>();
  #smallBytes = 0;

  constructor(storage: SegmentStorage, cache: SegmentCache, options: ReadOptions = {}) {
    this.#storage = storage;
    this.#cache = cache;
    this.#options = options;
  }

  /** Reads whole objects, and the data of these segments where it is small, in a round of their own. */
  async readWhole(
    keys: readonly string[],
    segments: readonly { readonly id: string; readonly bytes: number }[],
  ): Promise<Map<string, Uint8Array>> {
    const small = segments.filter(({ bytes }) => this.#hasRoomFor(bytes));
    const all = [...keys, ...small.map(({ id }) => dataKey(id))];
    const objects = await Promise.all(all.map((key) => this.#storage.readWhole(key)));
    if (all.length > 0) this.#options.onRound?.(all.map((key, i) => ({ key, bytes: objects[i]!.length })));
    for (const [i, { id }] of small.entries()) this.#small.set(id, objects[keys.length + i]!);
    return new Map(keys.map((key, i) => [key, objects[i]!]));
  }

  #hasRoomFor(bytes: number): boolean {
    if (bytes > (this.#options.smallBytes ?? 0) || this.#smallBytes + bytes > ALL_SMALL_BYTES) return false;
    this.#smallBytes += bytes;
    return true;
  }

  /** Requests the piece for the next round, unless it is already available. */
  want(piece: Piece): void {
    if (piece.length === 0) return;
    const key = keyOf(piece);
    if (this.#held.has(key)) return;
    const cached = this.#cache.get(key);
    if (cached instanceof Uint8Array) this.#held.set(key, cached);
    else this.#wanted.set(key, piece);
  }

  /** Reads all requested pieces. */
  async round(): Promise<void> {
    if (this.#wanted.size === 0) return;
    const runs = coalesced([...this.#wanted.values()]);
    this.#wanted.clear();
    await Promise.all(runs.map((run) => this.#readRun(run)));
    const fetched = runs.filter(({ segmentId }) => !this.#small.has(segmentId));
    if (fetched.length === 0) return;
    this.#options.onRound?.(fetched.map((run) => ({ key: dataKey(run.segmentId), bytes: run.end - run.offset })));
  }

  /** The bytes of a piece that was requested before the last round. */
  bytes(piece: Piece): Uint8Array {
    if (piece.length === 0) return new Uint8Array(0);
    const bytes = this.#held.get(keyOf(piece));
    if (!bytes) throw new Error(`${keyOf(piece)} was not read`);
    return bytes;
  }

  /** Returns a value that is computed from pieces of the segment, and cached like a piece. @param name unique within the segment. */
  derive(segmentId: string, name: string, make: () => Uint8Array): Uint8Array {
    const key = `${segmentId}/${name}`;
    const cached = this.#held.get(key) ?? this.#cache.get(key);
    if (cached instanceof Uint8Array) return cached;
    const bytes = make();
    this.#held.set(key, bytes);
    this.#cache.set(key, bytes);
    return bytes;
  }

  /** Returns the records that a part of a query matches in a segment, if the cache has them. */
  matches(segmentId: string, part: string): OrdinalSet | undefined {
    const cached = this.#cache.get(`${segmentId}?${part}`);
    return cached !== undefined && 'kind' in cached ? cached : undefined;
  }

  /** Caches them. */
  keepMatches(segmentId: string, part: string, set: OrdinalSet): void {
    this.#cache.set(`${segmentId}?${part}`, set.kind === 'list' ? listSet(withoutRoom(set.ordinals)) : set);
  }

  async #readRun(run: Run): Promise<void> {
    const small = this.#small.get(run.segmentId);
    const read = small
      ? small.subarray(run.offset, run.end)
      : await this.#storage.read(dataKey(run.segmentId), run.offset, run.end - run.offset);
    if (read.length !== run.end - run.offset) {
      throw new UnreadableSegment(`the data of segment ${run.segmentId} ends too early`);
    }
    for (const piece of run.pieces) {
      const start = piece.offset - run.offset;
      const part = read.subarray(start, start + piece.length);
      const key = keyOf(piece);
      // A copy, so that a small piece does not keep a whole read in memory.
      const bytes = piece.isRecordBlock ? readRecordBlock(part, key) : new Uint8Array(part);
      this.#held.set(key, bytes);
      this.#cache.set(key, bytes);
    }
  }
}

/** The ordinals in memory of their own, which has no room for more. */
const withoutRoom = (ordinals: Uint32Array): Uint32Array =>
  ordinals.byteLength < ordinals.buffer.byteLength ? ordinals.slice() : ordinals;

/** Pieces that are fetched with one read. */
export interface Run<P extends Piece = Piece> {
  readonly segmentId: string;
  readonly offset: number;
  end: number;
  readonly pieces: P[];
}

const keyOf = (piece: Piece): string => `${piece.segmentId}/${piece.name}`;

/** Groups neighbouring pieces. */
export function coalesced<P extends Piece>(pieces: readonly P[]): Run<P>[] {
  const sorted = pieces.toSorted((a, b) =>
    a.segmentId === b.segmentId ? a.offset - b.offset : a.segmentId < b.segmentId ? -1 : 1,
  );
  const runs: Run<P>[] = [];
  for (const piece of sorted) {
    const run = runs.at(-1);
    const end = piece.offset + piece.length;
    if (
      run?.segmentId === piece.segmentId &&
      piece.offset - run.end <= COALESCED_GAP_BYTES &&
      end - run.offset <= LARGEST_READ_BYTES
    ) {
      run.pieces.push(piece);
      run.end = Math.max(run.end, end);
    } else {
      runs.push({ segmentId: piece.segmentId, offset: piece.offset, end, pieces: [piece] });
    }
  }
  return runs;
}
