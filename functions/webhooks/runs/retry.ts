import type { RunFacts } from './run.ts';

type RetrySettings = Pick<RunFacts, 'attempts' | 'maxAttempts' | 'retryIntervalSeconds'>;

/**
 * Returns when a failed attempt is retried: one retry interval after it ended. Undefined after the last attempt, which
 * fails the run.
 */
export const retryAt = ({ attempts, maxAttempts, retryIntervalSeconds }: RetrySettings, endedAt: number) =>
  attempts >= maxAttempts ? undefined : endedAt + retryIntervalSeconds * 1_000;
