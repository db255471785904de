import { metric } from '#shared/metrics';
import type { Swept } from './sweep-runs.ts';

/** An alarm listens to `OldestDueRun`, and to its silence. */
export function tellSweep({ oldestMillis, sent, looked, isCut }: Swept, now: number): void {
  metric(
    'sweep',
    {
      values: {
        OldestDueRun: { value: Math.round(oldestMillis / 1000), unit: 'Seconds' },
        RunsSweptUp: { value: sent, unit: 'Count' },
      },
      facts: { looked, isCut },
    },
    now,
  );
}
