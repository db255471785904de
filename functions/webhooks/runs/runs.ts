import type { Attempt } from './attempt.ts';
import type { EndedRun, LeasedRun, Payload, Run, RunKey, WaitingRun } from './run.ts';

/** Where runs are kept. Every write holds only if the run is still what it was made from. */
export interface Runs {
  /** As it is now (strongly consistent). */
  byId(key: RunKey): Promise<Run | undefined>;
  payload(key: RunKey): Promise<Payload | undefined>;
  /**
   * Puts a new run, unless there is one of its id; gives the one that is there. Its payload comes first: no run is ever
   * without one, and the payload of whoever was first is the one that counts.
   */
  create(run: Run, payload: Payload): Promise<Run>;
  /**
   * Puts a replay, and counts it on the run that it replays, in one: only of a failed run that may still be replayed, and
   * only while its configuration exists. One that a bulk replay makes is counted there too, and only while that runs.
   */
  createReplay(original: RunKey, run: WaitingRun, payload: Payload): Promise<ReplayOutcome>;
  /** False when the stored run is no longer at the revision before `run`. */
  replace(run: Run): Promise<boolean>;
  /** Like `replace`, for whoever holds the lease. A replay that succeeds also resolves the run that it replays. */
  finish(run: WaitingRun | EndedRun, token: string): Promise<boolean>;
  /** Puts a line of the log; the same one again replaces it. */
  addAttempt(key: RunKey, attempt: Attempt): Promise<void>;
  /** Puts a line of the log, unless the worker that was taken for lost has told how it went. */
  addInterrupted(key: RunKey, attempt: Attempt): Promise<void>;
}

/** `there`: this very replay was made before. */
export type ReplayOutcome = 'created' | 'there' | 'not-replayable' | 'configuration-missing' | 'bulk-replay-ended';

/** What the sweeper needs. */
export interface DueRuns {
  /** Runs that were to be looked at by this moment. Read from an index that follows the table within moments. */
  due(until: number): AsyncIterable<RunKey>;
  byIds(keys: readonly RunKey[]): Promise<Run[]>;
  /** Notes when to look again, if the run is still as it was seen. */
  noteLook(run: WaitingRun | LeasedRun, then: { readonly lookAt: number; readonly looks: number }): Promise<void>;
}
