const POLL_MILLIS = 200;
/** A record may follow its write by moments. */
const RECENT_MILLIS = 3_000;
/** For what was written past this process, by another one that shares the engine. */
const IDLE_MILLIS = 2_000;

/** Tells readers of streams when there may be something to read: to look five times a second all day wastes a laptop. */
export class TableWrites {
  private last = Number.NEGATIVE_INFINITY;
  private readonly waiting = new Set<() => void>();

  /** Something was written, to whichever table. */
  note(): void {
    this.last = performance.now();
    for (const wake of this.waiting) wake();
  }

  /** Until a reader that has found nothing should look again. */
  next(signal: AbortSignal): Promise<void> {
    const isRecent = performance.now() - this.last < RECENT_MILLIS;
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        this.waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, isRecent ? POLL_MILLIS : IDLE_MILLIS);
      if (!isRecent) this.waiting.add(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }
}
