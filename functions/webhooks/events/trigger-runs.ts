import { createHash } from 'node:crypto';
import type { Configuration, Configurations } from '../configurations/configuration.ts';
import type { Rule, RulesOf } from '../rules/rule.ts';
import { type Run, snapshotOf } from '../runs/run.ts';
import { created, failed } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import type { WebhookEvent } from './event.ts';
import { payloadFor } from './render-payload.ts';

export interface TriggerDeps {
  readonly rules: RulesOf;
  readonly configurations: Pick<Configurations, 'byId'>;
  readonly runs: Pick<Runs, 'create'>;
  readonly now: () => number;
}

/**
 * Makes a run for every rule that the event fires, and returns their ids. However often an event is delivered, and
 * wherever a worker dies, there is one run for each rule, because its id derives from event and rule.
 */
export async function triggerRuns(deps: TriggerDeps, tenant: string, event: WebhookEvent): Promise<string[]> {
  const once = { ...deps, configurations: readOnce(deps.configurations) };
  const ids: string[] = [];
  for await (const rules of deps.rules.matching(tenant, event.module, event.trigger)) {
    const runs = await Promise.all(rules.map((rule) => triggerRun(once, rule, event)));
    ids.push(...runs.flatMap((run) => (run ? [run.id] : [])));
  }
  return ids;
}

async function triggerRun(deps: TriggerDeps, rule: Rule, event: WebhookEvent): Promise<Run | undefined> {
  const { tenant } = rule;
  const configuration = await deps.configurations.byId({ tenant, id: rule.apiConfigurationId });
  if (!configuration?.enabled) return undefined;
  const digest = digestOf(tenant, rule.id, event.id);
  const now = deps.now();
  const run = created({
    id: `run_${digest.subarray(0, 18).toString('base64url')}`,
    tenant,
    eventId: event.id,
    ruleId: rule.id,
    module: rule.module,
    trigger: rule.trigger,
    record: `${event.recordType}: ${event.recordId}`,
    idempotencyKey: uuidOf(digest),
    createdAt: now,
    ...snapshotOf(configuration),
  });
  const payload = payloadFor(rule, event, { tenant, now });
  if (payload) return deps.runs.create(run, payload);
  // The payload is too large to be stored, so nothing is sent; the log shows the failed run.
  const refused = failed(run, 'payload_too_large', now) ?? run;
  return deps.runs.create(refused, { body: new Uint8Array(), headers: [], createdAt: now });
}

/** Reads each configuration once, because many rules of an event may use the same one. */
function readOnce(configurations: TriggerDeps['configurations']): TriggerDeps['configurations'] {
  const reads = new Map<string, Promise<Configuration | undefined>>();
  return {
    byId(key) {
      const read = reads.get(key.id) ?? configurations.byId(key);
      reads.set(key.id, read);
      return read;
    },
  };
}

const digestOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();

/** Returns a UUID of RFC 9562, version 8, from other bytes of the hash than the id. */
function uuidOf(digest: Buffer): string {
  const bytes = Buffer.from(createHash('sha256').update(digest).digest().subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
