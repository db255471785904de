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
import { look, type SweepDecision } from './look.ts';
import { type Dispatch, laneOf, ticketOf } from './ticket.ts';

export interface SweepDeps {
  readonly runs: DueRuns;
  /** Starts parked runs of a configuration that has free slots; returns how many. */
  readonly startParked: (configuration: ConfigurationKey) => Promise<number>;
  /** How many messages are in the queues. */
  readonly queued: () => Promise<Queued>;
  /** Sends many; returns those that could not be sent. */
  readonly sendAll: (deliveries: readonly Dispatch[]) => Promise<Dispatch[]>;
  readonly deliveringFrom: DeliveringFrom;
  readonly now: () => number;
  /** The sweep ends then; the next one goes on. */
  readonly until: number;
}

/** Counts of messages, which SQS reports approximately. */
export interface Queued {
  /** Visible, delayed and in flight. */
  readonly all: number;
  /** Those that wait for a worker. */
  readonly waiting: number;
}

export interface Swept {
  readonly looked: number;
  readonly sent: number;
  /** Parked runs that were started although nobody had returned a slot: a worker died before it could. */
  readonly started: number;
  /** How long the run that is most behind has been waiting, in milliseconds; 0 when none is. */
  readonly oldestMillis: number;
  /** Runs that were announced and that no message reached, although the queues are empty. */
  readonly unannounced: number;
  /** Time was up before every run that is due had been looked at. */
  readonly isCut: boolean;
  /** Errors of single runs, which did not keep the sweeper from the others. */
  readonly failures: readonly unknown[];
}

const BATCH = 100;
/** With empty queues no message is on its way, so runs that were looked at lately need not wait for the next look. */
const AHEAD_MILLIS = 900_000;
/** Configurations that are looked at together. */
const CONFIGURATIONS_AT_A_TIME = 10;
/** More than the workers do in some seconds. */
const BACKLOG = 1_000;

/**
 * The safety net: looks at every run that has fallen silent and sends a message for what is to be done next. It sends
 * first and records the look afterwards: a message that comes twice does no harm, one that never comes would.
 */
export async function sweepRuns(deps: SweepDeps): Promise<Swept> {
  const { runs, now } = deps;
  const queued = await deps.queued();
  let swept: Swept = { looked: 0, sent: 0, started: 0, oldestMillis: 0, unannounced: 0, isCut: false, failures: [] };
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
  before: Swept,
): Promise<Swept> {
  const outcomes = await Promise.allSettled(configurations.map(startParked));
  return {
    ...before,
    started: outcomes.reduce((sum, one) => sum + (one.status === 'fulfilled' ? one.value : 0), before.started),
    failures: [...before.failures, ...outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))],
  };
}

interface Batch {
  readonly keys: readonly RunKey[];
  readonly queued: Queued;
}

async function sweepBatch(deps: SweepDeps, { keys, queued }: Batch, before: Swept): Promise<Swept> {
  const { runs, now } = deps;
  const at = now();
  const found = await runs.byIds(keys);
  const delivering = await deliveringOf(deps, found);
  const late = found.flatMap((run) => {
    if (hasEnded(run)) return [];
    const step = look(run, at, {
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
  const noted = await Promise.allSettled(
    done.map(({ run, step }) =>
      step.kind === 'keep' && isParked(run) ? runs.keep(run, step.next) : runs.noteLook(run, step.next),
    ),
  );
  failures.push(...noted.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  return {
    ...before,
    looked: before.looked + found.length,
    sent: before.sent + toSend.length - unsent.length,
    unannounced: before.unannounced + (queued.all === 0 ? late.filter(({ run }) => wasAnnounced(run)).length : 0),
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

/** The stream should have sent its message. A worker that died with the run's lease is counted by itself. */
const wasAnnounced = (run: WaitingRun | ParkedRun | LeasedRun) =>
  !isLeased(run) && !isParked(run) && run.announces === run.attempts + 1 && run.looks === 0;

/** When the next thing should have happened. A run whose wait is not over is not late. */
const lateFrom = (run: WaitingRun | ParkedRun | LeasedRun, now: number) => {
  // Since when it has been without a message, if it was parked: its endpoint may have had no room for days.
  if (!isLeased(run) && run.unslottedFrom !== undefined) return Math.min(now, run.lookAt);
  return Math.min(now, dueAt(run));
};

/** A look ahead is only for runs that are late and were put off by earlier looks; others have their message to come. */
const isDue = ({ lookAt, looks }: WaitingRun | ParkedRun | LeasedRun, now: number) => lookAt <= now || looks > 0;
