import { type Attempt, attemptEnd, interruptedAttempt } from '../runs/attempt.ts';
import { isLeased, type Run } from '../runs/run.ts';
import { finish, type Interrupted } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';

interface LostWorkerDeps {
  readonly runs: Pick<Runs, 'addInterrupted' | 'finish'>;
  readonly reportAttempt: (run: Run, attempt: Attempt) => void;
  readonly now: () => number;
}

/**
 * Returns the line that a lost worker has recorded: then its outcome counts and nothing is posted again. Otherwise puts
 * a line `interrupted`. It is written before the next part begins, so that this part has a line even if the next worker
 * dies too.
 */
export const findAttemptRecord = ({ runs, now }: LostWorkerDeps, run: Run, interrupted: Interrupted) =>
  runs.addInterrupted(run, interruptedAttempt(run, interrupted, now()));

/**
 * Finishes the attempt of another worker exactly as that worker would. If that worker is still alive, it finds the
 * attempt finished.
 */
export async function finishForLostWorker(
  { runs, reportAttempt, now }: LostWorkerDeps,
  run: Run,
  record: Attempt,
): Promise<void> {
  if (!isLeased(run)) return;
  const { token } = run.lease;
  const next = finish(run, token, attemptEnd(record), record.endedAt ?? now());
  if (next && (await runs.finish(next, token))) reportAttempt(run, record);
}
