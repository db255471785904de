/** A failure that may pass: of the network, a full queue, a fault of the service. */
export class Temporary extends Error {
  override readonly name = 'Temporary';
  /** The wait that the service requests. */
  readonly afterMillis: number;

  constructor(message: string, { cause, afterMillis = 0 }: { cause?: unknown; afterMillis?: number } = {}) {
    super(message, { cause });
    this.afterMillis = afterMillis;
  }
}

export type Pause = (millis: number) => Promise<unknown>;

/** The number of consecutive failures after which to give up: about half a minute. */
export const MAX_FAILURES = 6;
const FIRST_MILLIS = 500;
const LONGEST_MILLIS = 60_000;

/**
 * The wait after this many consecutive failures, spread so that clients do not retry together.
 * @param chance from 0 to before 1.
 */
export function waitMillis(failures: number, error: Temporary, chance: number): number {
  const backoff = FIRST_MILLIS * 2 ** (failures - 1) * (1 + chance);
  return Math.min(LONGEST_MILLIS, Math.max(backoff, error.afterMillis));
}

/** Repeats `work` after a pause when it failed temporarily. `work` receives the number of its failures. */
export async function retried<T>(work: (failures: number) => Promise<T>, pause: Pause): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await work(failures);
    } catch (error) {
      failures += 1;
      if (!(error instanceof Temporary) || failures === MAX_FAILURES) throw error;
      await pause(waitMillis(failures, error, Math.random()));
    }
  }
}

/** The error with which `fetch` reports that the connection could not be made or broke. */
export const isNetworkFailure = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);

/** `Retry-After` in seconds; its form as a date is rare and read as none. */
export const retryAfterMillis = (headers: Headers): number => Number(headers.get('retry-after')) * 1000 || 0;

/** Statuses that may pass, so that a retry may succeed. */
export const isTemporary = (status: number): boolean => [429, 500, 502, 503, 504].includes(status);
