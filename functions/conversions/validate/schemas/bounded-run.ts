import { createContext, Script } from 'node:vm';

/**
 * Runs `work`, and ends it after so many milliseconds, even within a regular expression. That is all: the code has the
 * rights of any other. What it was changing is left as it was at that moment, so nothing else may use it afterwards.
 */
export function runFor<Result>(milliseconds: number, work: () => Result): Result | typeof TIMED_OUT {
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
