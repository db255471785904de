import { metric } from '#shared/metrics';
import type { Swept } from './sweep-runs.ts';

/** An alarm listens to `OldestDueRun`, and to its silence. */
export function tellSweep({ oldestMillis, sent, started, looked, unannounced, isCut }: Swept, now: number): void {
  metric(
    'sweep',
    {
      values: {
        OldestDueRun: { value: Math.round(oldestMillis / 1000), unit: 'Seconds' },
        // A metric that is written every minute is paid for all month, and zeros add nothing here.
        ...(sent + started > 0 && { RunsSweptUp: { value: sent + started, unit: 'Count' } }),
      },
      facts: { looked, started, unannounced, isCut },
    },
    now,
  );
}
