import type { LateUsage } from './late-usage.ts';

export interface UsageBacklogParts {
  readonly lateUsage: { send(usage: LateUsage): Promise<void> };
  /** Microseconds that never go back. */
  readonly now: () => number;
  /** Reports waiting or lost usage in full, so that an operator can add it by hand. */
  readonly report: (name: 'UsageWaits' | 'UsageLost', error: Error) => void;
}

const SENT_AT_ONCE = 10;
/** The pause after a failure, so that a queue that does not answer delays at most one request a second. */
const PAUSE_MICROS = 1_000_000;
/** The most usage that waits: some 3 MB, and minutes of the largest plan in one function. */
const WAITING_MAX = 10_000;

/**
 * Usage that the queue has not accepted yet. It stays in the memory of this function, is sent with the next calls, and
 * is lost only with the function. Usage that the queue accepted although the call failed is sent again and counted
 * once, by its id.
 */
export class UsageBacklog {
  readonly #parts: UsageBacklogParts;
  readonly #waiting = new Map<string, LateUsage>();
  #notBefore = 0;

  constructor(parts: UsageBacklogParts) {
    this.#parts = parts;
  }

  add(usage: LateUsage): void {
    this.#waiting.set(usage.id, usage);
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size <= WAITING_MAX || !oldest) return;
    this.#waiting.delete(oldest.id);
    this.#parts.report('UsageLost', new Error(`Usage was lost: ${JSON.stringify(oldest)}`));
  }

  /** Sends the oldest waiting usage. It never throws. */
  async send(): Promise<void> {
    const { lateUsage, now, report } = this.#parts;
    if (now() < this.#notBefore) return;
    const usages = [...this.#waiting.values()].slice(0, SENT_AT_ONCE);
    for (const { id } of usages) this.#waiting.delete(id);
    const outcomes = await Promise.allSettled(usages.map((usage) => lateUsage.send(usage)));
    for (const [index, outcome] of outcomes.entries()) {
      const usage = usages[index];
      if (outcome.status === 'fulfilled' || !usage) continue;
      this.#notBefore = now() + PAUSE_MICROS;
      report('UsageWaits', new Error(`Usage waits: ${JSON.stringify(usage)}`, { cause: outcome.reason }));
      this.add(usage);
    }
  }
}
