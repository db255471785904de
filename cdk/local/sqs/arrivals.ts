/** Wakes those who wait for messages of a queue, when one arrives or becomes visible. */
import type { Clock } from '../clock.ts';

export interface ArrivalsOptions {
  readonly clock: Clock;
  /** When the next message of a queue becomes visible, in milliseconds. */
  readonly nextVisibleAt: (queueName: string) => number | undefined;
}

interface QueueWait {
  readonly wakers: Set<() => void>;
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

  /** Grows with every arrival: who waits names the number from before it looked, and so misses none. */
  count(queueName: string): number {
    return this.counts.get(queueName) ?? 0;
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

  /** Resolves after the next arrival since that count, when the signal aborts, or at the end of everything. */
  next(queueName: string, { since, signal }: { since: number; signal: AbortSignal }): Promise<void> {
    if (this.closed || signal.aborted || this.count(queueName) !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const wait = this.waits.get(queueName) ?? { wakers: new Set(), cancelTimer: () => undefined };
      this.waits.set(queueName, wait);
      const wake = () => {
        signal.removeEventListener('abort', wake);
        wait.wakers.delete(wake);
        if (wait.wakers.size === 0) this.forget(queueName, wait);
        resolve();
      };
      signal.addEventListener('abort', wake);
      wait.wakers.add(wake);
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

  private wake(queueName: string) {
    for (const wake of this.waits.get(queueName)?.wakers ?? []) wake();
  }

  private arm(queueName: string, wait: QueueWait) {
    wait.cancelTimer();
    const at = this.options.nextVisibleAt(queueName);
    wait.cancelTimer = at === undefined ? () => undefined : this.options.clock.at(at, () => this.announce(queueName));
  }

  private forget(queueName: string, wait: QueueWait) {
    wait.cancelTimer();
    this.waits.delete(queueName);
  }
}
