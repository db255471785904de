interface Due {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock in microseconds that jumps from one wait to the next: hours of many callers take a moment, in a fixed order. */
export class VirtualTime {
  now: number;
  private readonly due: Due[] = [];

  constructor(start: number) {
    this.now = start;
  }

  /** Waits. Those who wait for the same time wake in the order in which they began to. */
  after(micros: number): Promise<void> {
    const at = this.now + Math.max(0, Math.round(micros));
    return new Promise((wake) => {
      let place = this.due.length;
      while (place > 0 && this.due[place - 1]!.at > at) place -= 1;
      this.due.splice(place, 0, { at, wake });
    });
  }

  /** Runs until nobody waits any more. */
  async run(): Promise<void> {
    await settled();
    for (let next = this.due.shift(); next; next = this.due.shift()) {
      this.now = next.at;
      next.wake();
      await settled();
    }
  }
}

/** After everything that can go on without waiting has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
