/** Does work that takes a while, under a name for the terminal: `Bundling 79 functions`. */
export type Step = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Prints nothing. */
export const silently: Step = (_name, work) => work();
