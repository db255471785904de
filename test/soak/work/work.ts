/** One way in which a soak uses the service, and its own account of it. */
export interface Work {
  readonly name: string;
  /** Prepares it, before anything is disturbed. */
  begin(): Promise<void>;
  /** One use, as by a client that sends again what was not answered. */
  use(number: number): Promise<void>;
  /** Returns whether all that was begun has ended, and may do what people do meanwhile, such as reviewing. */
  hasEnded(): Promise<boolean>;
  /** Compares the service with the account, when all has ended. */
  audit(): Promise<Findings>;
}

export interface Findings {
  /** What is wrong, a sentence each. */
  readonly faults: readonly string[];
  /** Names of the runs that there must be: `event rule`. */
  readonly runs: readonly string[];
  /** What the report prints of it. */
  readonly counts: Readonly<Record<string, number>>;
}
