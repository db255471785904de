import type { SegmentMeta } from '../format/meta.ts';
import type { OrdinalSet } from '../format/ordinal-set.ts';
import type { Tombstones } from '../format/tombstones.ts';

/** Bytes of an object, or what was made of them; the key says which. */
type Cached = Uint8Array | SegmentMeta | Tombstones | OrdinalSet;

/**
 * Shared by the queries of one process: metas, tombstones, parts of data objects, and the records that words, ranges and
 * the like match; the least recently used are dropped first.
 * Segments never change and ids are never used twice, so nothing in here can be out of date.
 */
export class SegmentCache {
  readonly #budgetBytes: number;
  readonly #held = new Map<string, Cached>();
  #bytes = 0;

  /** @param budgetBytes the most that all entries may take together. */
  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Cached | undefined {
    const value = this.#held.get(key);
    if (value === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, value);
    return value;
  }

  /** A value that exceeds the whole budget is not cached. */
  set(key: string, value: Cached): void {
    const size = sizeOf(key, value);
    if (size > this.#budgetBytes) return;
    this.#remove(key);
    this.#held.set(key, value);
    this.#bytes += size;
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= this.#budgetBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const value = this.#held.get(key);
    if (value === undefined) return;
    this.#held.delete(key);
    this.#bytes -= sizeOf(key, value);
  }
}

/** A map entry, an array object and the key take about 200 bytes themselves. */
const sizeOf = (key: string, value: Cached): number => bytesOf(value) + key.length + 200;

function bytesOf(value: Cached): number {
  if ('byteLength' in value) return value.byteLength;
  if ('deleted' in value) return bytesOf(value.deleted);
  return value.kind === 'list' ? value.ordinals.byteLength : value.words.byteLength;
}
