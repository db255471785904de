/**
 * Counts the work in progress in one local cloud. The cloud is settled when no call is being answered, no function runs,
 * and every poller has found its queue or stream empty. It then stays so until a caller comes or the clock moves.
 */
/** The name of a call of the AWS endpoint that is being answered. */
export const AWS_CALL = 'AWS call';

export class Activity {
  private readonly counts = new Map<string, number>();
  private waiting: (() => void)[] = [];

  begin(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  end(what: string): void {
    const count = (this.counts.get(what) ?? 0) - 1;
    if (count < 0) throw new Error(`More of "${what}" ended than began.`);
    if (count > 0) this.counts.set(what, count);
    else this.counts.delete(what);
    if (this.counts.size > 0) return;
    const waiting = this.waiting;
    this.waiting = [];
    for (const wake of waiting) wake();
  }

  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.begin(what);
    try {
      return await work();
    } finally {
      this.end(what);
    }
  }

  /** Waits within `during` for something that only a caller or the clock can bring about. */
  async except<T>(what: string, wait: () => Promise<T>): Promise<T> {
    this.end(what);
    try {
      return await wait();
    } finally {
      this.begin(what);
    }
  }

  /** Counts the work in progress, by name. */
  get underWay(): ReadonlyMap<string, number> {
    return this.counts;
  }

  /** Resolves when no work is in progress. */
  async settled(): Promise<void> {
    // The end of one piece of work may start the next: an answer is read, or a promise resolves.
    for (let quietTurns = 0; quietTurns < 2; quietTurns += 1) {
      if (this.counts.size > 0) {
        await new Promise<void>((resolve) => this.waiting.push(resolve));
        quietTurns = -1;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
