import { hasEnded, isLeased, type LeasedRun, type Run, type WaitingRun } from '../../../functions/webhooks/runs/run.ts';

/** The run, which has to wait for an attempt. */
export function waiting(run: Run | undefined): WaitingRun {
  if (!run || hasEnded(run) || isLeased(run)) throw new Error(`It does not wait: ${JSON.stringify(run)}`);
  return run;
}

/** The run, which has to have a lease. */
export function leased(run: Run | undefined): LeasedRun {
  if (!run || !isLeased(run)) throw new Error(`It has no lease: ${JSON.stringify(run)}`);
  return run;
}
