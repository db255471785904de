import { Refusal } from '#shared/errors';
import type { Configuration } from '../configurations/configuration.ts';
import type { Run, RunKey } from './run.ts';
import { created, snapshotOf } from './run-machine.ts';
import type { Runs } from './runs.ts';

/** Replays of one failed run (specification 001, section 8). */
export const REPLAYS_MAX = 3;

export interface ReplayDeps {
  readonly runs: Pick<Runs, 'byId' | 'payload' | 'createReplay'>;
  readonly configurations: { byId(tenant: string, id: string): Promise<Configuration | undefined> };
}

/**
 * Makes a new run of a failed one: the stored payload and headers, the same idempotency key, the configuration as it is
 * now. The same id twice makes one run.
 */
export async function replayRun(
  { runs, configurations }: ReplayDeps,
  key: RunKey,
  { id, now }: { id: string; now: number },
): Promise<Run> {
  const original = await runs.byId(key);
  if (!original) throw new Refusal(404, 'not-found', 'There is no such run.');
  const reason = whyNot(original);
  if (reason) throw reason;
  const [payload, configuration] = await Promise.all([
    runs.payload(key),
    configurations.byId(original.tenant, original.configurationId),
  ]);
  if (!configuration) throw configurationMissing();
  if (!payload?.body.length) throw new Refusal(409, 'payload-missing', 'The payload of this run was not kept.');
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
    ...snapshotOf(configuration),
  });
  const outcome = await runs.createReplay(key, run, payload);
  if (outcome === 'configuration-missing') throw configurationMissing();
  if (outcome === 'not-replayable') throw spent();
  return run;
}

function whyNot(run: Run): Refusal | undefined {
  if (run.replayOf !== undefined)
    return new Refusal(409, 'is-replay', 'A replay cannot be replayed; replay its original.');
  if (run.status !== 'FAILED') return new Refusal(409, 'not-failed', 'Only a failed run can be replayed.');
  if (run.resolvedBy !== undefined) return new Refusal(409, 'resolved', 'A replay of this run has succeeded.');
  return run.replays >= REPLAYS_MAX ? spent() : undefined;
}

const spent = () => new Refusal(409, 'replays-spent', `A run can be replayed ${REPLAYS_MAX} times.`);
const configurationMissing = () =>
  new Refusal(409, 'configuration-missing', 'The API configuration of this run does not exist any more.');
