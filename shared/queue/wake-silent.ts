/** Work that goes on from message to message, as its record tells. Times are milliseconds since 1970. */
interface Heard {
  readonly progressedAt: number;
  /** When it was last woken, and how often since its last progress. */
  readonly wokenAt: number;
  readonly wakings: number;
}

/** The wait doubles with every waking without effect, so that wakings do not lengthen a long queue. */
const DOUBLINGS_MAX = 5;

interface Waking<Key, Work> {
  /** Work that made no progress for so long has lost its message, or waits in a long queue. */
  readonly silentMillis: number;
  readonly now: number;
  /** Undefined for work that no longer runs. */
  readonly find: (key: Key) => Promise<Work | undefined>;
  readonly heardOf: (work: Work) => Heard;
  /** Records the waking; false if it is not silent any more. */
  readonly note: (work: Work) => Promise<boolean>;
  readonly send: (work: Work) => Promise<void>;
}

/**
 * Sends a message for all running work that is silent: a crash may have come between a write and its message. Work that
 * cannot be woken does not keep others from it; at the end its errors are thrown together.
 * @returns how much was woken
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
  if (errors.length > 0)
    throw new AggregateError(errors, `Of the work that is running, ${errors.length} could not be woken.`);
  return woken;
}

async function wakeIfSilent<Key, Work>(
  key: Key,
  { silentMillis, now, find, heardOf, note, send }: Waking<Key, Work>,
): Promise<boolean> {
  const work = await find(key);
  if (work === undefined) return false;
  const { progressedAt, wokenAt, wakings } = heardOf(work);
  if (now - Math.max(wokenAt, progressedAt) < silentMillis * 2 ** Math.min(wakings, DOUBLINGS_MAX)) return false;
  if (!(await note(work))) return false;
  await send(work);
  return true;
}
