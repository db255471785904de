import { noSuch, Refusal } from '#shared/errors';
import { REPLAYS_MAX } from '#shared/replay-limit';
import type { Configurations } from '../configurations/configuration.ts';
import { hasEnded, type Run, type RunKey, snapshotOf, type WaitingRun } from './run.ts';
import { created } from './run-machine.ts';
import type { Runs } from './runs.ts';

export interface ReplayDeps {
  readonly runs: Pick<Runs, 'byId' | 'payload' | 'createReplay'>;
  readonly configurations: Pick<Configurations, 'byId'>;
}

/** The new run of a replay. The same id twice makes one run. */
interface NewReplay {
  readonly id: string;
  readonly now: number;
  /** The bulk replay to which it belongs. */
  readonly bulkReplay?: string;
  /** True if a run that is being replayed already is refused. @default those of a bulk replay */
  readonly unlessReplaying?: boolean;
}

/** The reasons why a run is not replayed. All but a replay in progress and a disabled configuration are permanent. */
const REFUSALS = {
  'is-replay': 'A replay cannot be replayed; replay its original.',
  'not-failed': 'Only a failed run can be replayed.',
  resolved: 'A replay of this run has succeeded.',
  'replay-in-progress': 'A replay of this run is in progress.',
  'replays-spent': `A run can be replayed ${REPLAYS_MAX} times.`,
  'configuration-missing': 'The API configuration of this run no longer exists.',
  'configuration-disabled': 'The API configuration of this run is disabled.',
  'payload-missing': 'The payload of this run was too large to be stored.',
  'bulk-replay-ended': 'The bulk replay has ended.',
} as const;
export type ReplayRefusal = keyof typeof REFUSALS;

/** `exists`: the same replay was made before. */
export type ReplayResult =
  | { readonly kind: 'created' | 'exists'; readonly run: WaitingRun }
  | { readonly kind: 'refused'; readonly reason: ReplayRefusal };

/** Replays the run with this id, or refuses. */
export async function replayRun(deps: ReplayDeps, key: RunKey, replay: NewReplay): Promise<WaitingRun> {
  const original = await deps.runs.byId(key);
  if (!original) noSuch('run');
  const replayed = await replayOf(deps, original, replay);
  if (replayed.kind === 'refused') throw new Refusal(409, replayed.reason, REFUSALS[replayed.reason]);
  return replayed.run;
}

/**
 * Makes a new run from a failed one, with the stored payload and headers, the same idempotency key and the current
 * configuration.
 */
export async function replayOf(
  { runs, configurations }: ReplayDeps,
  original: Run,
  { id, now, bulkReplay, unlessReplaying = bulkReplay !== undefined }: NewReplay,
): Promise<ReplayResult> {
  const reason = refusalReason(original);
  if (reason) return refused(reason);
  // Nobody has looked at the runs of a bulk replay one by one: what is being sent already is not sent twice.
  if (unlessReplaying && (await isBeingReplayed(runs, original, id))) return refused('replay-in-progress');
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
  if (outcome === 'created') return { kind: 'created', run };
  if (outcome === 'exists') return { kind: 'exists', run };
  if (outcome !== 'not-replayable') return refused(outcome);
  // The run was replayable a moment ago.
  const changed = await runs.byId(original);
  return refused((changed && refusalReason(changed)) ?? 'replays-spent');
}

/** Returns whether the latest replay of a run, if it is another than this one, has not ended. */
async function isBeingReplayed(runs: ReplayDeps['runs'], { tenant, replayedBy }: Run, id: string): Promise<boolean> {
  const latest = replayedBy?.at(-1);
  if (latest === undefined || latest === id) return false;
  const replay = await runs.byId({ tenant, id: latest });
  return replay !== undefined && !hasEnded(replay);
}

function refusalReason(run: Run): ReplayRefusal | undefined {
  if (run.replayOf !== undefined) return 'is-replay';
  if (run.status !== 'FAILED') return 'not-failed';
  if (run.resolvedBy !== undefined) return 'resolved';
  return run.replays >= REPLAYS_MAX ? 'replays-spent' : undefined;
}

const refused = (reason: ReplayRefusal): ReplayResult => ({ kind: 'refused', reason });
