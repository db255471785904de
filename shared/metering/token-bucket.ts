/**
 * The generic cell rate algorithm in whole microseconds. A bucket is one number, the theoretical arrival time: how long
 * the debt of its caller lasts. A request that finds it at most `burst - 1` tokens ahead of now is admitted.
 */
export interface Bucket {
  /** Microseconds that a token takes to come back. */
  readonly tokenMicros: number;
  readonly burst: number;
}

/** The highest arrival time at which one more request is admitted now. */
export const highestAdmitted = ({ tokenMicros, burst }: Bucket, now: number): number => now + (burst - 1) * tokenMicros;

/** The time at which a bucket that refuses requests will admit the next one. */
export const opensAt = ({ tokenMicros, burst }: Bucket, arrival: number): number => arrival - (burst - 1) * tokenMicros;

export const tokensLeft = ({ tokenMicros, burst }: Bucket, arrival: number, now: number): number =>
  Math.max(0, Math.floor((now + burst * tokenMicros - Math.max(arrival, now)) / tokenMicros));

/** Whole seconds until the bucket is full again. */
export const secondsUntilFull = (arrival: number, now: number): number => secondsUntil(arrival, now);

/** Whole seconds, at least one, after which a refused caller gets a token if no other caller competes for it. */
export const retryAfterSeconds = (bucket: Bucket, arrival: number, now: number): number =>
  Math.max(1, secondsUntil(opensAt(bucket, arrival), now));

const secondsUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / 1_000_000));

/**
 * The arrival time that stands for the same debt in another bucket, so that a change of limits neither forgives debt nor
 * adds any.
 */
export function rebased(arrival: number, now: number, { from, to }: { from: Bucket; to: Bucket }): number {
  if (arrival <= now) return arrival;
  const tokens = Math.min((arrival - now) / from.tokenMicros, to.burst);
  return now + Math.ceil(tokens * to.tokenMicros);
}

/** The time of a request in the unit of buckets. @param millis milliseconds since 1970 */
export const microsOf = (millis: number): number => Math.floor(millis * 1_000);

/** Time in microseconds that never goes back, whatever the machine's clock does. @param clock milliseconds since 1970 */
export function steadyMicros(clock: () => number): () => number {
  let last = 0;
  return () => (last = Math.max(last, microsOf(clock())));
}
