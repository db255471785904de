/** Wakes receive calls that wait for messages of a queue. */
export class Arrivals {
  private readonly waiting = new Map<string, Set<() => void>>();
  private closed = false;

  announce(queueName: string): void {
    const woken = this.waiting.get(queueName);
    this.waiting.delete(queueName);
    for (const wake of woken ?? []) wake();
  }

  /** Resolves on the next arrival, after the given time, when the waiting one is gone, or at the end of everything. */
  next(queueName: string, patience: { readonly milliseconds: number; readonly gone: AbortSignal }): Promise<void> {
    if (this.closed || patience.gone.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.waiting.get(queueName) ?? new Set();
      this.waiting.set(queueName, waiting);
      const wake = () => {
        clearTimeout(timer);
        patience.gone.removeEventListener('abort', wake);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, patience.milliseconds);
      patience.gone.addEventListener('abort', wake);
      waiting.add(wake);
    });
  }

  get isClosed(): boolean {
    return this.closed;
  }

  close(): void {
    this.closed = true;
    for (const name of this.waiting.keys()) this.announce(name);
  }
}
