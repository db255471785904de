import { createHash } from 'node:crypto';

/**
 * Returns the shard of a list to which an entry belongs. One partition of an index takes 1,000 write units a second, and
 * AWS cannot split a list that grows at its end, so a busy list is spread over several partitions by the ids of its entries.
 */
export const shardOf = (id: string, shards: number): number =>
  createHash('sha256').update(id).digest().readUInt32BE() % shards;

/** An entry of a sorted list: text that sorts by time, and ends with an id where no two may be equal. */
export interface Placed {
  readonly position: string;
}

/** Opens sorted lists that are read as one. @param oldestFirst whether the lists ascend. @default false */
export async function openMerged<Entry extends Placed>(
  lists: readonly AsyncGenerator<Entry, void>[],
  { oldestFirst = false } = {},
) {
  type Head = IteratorResult<Entry, void> | undefined;
  const heads: Head[] = await Promise.all(lists.map((list) => list.next()));
  const isBefore = (one: Head, other: Head): boolean => {
    if (!one || one.done) return false;
    if (!other || other.done) return true;
    return oldestFirst ? one.value.position < other.value.position : one.value.position > other.value.position;
  };
  const next = async (): Promise<Entry | undefined> => {
    let at = 0;
    for (const [n, head] of heads.entries()) if (isBefore(head, heads[at])) at = n;
    const head = heads[at];
    if (!head || head.done) return undefined;
    heads[at] = await lists[at]?.next();
    return head.value;
  };
  return {
    /** Returns the next entry of all lists; undefined at the end. */
    next,
    /** Returns the next entries: fewer than the count only at the end. */
    take: async (count: number): Promise<Entry[]> => {
      const entries: Entry[] = [];
      while (entries.length < count) {
        const entry = await next();
        if (!entry) break;
        entries.push(entry);
      }
      return entries;
    },
    /** Returns whether all entries were returned. */
    isOver: (): boolean => heads.every((head) => !head || head.done),
  };
}

export type MergedLists<Entry extends Placed> = Awaited<ReturnType<typeof openMerged<Entry>>>;
