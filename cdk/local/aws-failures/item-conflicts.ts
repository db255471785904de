/** Tracks items being written. DynamoDB refuses concurrent writes of an item if one of them is a transaction. */

interface Writers {
  readonly single: number;
  readonly transactions: number;
}

/** A call: the items that it writes or checks, and whether it does so in a transaction. */
export interface WritingCall {
  readonly items: readonly string[];
  readonly isTransaction: boolean;
}

const NOBODY: Writers = { single: 0, transactions: 0 };

export class ItemConflicts {
  private readonly writers = new Map<string, Writers>();

  /** Returns for each item of the call whether another call writes it now. */
  conflictsOf({ items, isTransaction }: WritingCall): readonly boolean[] {
    return items.map((item) => {
      const { single, transactions } = this.writers.get(item) ?? NOBODY;
      return transactions + (isTransaction ? single : 0) > 0;
    });
  }

  /** Does the work, during which other calls find the items being written. */
  async during<T>(call: WritingCall, work: () => Promise<T>): Promise<T> {
    this.count(call, 1);
    try {
      return await work();
    } finally {
      this.count(call, -1);
    }
  }

  private count({ items, isTransaction }: WritingCall, change: number): void {
    for (const item of items) {
      const { single, transactions } = this.writers.get(item) ?? NOBODY;
      const writers = isTransaction
        ? { single, transactions: transactions + change }
        : { single: single + change, transactions };
      if (writers.single + writers.transactions === 0) this.writers.delete(item);
      else this.writers.set(item, writers);
    }
  }
}
