import { LRUCache } from 'lru-cache';

/** The prefix of the partition key of a sequence's counter, in each table that has one. */
export const SEQUENCE = 'SEQUENCE#';
export type SequenceKey = typeof SEQUENCE;

/** Numbers of a sequence that are reserved for this process, from `first` to before `end`. */
export interface IdBlock {
  readonly first: number;
  readonly end: number;
}

/** Takes the next numbers of a sequence, for good. */
export type ReserveIds = (sequence: string, count: number) => Promise<IdBlock>;

export interface IntegerIds {
  /** Returns a number of the sequence that no other caller gets. */
  next(sequence: string): Promise<number>;
  /** Takes back a number that was certainly not used; the next caller gets it. */
  giveBack(sequence: string, id: number): void;
}

const SEQUENCES_MAX = 10_000;
const FIRST_BLOCK = 10;
const GROWTH = 10;

/**
 * Ids that grow from 1 in each sequence, so that they fit into 32 bits for long. An instance reserves them in blocks: 10 at
 * first, then 100, then 1,000 for each write, so that the counter of a busy sequence is not hot, and an instance that dies
 * early wastes few. What it has not used when it dies stays unused: ids are unique, not without gaps, and of several
 * instances not in order.
 *
 * @param blockMax the largest block; with 1, ids grow with time
 */
export function integerIds(reserve: ReserveIds, blockMax = 1_000): IntegerIds {
  const sequences = new LRUCache<string, Sequence>({ max: SEQUENCES_MAX });

  function sequenceOf(name: string): Sequence {
    const current = sequences.get(name);
    if (current) return current;
    const sequence: Sequence = { returned: [], next: 0, end: 0, count: Math.min(FIRST_BLOCK, blockMax) };
    sequences.set(name, sequence);
    return sequence;
  }

  async function refill(name: string, sequence: Sequence): Promise<void> {
    try {
      const { first, end } = await reserve(name, sequence.count);
      sequence.next = first;
      sequence.end = end;
      sequence.count = Math.min(sequence.count * GROWTH, blockMax);
    } finally {
      delete sequence.refilling;
    }
  }

  return {
    async next(name) {
      const sequence = sequenceOf(name);
      for (;;) {
        const returned = sequence.returned.pop();
        if (returned !== undefined) return returned;
        if (sequence.next < sequence.end) {
          sequence.next += 1;
          return sequence.next - 1;
        }
        // Callers that come meanwhile wait for the same block.
        sequence.refilling ??= refill(name, sequence);
        await sequence.refilling;
      }
    },
    giveBack: (name, id) => void sequenceOf(name).returned.push(id),
  };
}

interface Sequence {
  readonly returned: number[];
  next: number;
  end: number;
  /** Ids of the next block. */
  count: number;
  refilling?: Promise<void>;
}
