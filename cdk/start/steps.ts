/** Does work that takes a while, under a name for the terminal: `Bundling 79 functions`. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Prints nothing. */
export const silently: Step = (_name, work) => work();

/** A person at a busy machine sees at least this often that the work goes on. */
const REPORT_EVERY_MILLIS = 5_000;

/** Prints how long the work took once it is done, and that it goes on until then. */
export const reporting =
  (print: (line: string) => void): Step =>
  async (name, work) => {
    const begunAt = performance.now();
    const seconds = () => `${((performance.now() - begunAt) / 1_000).toFixed(1)} s`;
    const reports = setInterval(() => print(`${name}… ${seconds()} so far`), REPORT_EVERY_MILLIS);
    try {
      const result = await work();
      print(`${name}… ${seconds()}`);
      return result;
    } finally {
      clearInterval(reports);
    }
  };
