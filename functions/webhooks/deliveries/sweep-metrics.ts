import { metric } from '#shared/metrics';
import type { Swept } from './sweep-runs.ts';

/** An alarm listens to `OldestDueRun`, and to its silence. */
export function tellSweep({ oldestMillis, sent, looked, unannounced, isCut }: Swept, now: number): void {
  metric(
    'sweep',
    {
      values: {
        OldestDueRun: { value: Math.round(oldestMillis / 1000), unit: 'Seconds' },
        // A metric that is written every minute is paid for all month, and zeros add nothing here.
        ...(sent > 0 && { RunsSweptUp: { value: sent, unit: 'Count' } }),
      },
      facts: { looked, unannounced, isCut },
    },
    now,
  );
}
