import { type Delivery, laneOf } from './deliver-run.ts';
import type { Run, RunKey } from './run.ts';
import { look } from './run-machine.ts';
import type { DueRuns } from './runs.ts';

export interface SweepDeps {
  readonly runs: DueRuns;
  /** Whether nothing at all is in the queues: visible, delayed or in flight. */
  readonly areQueuesEmpty: () => Promise<boolean>;
  /** Sends many; gives back those that could not be sent. */
  readonly sendAll: (deliveries: readonly Delivery[]) => Promise<Delivery[]>;
  readonly now: () => number;
  /** The sweep ends then; the next one goes on. */
  readonly until: number;
}

export interface Swept {
  readonly looked: number;
  readonly sent: number;
  /** How long the run that is most behind has been waiting, in milliseconds; 0 when none is. */
  readonly oldestMillis: number;
  /** Time was up before every run that is due had been looked at. */
  readonly isCut: boolean;
  /** What went wrong with some, and did not keep the sweeper from the others. */
  readonly failures: readonly unknown[];
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
  let swept: Swept = { looked: 0, sent: 0, oldestMillis: 0, isCut: false, failures: [] };
  let keys: RunKey[] = [];
  for await (const key of runs.due(now() + (isAhead ? AHEAD_MILLIS : 0))) {
    if (now() > deps.until) return { ...swept, isCut: true };
    if (keys.push(key) < BATCH) continue;
    swept = await sweepBatch(deps, keys, swept);
    keys = [];
  }
  return sweepBatch(deps, keys, swept);
}

async function sweepBatch(deps: SweepDeps, keys: readonly RunKey[], before: Swept): Promise<Swept> {
  const { runs, now } = deps;
  const at = now();
  const found = await runs.byIds(keys);
  const late = found.flatMap((run) => {
    const step = look(run, at);
    return step.kind === 'send' && isDue(run, at) ? [{ run, step, delivery: deliveryOf(run, step) }] : [];
  });
  const failures: unknown[] = [];
  const unsent = await deps.sendAll(late.map(({ delivery }) => delivery)).catch((error: unknown) => {
    failures.push(error);
    return late.map(({ delivery }) => delivery);
  });
  const sent = late.filter(({ delivery }) => !unsent.includes(delivery));
  const noted = await Promise.allSettled(sent.map(({ run, step }) => runs.noteLook(run, step.next)));
  failures.push(...noted.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
  return {
    looked: before.looked + found.length,
    sent: before.sent + sent.length,
    oldestMillis: Math.max(before.oldestMillis, ...late.map(({ run }) => at - dueAt(run, at))),
    isCut: false,
    failures: [...before.failures, ...failures],
  };
}

const deliveryOf = (run: Run, { attempt, delayMillis }: { attempt: number; delayMillis: number }): Delivery => ({
  lane: laneOf({ attempt }),
  ticket: { tenant: run.tenant, run: run.id, attempt, configuration: run.configurationId },
  delayMillis,
});

/** When the next thing should have happened. A wait that lies ahead is not late. */
const dueAt = ({ lease, nextAttemptAt }: Run, now: number) => Math.min(now, lease?.until ?? nextAttemptAt ?? now);

/** A look ahead is only for runs that are late and were put off by earlier looks; others have their message to come. */
const isDue = ({ lookAt = 0, looks }: Run, now: number) => lookAt <= now || looks > 0;
