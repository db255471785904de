/**
 * The time of one local cloud: the machine's, until a test moves it. Everything that waits for a time (retries,
 * visibility timeouts, schedules, alarms, timers of executions) waits on this clock, so that moving the clock wakes it.
 */
interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** Longer delays would overflow Node's timers. */
const DELAY_MILLIS_MAX = 2 ** 31 - 1;

export class Clock {
  private offset = 0;
  private machineMillis: () => number;
  /** Earliest first; of two with the same time, the older first. */
  private readonly timers: Timer[] = [];
  private machineTimer: NodeJS.Timeout | undefined;

  /** @param machineMillis a constant makes a clock that only a test moves. */
  constructor(machineMillis: () => number = Date.now) {
    this.machineMillis = machineMillis;
  }

  readonly now = (): Date => new Date(this.millis());

  readonly millis = (): number => this.machineMillis() + this.offset;

  /** The milliseconds by which this clock is ahead of the machine's. */
  get offsetMillis(): number {
    return this.offset;
  }

  /** Moves the clock forwards or backwards. Work that is due starts at once, earliest first. */
  set offsetMillis(millis: number) {
    this.offset = millis;
    this.runDue();
  }

  advance(millis: number): void {
    this.offsetMillis += millis;
  }

  /** Stops the clock: only a test moves it afterwards. Returns a function that starts it again where it stands. */
  stop(): () => void {
    const { machineMillis } = this;
    const at = machineMillis();
    this.machineMillis = () => at;
    return () => {
      this.machineMillis = machineMillis;
      this.offsetMillis -= machineMillis() - at;
    };
  }

  /** Starts the work at this time, or on the next event-loop turn if it has passed. Returns a cancel function. */
  at(millis: number, work: () => void): () => void {
    const timer = { at: millis, work };
    const place = this.timers.findLastIndex((other) => other.at <= millis) + 1;
    this.timers.splice(place, 0, timer);
    if (place === 0) this.arm();
    return () => {
      const index = this.timers.indexOf(timer);
      if (index >= 0) this.timers.splice(index, 1);
    };
  }

  after(millis: number, work: () => void): () => void {
    return this.at(this.millis() + millis, work);
  }

  /** Waits for this time, or until the signal aborts. */
  pause(millis: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        cancel();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = this.after(millis, finish);
      signal?.addEventListener('abort', finish, { once: true });
    });
  }

  /** The time at which the next work is due; undefined if nothing waits. */
  get nextAt(): number | undefined {
    return this.timers[0]?.at;
  }

  /** Begins what is due now, without waiting for the timer of the machine. */
  runDue(): void {
    // Work may add timers; those that are due already run here too.
    for (let next = this.timers[0]; next && next.at <= this.millis(); next = this.timers[0]) {
      this.timers.shift();
      next.work();
    }
    this.arm();
  }

  /** Sets a system timer for the earliest entry. It does not keep the process alive. */
  private arm() {
    clearTimeout(this.machineTimer);
    const [next] = this.timers;
    if (!next) return;
    const delay = Math.min(Math.max(0, next.at - this.millis()), DELAY_MILLIS_MAX);
    this.machineTimer = setTimeout(() => this.runDue(), delay).unref();
  }
}
