import { type Attempt, endOf, interruptedAttempt } from '../runs/attempt.ts';
import { isLeased, type Run } from '../runs/run.ts';
import { finish, type Interrupted } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';

interface LostWorkerDeps {
  readonly runs: Pick<Runs, 'addInterrupted' | 'finish'>;
  readonly reportAttempt: (run: Run, attempt: Attempt) => void;
  readonly now: () => number;
}

/**
 * A worker that was taken for lost may have recorded the outcome: then that counts, and nothing is posted again.
 * Otherwise the line says that it was interrupted. Written before the next part begins: a worker that dies after that
 * would leave this one without a line.
 */
export const findAttemptRecord = ({ runs, now }: LostWorkerDeps, run: Run, interrupted: Interrupted) =>
  runs.addInterrupted(run, interruptedAttempt(run, interrupted, now()));

/** Finishes the attempt of another worker, exactly as that one would: should it live, it finds it done. */
export async function finishForLostWorker(
  { runs, reportAttempt, now }: LostWorkerDeps,
  run: Run,
  record: Attempt,
): Promise<void> {
  if (!isLeased(run)) return;
  const { token } = run.lease;
  const next = finish(run, token, endOf(record), record.endedAt ?? now());
  if (next && (await runs.finish(next, token))) reportAttempt(run, record);
}
