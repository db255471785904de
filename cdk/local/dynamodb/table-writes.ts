/** Wakes the readers of a table's stream when the table was written to. */
export class TableWrites {
  /** Readers look again after this time, whether they were woken or not. */
  readonly lookAgainMillis: number;
  private readonly counts = new Map<string, number>();
  private readonly waits = new Map<string, Set<() => void>>();

  constructor({ lookAgainMillis }: { readonly lookAgainMillis: number }) {
    this.lookAgainMillis = lookAgainMillis;
  }

  note(tables: Iterable<string>): void {
    for (const table of tables) {
      this.counts.set(table, this.count(table) + 1);
      for (const wake of this.waits.get(table) ?? []) wake();
    }
  }

  /** Grows with every write: who waits names the number from before it read, and so misses none. */
  count(table: string): number {
    return this.counts.get(table) ?? 0;
  }

  /** Resolves after the next write since that count, when the signal aborts, or when it is time to look anyway. */
  next(table: string, { since, signal }: { since: number; signal: AbortSignal }): Promise<void> {
    if (signal.aborted || this.count(table) !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const waits = this.waits.get(table) ?? new Set();
      this.waits.set(table, waits);
      const wake = () => {
        clearTimeout(timer);
        waits.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, this.lookAgainMillis);
      waits.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
