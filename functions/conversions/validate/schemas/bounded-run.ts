import { createContext, Script } from 'node:vm';

/** Of the time that a run took, how much of it the thread must have had a processor for the time to count. */
const PROCESSOR_SHARE_MIN = 0.5;
/** How much longer each further run may take. */
const PATIENCE = 4;

/**
 * Runs `work`, and ends it after so many milliseconds, even within a regular expression. That is all: the code has the
 * rights of any other. What it was changing is left as it was at that moment, so nothing else may use it afterwards.
 *
 * The watchdog of `node:vm` measures time, while the budget is meant as processor time: on a busy machine the thread may
 * have waited. Work that was ended without its share of a processor is therefore done again from the start, with more
 * time. `work` must bear that.
 */
export function runFor<Result>(milliseconds: number, work: () => Result): Result | typeof TIMED_OUT {
  for (let patience = milliseconds; ; patience *= PATIENCE) {
    const before = process.threadCpuUsage();
    const result = runOnce(patience, work);
    if (result !== TIMED_OUT) return result;
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= milliseconds * PROCESSOR_SHARE_MIN) return TIMED_OUT;
  }
}

function runOnce<Result>(milliseconds: number, work: () => Result): Result | typeof TIMED_OUT {
  const bounded = (running ??= boundedRun());
  try {
    return bounded(milliseconds, work) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TIMED_OUT;
    throw error;
  }
}

export const TIMED_OUT = Symbol('timed out');

type BoundedRun = (milliseconds: number, work: () => unknown) => unknown;
let running: BoundedRun | undefined;

function boundedRun(): BoundedRun {
  const holder: { work?: () => unknown } = {};
  const context = createContext(holder);
  const script = new Script('work()');
  return (timeout, work) => {
    holder.work = work;
    try {
      return script.runInContext(context, { timeout });
    } finally {
      delete holder.work;
    }
  };
}
