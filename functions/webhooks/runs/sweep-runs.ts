import { type DeliverDeps, laneOf } from './deliver-run.ts';
import type { Run, RunKey } from './run.ts';
import { look } from './run-machine.ts';
import type { DueRuns } from './runs.ts';

export interface SweepDeps {
  readonly runs: DueRuns;
  /** Whether nothing at all is in the queues: visible, delayed or in flight. */
  readonly areQueuesEmpty: () => Promise<boolean>;
  readonly send: DeliverDeps['send'];
  readonly now: () => number;
  /** The sweep ends then; the next one goes on. */
  readonly until: number;
}

export interface Swept {
  readonly looked: number;
  readonly sent: number;
  /** How long the run that is most behind has been waiting, in milliseconds; 0 when none is. */
  readonly oldestMillis: number;
}

const BATCH = 100;
/** With empty queues no message is on its way, so that runs that were looked at lately need not wait for the next look. */
const AHEAD_MILLIS = 900_000;

/**
 * The safety net: looks at every run of which nothing was heard in time and sends a message for what is to be done next.
 * It sends first and notes later: a message that comes twice does no harm, one that never comes would.
 */
export async function sweepRuns(deps: SweepDeps): Promise<Swept> {
  const { runs, now } = deps;
  const isAhead = await deps.areQueuesEmpty();
  const failures: unknown[] = [];
  let swept: Swept = { looked: 0, sent: 0, oldestMillis: 0 };
  let keys: RunKey[] = [];
  for await (const key of runs.due(now() + (isAhead ? AHEAD_MILLIS : 0))) {
    if (now() > deps.until) break;
    if (keys.push(key) < BATCH) continue;
    swept = await sweepBatch(deps, { keys, failures }, swept);
    keys = [];
  }
  if (now() <= deps.until) swept = await sweepBatch(deps, { keys, failures }, swept);
  // Only now: a run that cannot be helped must not keep the sweeper from the others.
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} runs could not be swept up.`);
  return swept;
}

interface Batch {
  readonly keys: readonly RunKey[];
  /** Takes in what went wrong. */
  readonly failures: unknown[];
}

async function sweepBatch(deps: SweepDeps, { keys, failures }: Batch, before: Swept): Promise<Swept> {
  const found = await deps.runs.byIds(keys);
  const settled = await Promise.allSettled(found.map((run) => sweepOne(deps, run)));
  const results = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  failures.push(...settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  return {
    looked: before.looked + found.length,
    sent: before.sent + results.filter(({ sent }) => sent).length,
    oldestMillis: Math.max(before.oldestMillis, ...results.map(({ behindMillis }) => behindMillis)),
  };
}

async function sweepOne({ runs, send, now }: SweepDeps, run: Run): Promise<{ sent: boolean; behindMillis: number }> {
  const at = now();
  const step = look(run, at);
  if (step.kind === 'nothing' || !isDue(run, at)) return { sent: false, behindMillis: 0 };
  const ticket = { tenant: run.tenant, run: run.id, attempt: step.attempt, configuration: run.configurationId };
  await send(laneOf(step), ticket, step.delayMillis);
  await runs.noteLook(run, step.then);
  return { sent: true, behindMillis: Math.max(0, at - (run.lease?.until ?? run.nextAttemptAt ?? at)) };
}

/** A look ahead is only for runs that are late and were put off by earlier looks; others have their message to come. */
const isDue = ({ lookAt = 0, looks }: Run, now: number) => lookAt <= now || looks > 0;
