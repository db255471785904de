/** Does work that takes a while, under a name for the terminal: `Bundling 79 functions`. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Prints nothing. */
export const silentSteps: Step = (_name, work) => work();

/** Progress is printed at least this often, so that a slow machine does not seem to hang. */
const REPORT_EVERY_MILLIS = 5_000;

/** Prints progress while the work runs, and its duration once it is done. */
export const reportedSteps =
  (print: (line: string) => void): Step =>
  async (name, work) => {
    const startedAt = performance.now();
    const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    const reports = setInterval(() => print(`${name}… ${seconds()} so far`), REPORT_EVERY_MILLIS);
    try {
      const result = await work();
      print(`${name}… ${seconds()}`);
      return result;
    } finally {
      clearInterval(reports);
    }
  };
