import type { SegmentMeta } from '../format/meta.ts';

/**
 * Shared by the queries of one process: metas and parts of data objects; the least recently used are dropped first.
 * Segments never change and ids are never used twice, so nothing in here can be out of date.
 */
export class SegmentCache {
  readonly #budgetBytes: number;
  readonly #held = new Map<string, Uint8Array | SegmentMeta>();
  #bytes = 0;

  /** @param budgetBytes the most that all entries may take together. */
  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Uint8Array | SegmentMeta | undefined {
    const value = this.#held.get(key);
    if (value === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, value);
    return value;
  }

  /** A value that exceeds the whole budget is not cached. */
  set(key: string, value: Uint8Array | SegmentMeta): void {
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
const sizeOf = (key: string, value: { readonly byteLength: number }): number => value.byteLength + key.length + 200;
