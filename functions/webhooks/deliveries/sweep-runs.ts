import type { DeliveringFrom } from '../pauses/pause.ts';
import {
  type ConfigurationKey,
  hasEnded,
  isLeased,
  isParked,
  type LeasedRun,
  type ParkedRun,
  type Run,
  type RunKey,
  type WaitingRun,
} from '../runs/run.ts';
import { dueAt } from '../runs/run-machine.ts';
import type { DueRuns } from '../runs/runs.ts';
import { type SweepDecision, sweepDecision } from './sweep-decision.ts';
import { type Dispatch, laneOf, ticketOf } from './ticket.ts';

export interface SweepDeps {
  readonly runs: DueRuns;
  /** Starts parked runs of a configuration that has free slots, and returns their number. */
  readonly startParked: (configuration: ConfigurationKey) => Promise<number>;
  /** Counts the messages in the queues. */
  readonly queued: () => Promise<QueueCounts>;
  /** Sends several dispatches and returns those that could not be sent. */
  readonly sendAll: (deliveries: readonly Dispatch[]) => Promise<Dispatch[]>;
  readonly deliveringFrom: DeliveringFrom;
  readonly now: () => number;
  /** The moment at which the sweep ends; the next one continues. */
  readonly until: number;
}

/** Counts of messages, which SQS reports approximately. */
export interface QueueCounts {
  /** Visible, delayed and in-flight messages. */
  readonly all: number;
  /** Messages that wait for a worker. */
  readonly waiting: number;
}

export interface SweepResult {
  readonly looked: number;
  readonly sent: number;
  /** The number of parked runs that the sweeper started, because a worker died before it returned its slot. */
  readonly started: number;
  /** The delay of the most overdue run in milliseconds; 0 when none is overdue. */
  readonly oldestMillis: number;
  /** The number of runs whose message the stream has not sent although the queues are empty. */
  readonly unannounced: number;
  /** True if the sweep ended before it had checked every due run. */
  readonly isCut: boolean;
  /** Errors of single runs; the others were swept all the same. */
  readonly failures: readonly unknown[];
}

const BATCH = 100;
/** The sweeper also checks runs that are due within this time if the queues are empty: then no message is in flight. */
const AHEAD_MILLIS = 900_000;
/** The number of configurations that are checked in parallel. */
const CONFIGURATIONS_AT_A_TIME = 10;
/** A backlog that the workers need more than some seconds for. */
const BACKLOG = 1_000;

/**
 * Checks every overdue run and sends a message for its next step. It sends first and records the sweep afterwards,
 * because a duplicate message is harmless and a missing one is not.
 */
export async function sweepRuns(deps: SweepDeps): Promise<SweepResult> {
  const { runs, now } = deps;
  const queued = await deps.queued();
  let swept: SweepResult = {
    looked: 0,
    sent: 0,
    started: 0,
    oldestMillis: 0,
    unannounced: 0,
    isCut: false,
    failures: [],
  };
  const keys: RunKey[] = [];
  const configurations: ConfigurationKey[] = [];
  for await (const due of runs.due(now() + (queued.all === 0 ? AHEAD_MILLIS : 0))) {
    if (now() > deps.until) return { ...swept, isCut: true };
    if ('run' in due) keys.push(due.run);
    else configurations.push(due.configuration);
    if (keys.length === BATCH) swept = await sweepBatch(deps, { keys: keys.splice(0), queued }, swept);
    if (configurations.length === CONFIGURATIONS_AT_A_TIME) {
      swept = await sweepConfigurations(deps, configurations.splice(0), swept);
    }
  }
  return sweepBatch(deps, { keys, queued }, await sweepConfigurations(deps, configurations, swept));
}

async function sweepConfigurations(
  { startParked }: SweepDeps,
  configurations: readonly ConfigurationKey[],
  before: SweepResult,
): Promise<SweepResult> {
  const outcomes = await Promise.allSettled(configurations.map(startParked));
  return {
    ...before,
    started: outcomes.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), before.started),
    failures: [...before.failures, ...outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))],
  };
}

interface Batch {
  readonly keys: readonly RunKey[];
  readonly queued: QueueCounts;
}

async function sweepBatch(deps: SweepDeps, { keys, queued }: Batch, before: SweepResult): Promise<SweepResult> {
  const { runs, now } = deps;
  const at = now();
  const batch = await runs.byIds(keys);
  const delivering = await deliveringOf(deps, batch);
  const late = batch.flatMap((run) => {
    if (hasEnded(run)) return [];
    const step = sweepDecision(run, at, {
      isBacklogged: queued.waiting > BACKLOG,
      deliveringFrom: delivering.get(run.tenant) ?? 0,
    });
    return step.kind !== 'nothing' && isDue(run, at) ? [{ run, step, dispatch: dispatchOf(run, step) }] : [];
  });
  const failures: unknown[] = [];
  const toSend = late.flatMap(({ dispatch }) => dispatch ?? []);
  const unsent = await deps.sendAll(toSend).catch((error: unknown) => {
    failures.push(error);
    return toSend;
  });
  const done = late.filter(({ dispatch }) => !dispatch || !unsent.includes(dispatch));
  const writes = await Promise.allSettled(
    done.map(({ run, step }) =>
      step.kind === 'keep' && isParked(run) ? runs.keep(run, step.next) : runs.postponeSweep(run, step.next),
    ),
  );
  failures.push(...writes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  return {
    ...before,
    looked: before.looked + batch.length,
    sent: before.sent + toSend.length - unsent.length,
    unannounced: before.unannounced + (queued.all === 0 ? late.filter(({ run }) => wasDispatched(run)).length : 0),
    oldestMillis: Math.max(before.oldestMillis, ...late.map(({ run }) => at - lateFrom(run, at))),
    isCut: false,
    failures: [...before.failures, ...failures],
  };
}

async function deliveringOf({ deliveringFrom }: SweepDeps, runs: readonly Run[]): Promise<Map<string, number>> {
  const tenants = [...new Set(runs.map(({ tenant }) => tenant))];
  return new Map(await Promise.all(tenants.map(async (tenant) => [tenant, await deliveringFrom(tenant)] as const)));
}

const dispatchOf = (run: Run, step: Exclude<SweepDecision, { kind: 'nothing' }>): Dispatch | undefined =>
  step.kind === 'send'
    ? { lane: laneOf(step), ticket: ticketOf(run, step.attempt), delayMillis: step.delayMillis }
    : undefined;

/**
 * Returns whether the stream should have sent the run's message. Runs whose worker died with the lease are not counted here.
 */
const wasDispatched = (run: WaitingRun | ParkedRun | LeasedRun) =>
  !isLeased(run) && !isParked(run) && run.dispatchAttempt === run.attempts + 1 && run.sweeps === 0;

/** The moment at which the next step was due. A run whose wait is not over is not late. */
const lateFrom = (run: WaitingRun | ParkedRun | LeasedRun, now: number) => {
  // The age of a parked run counts from its `nextSweepAt`, because its configuration may have had no free slot for days.
  if (!isLeased(run) && run.slotWaitSince !== undefined) return Math.min(now, run.nextSweepAt);
  return Math.min(now, dueAt(run));
};

/**
 * Returns whether a run is checked now. Only runs that an earlier sweep has postponed are checked ahead of time; the others
 * get their message in time.
 */
const isDue = ({ nextSweepAt, sweeps }: WaitingRun | ParkedRun | LeasedRun, now: number) =>
  nextSweepAt <= now || sweeps > 0;
