/** For what the clock of a cloud does not decide: other processes, threads of functions, and connections. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Lets time of the machine pass. A test that needs it to be enough would fail by chance: benchmarks, bounds and pauses only. */
export const elapsed = (millis: number): Promise<void> => sleep(millis, undefined);

/** Source text of a function: a promise that is kept after a time of the machine. */
export const LASTING = '(ms, result) => new Promise((done) => setTimeout(done, ms, result))';

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const GRACE_PERIOD_MILLIS = 100_000;

/** Looks again and again, until the condition holds. */
export async function polled<T>(look: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + GRACE_PERIOD_MILLIS;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > end) throw new Error(`It did not happen; last seen: ${JSON.stringify(seen)}`);
    await sleep(50);
  }
}
