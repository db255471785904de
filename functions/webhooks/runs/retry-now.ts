import { noSuch, Refusal } from '#shared/errors';
import { hasEnded, isParked, type Run, type RunKey, type WaitingRun } from './run.ts';
import { dueNow } from './run-machine.ts';
import type { Runs } from './runs.ts';

/** Each try meets a change of the run by a worker, of which there are few. */
const TRIES = 5;

/** Makes the next attempt of a run due now, or refuses: a run that has ended is replayed instead. */
export async function retryNow(runs: Pick<Runs, 'byId' | 'replace'>, key: RunKey, now: number): Promise<WaitingRun> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the run has changed since the last try
    const run = await runs.byId(key);
    if (!run) noSuch('run');
    const due = dueNow(run, now);
    if (!due) throw new Refusal(409, 'not-waiting', reasonOf(run));
    // oxlint-disable-next-line no-await-in-loop -- the run has changed since the last try
    if (await runs.replace(due)) return due;
  }
  throw new Refusal(409, 'changed-meanwhile', 'The run has changed at the same time. Try again.');
}

function reasonOf(run: Run): string {
  if (hasEnded(run)) return 'The run has ended. A failed run can be replayed.';
  return isParked(run)
    ? 'The run waits for a free slot of its API configuration, or for its account to be resumed.'
    : 'An attempt of the run is due or in progress.';
}
