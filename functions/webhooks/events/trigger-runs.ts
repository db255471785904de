import { createHash } from 'node:crypto';
import { isoTime } from '#shared/timestamp';
import type { Configuration, Configurations } from '../configurations/configuration.ts';
import { renderBody } from '../rules/render-body.ts';
import type { Rule, RulesOf } from '../rules/rule.ts';
import { customHeaders } from '../rules/rule-headers.ts';
import { type Payload, type Run, snapshotOf } from '../runs/run.ts';
import { created, failed } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import { variablesOf, type WebhookEvent } from './event.ts';

export interface TriggerDeps {
  readonly rules: RulesOf;
  readonly configurations: Pick<Configurations, 'byId'>;
  readonly runs: Pick<Runs, 'create'>;
  readonly now: () => number;
}

/** An item of the table holds 400 KiB. */
const PAYLOAD_BYTES_MAX = 380_000;

/**
 * Makes a run for every rule that the event fires, and returns their ids. However often an event comes, and wherever a
 * worker dies, there is one run for each rule: its id derives from event and rule.
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
  if (!configuration) return undefined;
  const digest = digestOf(tenant, rule.id, event.id);
  const now = deps.now();
  const variables = variablesOf(event, tenant);
  const text = renderBody(rule.body, variables, isoTime(now));
  const payload: Payload = {
    body: new TextEncoder().encode(text),
    headers: customHeaders(rule.headers, rule.module, variables),
    createdAt: now,
  };
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
  if (text !== undefined && bytesOf(payload) <= PAYLOAD_BYTES_MAX) return deps.runs.create(run, payload);
  // Too large to be kept, so it is not sent either; but the log shows it.
  const refused = failed(run, 'payload_too_large', now) ?? run;
  return deps.runs.create(refused, { ...payload, body: new Uint8Array(), headers: [] });
}

/** Many rules of an event may send to the same configuration. */
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

const bytesOf = ({ body, headers }: Payload) =>
  headers.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value) + 10, body.length);

const digestOf = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest();

/** A UUID of RFC 9562, version 8, from other bytes of the hash than the id. */
function uuidOf(digest: Buffer): string {
  const bytes = Buffer.from(createHash('sha256').update(digest).digest().subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
