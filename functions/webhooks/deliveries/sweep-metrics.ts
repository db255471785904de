import { metric } from '#shared/telemetry/metrics';
import type { SweepResult } from './sweep-runs.ts';

/** Reports a sweep. A metric that is written every minute is paid for all month, and zeros add nothing here. */
export function reportSweep(
  { oldestMillis, sent, started, looked, unannounced, isCut }: SweepResult,
  now: number,
): void {
  metric(
    'sweep',
    {
      values: {
        ...(oldestMillis > 0 && { OldestDueRun: { value: Math.round(oldestMillis / 1000), unit: 'Seconds' } }),
        ...(sent + started > 0 && { RunsSweptUp: { value: sent + started, unit: 'Count' } }),
      },
      facts: { looked, started, unannounced, isCut },
    },
    now,
  );
}
