import type { Attempt } from './attempt.ts';
import type { ConfigurationKey, EndedRun, LeasedRun, ParkedRun, Payload, Run, RunKey, WaitingRun } from './run.ts';

/** The store of runs. Every write fails if the run has changed since it was read. */
export interface Runs {
  /** Reads the current state (strongly consistent). */
  byId(key: RunKey): Promise<Run | undefined>;
  payload(key: RunKey): Promise<Payload | undefined>;
  /**
   * Puts a new run unless one with its id exists, and returns the stored one. The payload is written first: no run is
   * ever without a payload, and the first one written counts.
   */
  create(run: Run, payload: Payload): Promise<Run>;
  /**
   * Puts a replay and counts it on the run that it replays, in one transaction: only of a failed run that may still be
   * replayed, and only while its configuration exists and is enabled. A replay of a bulk replay is also counted there,
   * and made only while the bulk replay is running.
   */
  createReplay(original: RunKey, run: WaitingRun, payload: Payload): Promise<ReplayOutcome>;
  /** Writes the next revision of a run; false if the stored run is no longer at the previous one. */
  replace(run: Run): Promise<boolean>;
  /**
   * Writes the run after its attempt, if the worker still holds the lease. A replay that succeeds also resolves its
   * original.
   */
  finish(run: WaitingRun | EndedRun, token: string): Promise<boolean>;
  /**
   * Puts a line of the log, which decides the outcome; the same line may be put again. False if the worker counts as
   * lost.
   */
  addAttempt(key: RunKey, attempt: Attempt): Promise<boolean>;
  /** Puts the line of a worker that counts as lost; it does not decide the outcome. */
  addLate(key: RunKey, attempt: Attempt & { readonly isLate: true }): Promise<void>;
  /** Puts an interrupted line, unless the lost worker has recorded the outcome: then returns that line. */
  addInterrupted(key: RunKey, attempt: Attempt): Promise<Attempt | undefined>;
}

/** `exists`: the same replay was made before. */
export type ReplayOutcome =
  | 'created'
  | 'exists'
  | 'not-replayable'
  | 'configuration-missing'
  | 'configuration-disabled'
  | 'bulk-replay-ended';

/** The runs that wait for a slot of their configuration. */
export interface ParkedRuns {
  /**
   * Returns up to this many parked runs, in the order in which they were due, from an index that follows the table
   * within moments.
   */
  first(configuration: ConfigurationKey, count: number): Promise<ParkedKey[]>;
  /** Starts a parked run. Undefined if it is no longer parked: only one of several callers gets it. */
  unpark(key: RunKey, now: number): Promise<WaitingRun | undefined>;
}

export interface ParkedKey extends RunKey {
  readonly dueAt: number;
}

/** The runs and configurations that the sweeper checks. */
export interface DueRuns {
  /**
   * Yields runs whose sweep is due by this moment, and configurations with parked runs, from an index that follows the
   * table within moments.
   */
  due(until: number): AsyncIterable<Due>;
  byIds(keys: readonly RunKey[]): Promise<Run[]>;
  /** Records when to check again, if the run has not changed. */
  postponeSweep(
    run: WaitingRun | ParkedRun | LeasedRun,
    then: { readonly nextSweepAt: number; readonly sweeps: number },
  ): Promise<void>;
  /** Records when to check a run again that waits through a pause, and extends its retention by that of a new run. */
  keep(run: ParkedRun, then: { readonly nextSweepAt: number }): Promise<void>;
}

export type Due = { readonly run: RunKey } | { readonly configuration: ConfigurationKey };
