import type { Attempt } from './attempt.ts';
import type { ConfigurationKey, EndedRun, LeasedRun, ParkedRun, Payload, Run, RunKey, WaitingRun } from './run.ts';

/** The store of runs. Every write fails if the run has changed since it was read. */
export interface Runs {
  /** As it is now (strongly consistent). */
  byId(key: RunKey): Promise<Run | undefined>;
  payload(key: RunKey): Promise<Payload | undefined>;
  /**
   * Puts a new run unless one with its id exists, and returns the stored one. The payload is written first: no run is
   * ever without one, and the payload that was written first counts.
   */
  create(run: Run, payload: Payload): Promise<Run>;
  /**
   * Puts a replay and counts it on the run that it replays, in one transaction: only of a failed run that may still be
   * replayed, and only while its configuration exists and is enabled. A replay of a bulk replay is counted there too, and made only
   * while that is running.
   */
  createReplay(original: RunKey, run: WaitingRun, payload: Payload): Promise<ReplayOutcome>;
  /** False when the stored run is no longer at the revision before `run`. */
  replace(run: Run): Promise<boolean>;
  /**
   * Like `replace`, for the worker that holds the lease. A replay that succeeds also resolves the run that it replays.
   */
  finish(run: WaitingRun | EndedRun, token: string): Promise<boolean>;
  /**
   * Puts a line of the log, which counts from then on; the same one again replaces it. False if the worker has been
   * taken for lost.
   */
  addAttempt(key: RunKey, attempt: Attempt): Promise<boolean>;
  /** Puts the line of a worker that was taken for lost; it does not count. */
  addLate(key: RunKey, attempt: Attempt & { readonly isLate: true }): Promise<void>;
  /**
   * Puts a line of the log, unless the worker that was taken for lost has recorded the outcome: then that line is
   * returned.
   */
  addInterrupted(key: RunKey, attempt: Attempt): Promise<Attempt | undefined>;
}

/** `there`: the same replay was made before. */
export type ReplayOutcome =
  | 'created'
  | 'there'
  | 'not-replayable'
  | 'configuration-missing'
  | 'configuration-disabled'
  | 'bulk-replay-ended';

/** The runs that wait for a slot of their configuration. */
export interface ParkedRuns {
  /** Up to so many, those first that were due first. Read from an index that follows the table within moments. */
  first(configuration: ConfigurationKey, count: number): Promise<ParkedKey[]>;
  /** Undefined if the run is no longer parked: of several callers one gets it. */
  unpark(key: RunKey, now: number): Promise<WaitingRun | undefined>;
}

export interface ParkedKey extends RunKey {
  readonly dueAt: number;
}

/** What the sweeper needs to look at. */
export interface DueRuns {
  /**
   * Runs whose look is due by this moment, and configurations with parked runs. Read from an index that follows the
   * table within moments.
   */
  due(until: number): AsyncIterable<Due>;
  byIds(keys: readonly RunKey[]): Promise<Run[]>;
  /** Records when to look again, if the run has not changed. */
  noteLook(
    run: WaitingRun | ParkedRun | LeasedRun,
    then: { readonly lookAt: number; readonly looks: number },
  ): Promise<void>;
  /** The same of a run that waits through a pause: it is kept for as long after the next look as a new run would be. */
  keep(run: ParkedRun, then: { readonly lookAt: number }): Promise<void>;
}

export type Due = { readonly run: RunKey } | { readonly configuration: ConfigurationKey };
