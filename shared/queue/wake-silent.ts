/** The progress of work that continues from message to message. Times are milliseconds since 1970. */
interface Progress {
  readonly progressedAt: number;
  /** The time of the last wake-up, and the number of wake-ups since the last progress. */
  readonly wokenAt: number;
  readonly wakeUps: number;
}

/**
 * The most doublings of the wait: it doubles with every wake-up without effect, so that wake-ups do not lengthen a long
 * queue.
 */
const DOUBLINGS_MAX = 5;

interface Waking<Key, Work> {
  /** The time without progress after which work counts as stalled: its message was lost, or waits in a long queue. */
  readonly silentMillis: number;
  readonly now: number;
  /** Reads the work of a key; undefined if it no longer runs. */
  readonly find: (key: Key) => Promise<Work | undefined>;
  readonly progressOf: (work: Work) => Progress;
  /** Records the wake-up; false if the work has progressed since. */
  readonly note: (work: Work) => Promise<boolean>;
  readonly send: (work: Work) => Promise<void>;
}

/**
 * Sends a message for all running work that has stalled, for example because of a crash between a write and its
 * message. Work that cannot be woken does not affect the others; its errors are thrown together at the end. @returns
 * the number of woken items
 */
export async function wakeSilent<Key, Work>(running: AsyncIterable<Key>, waking: Waking<Key, Work>): Promise<number> {
  let woken = 0;
  const errors: unknown[] = [];
  for await (const key of running) {
    try {
      if (await wakeIfSilent(key, waking)) woken += 1;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} running items could not be woken.`);
  return woken;
}

async function wakeIfSilent<Key, Work>(
  key: Key,
  { silentMillis, now, find, progressOf, note, send }: Waking<Key, Work>,
): Promise<boolean> {
  const work = await find(key);
  if (work === undefined) return false;
  const { progressedAt, wokenAt, wakeUps } = progressOf(work);
  if (now - Math.max(wokenAt, progressedAt) < silentMillis * 2 ** Math.min(wakeUps, DOUBLINGS_MAX)) return false;
  if (!(await note(work))) return false;
  await send(work);
  return true;
}
