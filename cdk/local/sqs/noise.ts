/**
 * Decides which groups of a standard queue are noisy, by AWS's published rule ("How Amazon SQS fair queues work"). AWS
 * calls its thresholds approximate and does not define "recent"; here both are exact, so that a test can predict them.
 */

/** The messages in flight of a group or of a whole queue. */
export interface Load {
  readonly inFlight: number;
  /**
   * The average number in flight: the processing time of the recent past, divided by the length of that past. The
   * weight of a moment falls with its age, by a factor of e for each `RECENT_MS`.
   */
  readonly average: number;
  /** The time of the average, in milliseconds. */
  readonly at: number;
}

export interface Group {
  readonly load: Load;
  /** The time of the last message that was sent to it. */
  readonly sentAt: number;
}

const RECENT_MS = 60_000;
const SHARE = 0.1;
const IN_FLIGHT_MIN = 30;
/**
 * The floor of the share of processing time, which AWS does not name. A group that on average had no more than one
 * message in flight holds up nobody. Without a floor, chance would decide in a nearly idle queue, where a single short
 * message is most of the processing time. A message without a group is a tenant of its own and never gets above the floor.
 */
const AVERAGE_FLOOR = 1;
const SILENCE_MS = 5 * 60_000;

/** The load at a later time, if nothing began or ended until then. */
export function loadAt({ inFlight, average, at }: Load, now: number): Load {
  return { inFlight, average: inFlight + (average - inFlight) * decayFactor(now - at), at: now };
}

export function loadAfterStart(load: Load, count: number, now: number): Load {
  const { inFlight, average } = loadAt(load, now);
  return { inFlight: inFlight + count, average, at: now };
}

/** @param endedAt earlier than now when a visibility timeout ended in the meantime. */
export function loadAfterEnd(load: Load, { endedAt, now }: { readonly endedAt: number; readonly now: number }): Load {
  const { inFlight, average } = loadAt(load, now);
  return { inFlight: inFlight - 1, average: Math.max(0, average - 1 + decayFactor(now - endedAt)), at: now };
}

/**
 * A group whose backlog has been consumed is unknown here: it begins anew with its next message.
 * @param queue the load of all messages, those without a group included
 */
export function isNoisy(group: Group, queue: Load, now: number): boolean {
  if (now - group.sentAt >= SILENCE_MS) return false;
  const own = loadAt(group.load, now);
  const all = loadAt(queue, now);
  const holdsMany = own.inFlight >= IN_FLIGHT_MIN && own.inFlight > SHARE * all.inFlight;
  const holdsLong = own.average > AVERAGE_FLOOR && own.average > SHARE * all.average;
  return holdsMany || holdsLong;
}

/** Returns a floor that every noisy group exceeds, in messages in flight or on average. Few groups exceed it. */
export function noiseFloor(queue: Load, now: number): number {
  const { inFlight, average } = loadAt(queue, now);
  const manyFrom = Math.max(IN_FLIGHT_MIN - 1, SHARE * inFlight);
  return Math.min(manyFrom, Math.max(AVERAGE_FLOOR, SHARE * average));
}

function decayFactor(millis: number): number {
  return Math.exp(-Math.max(0, millis) / RECENT_MS);
}
