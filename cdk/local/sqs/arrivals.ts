/** Wakes callers that wait for messages of a queue when one arrives or becomes visible. */
import type { Clock } from '../clock.ts';

export interface ArrivalsOptions {
  readonly clock: Clock;
  /** Returns when the first message of a queue becomes visible after this time, in milliseconds. */
  readonly nextVisibleAt: (queueName: string, after: number) => number | undefined;
}

/** The time just before a caller read the queue. */
export interface Since {
  readonly count: number;
  readonly millis: number;
}

interface QueueWait {
  /** The waiting callers, each with the time before its read of the queue, in milliseconds. */
  readonly wakers: Map<() => void, number>;
  cancelTimer: () => void;
}

export class Arrivals {
  private readonly options: ArrivalsOptions;
  private readonly waits = new Map<string, QueueWait>();
  private readonly counts = new Map<string, number>();
  private closed = false;

  constructor(options: ArrivalsOptions) {
    this.options = options;
  }

  /** The current time. A waiting caller passes the time from before its read, and so misses no arrival. */
  since(queueName: string): Since {
    return { count: this.count(queueName), millis: this.options.clock.millis() };
  }

  /** A message has become visible. */
  announce(queueName: string): void {
    this.counts.set(queueName, this.count(queueName) + 1);
    this.wake(queueName);
  }

  /** Messages have become invisible, or will be visible at another time. */
  changed(queueName: string): void {
    const wait = this.waits.get(queueName);
    if (wait) this.arm(queueName, wait);
  }

  /** Resolves after the next arrival since that moment, when the signal aborts, or at the end of everything. */
  next(queueName: string, { since, signal }: { since: Since; signal: AbortSignal }): Promise<void> {
    if (this.closed || signal.aborted || this.count(queueName) !== since.count) return Promise.resolve();
    return new Promise((resolve) => {
      const wait = this.waits.get(queueName) ?? { wakers: new Map(), cancelTimer: () => undefined };
      this.waits.set(queueName, wait);
      const wake = () => {
        signal.removeEventListener('abort', wake);
        wait.wakers.delete(wake);
        if (wait.wakers.size === 0) this.forget(queueName, wait);
        resolve();
      };
      signal.addEventListener('abort', wake);
      wait.wakers.set(wake, since.millis);
      this.arm(queueName, wait);
    });
  }

  isAwaited(queueName: string): boolean {
    return this.waits.has(queueName);
  }

  get isClosed(): boolean {
    return this.closed;
  }

  close(): void {
    this.closed = true;
    for (const name of this.waits.keys()) this.wake(name);
  }

  private count(queueName: string): number {
    return this.counts.get(queueName) ?? 0;
  }

  private wake(queueName: string) {
    for (const wake of this.waits.get(queueName)?.wakers.keys() ?? []) wake();
  }

  private arm(queueName: string, wait: QueueWait) {
    wait.cancelTimer();
    // Also counts a message that became visible since the read, because no other event reports it.
    const at = this.options.nextVisibleAt(queueName, Math.min(...wait.wakers.values()));
    wait.cancelTimer = at === undefined ? () => undefined : this.options.clock.at(at, () => this.announce(queueName));
  }

  private forget(queueName: string, wait: QueueWait) {
    wait.cancelTimer();
    this.waits.delete(queueName);
  }
}
