import { Refusal } from '#shared/errors';
import type { Configurations } from '../configurations/configuration.ts';
import { type Run, type RunKey, snapshotOf, type WaitingRun } from './run.ts';
import { created } from './run-machine.ts';
import type { Runs } from './runs.ts';

/** Replays of one failed run (specification 001, section 8). */
export const REPLAYS_MAX = 3;

export interface ReplayDeps {
  readonly runs: Pick<Runs, 'byId' | 'payload' | 'createReplay'>;
  readonly configurations: Pick<Configurations, 'byId'>;
}

/** The new run. The same id twice makes one run. */
interface NewReplay {
  readonly id: string;
  readonly now: number;
  /** The bulk replay that makes it. */
  readonly bulkReplay?: string;
}

/** Why a run is not replayed. Each reason is permanent, but that its configuration is disabled. */
const REFUSALS = {
  'is-replay': 'A replay cannot be replayed; replay its original.',
  'not-failed': 'Only a failed run can be replayed.',
  resolved: 'A replay of this run has succeeded.',
  'replays-spent': `A run can be replayed ${REPLAYS_MAX} times.`,
  'configuration-missing': 'The API configuration of this run does not exist any more.',
  'configuration-disabled': 'The API configuration of this run is disabled.',
  'payload-missing': 'The payload of this run was not kept.',
  'bulk-replay-ended': 'The bulk replay has ended.',
} as const;
export type NotReplayed = keyof typeof REFUSALS;

/** `there`: the same replay was made before. */
export type Replayed =
  | { readonly kind: 'made' | 'there'; readonly run: WaitingRun }
  | { readonly kind: 'refused'; readonly reason: NotReplayed };

/** Replays a run that a caller names by its id. */
export async function replayRun(deps: ReplayDeps, key: RunKey, stated: NewReplay): Promise<WaitingRun> {
  const original = await deps.runs.byId(key);
  if (!original) throw new Refusal(404, 'not-found', 'There is no such run.');
  const replayed = await replayOf(deps, original, stated);
  if (replayed.kind === 'refused') throw new Refusal(409, replayed.reason, REFUSALS[replayed.reason]);
  return replayed.run;
}

/**
 * Makes a new run of a failed one: the stored payload and headers, the same idempotency key, the configuration as it is
 * now.
 */
export async function replayOf(
  { runs, configurations }: ReplayDeps,
  original: Run,
  { id, now, bulkReplay }: NewReplay,
): Promise<Replayed> {
  const reason = whyNot(original);
  if (reason) return refused(reason);
  const [payload, configuration] = await Promise.all([
    runs.payload(original),
    configurations.byId({ tenant: original.tenant, id: original.configurationId }),
  ]);
  if (!configuration) return refused('configuration-missing');
  if (!configuration.enabled) return refused('configuration-disabled');
  if (!payload?.body.length) return refused('payload-missing');
  const { eventId, ruleId, module, trigger, record, idempotencyKey, tenant } = original;
  const run = created({
    id,
    tenant,
    eventId,
    ruleId,
    module,
    trigger,
    record,
    idempotencyKey,
    createdAt: now,
    replayOf: original.id,
    ...(bulkReplay !== undefined && { bulkReplay }),
    ...snapshotOf(configuration),
  });
  const outcome = await runs.createReplay(original, run, payload);
  if (outcome === 'created') return { kind: 'made', run };
  if (outcome === 'there') return { kind: 'there', run };
  if (outcome !== 'not-replayable') return refused(outcome);
  // The run was replayable a moment ago.
  const changed = await runs.byId(original);
  return refused((changed && whyNot(changed)) ?? 'replays-spent');
}

function whyNot(run: Run): NotReplayed | undefined {
  if (run.replayOf !== undefined) return 'is-replay';
  if (run.status !== 'FAILED') return 'not-failed';
  if (run.resolvedBy !== undefined) return 'resolved';
  return run.replays >= REPLAYS_MAX ? 'replays-spent' : undefined;
}

const refused = (reason: NotReplayed): Replayed => ({ kind: 'refused', reason });
