import type { RunBase } from './run.ts';

type RetrySettings = Pick<RunBase, 'attempts' | 'maxAttempts' | 'retryIntervalSeconds'>;

/**
 * Returns when a failed attempt is retried: one retry interval after it ended. Undefined after the last attempt, which
 * fails the run. Every failed attempt is retried, whatever the status or error: none ends a run at once. What counts as
 * a failure is decided in `attempt.ts` (`outcomeOf`).
 */
export const retryAt = ({ attempts, maxAttempts, retryIntervalSeconds }: RetrySettings, endedAt: number) =>
  attempts >= maxAttempts ? undefined : endedAt + retryIntervalSeconds * 1_000;
