import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  configurationKey,
  configurationStore,
} from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { triggerRuns } from '../../../functions/webhooks/events/trigger-runs.ts';
import { matchingRules } from '../../../functions/webhooks/rules/matching-rules.dynamodb.ts';
import type { Rule } from '../../../functions/webhooks/rules/rule.ts';
import { ruleStore } from '../../../functions/webhooks/rules/rule-store.dynamodb.ts';
import { replayRun } from '../../../functions/webhooks/runs/replay-run.ts';
import { runLog } from '../../../functions/webhooks/runs/run-log.dynamodb.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { laggingTable } from '../../support/faults/lagging-table.ts';
import { Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { deaths } from '../../support/runner/thoroughness.ts';
import { webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
let tenant: string;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
beforeEach(() => {
  tenant = newId('tenant');
});
afterAll(() => endpoint.close());

const event: WebhookEvent = {
  id: 'event',
  module: 'dsar',
  trigger: 'DSAR starts',
  recordType: 'subject request',
  recordId: '4711',
  data: {},
  time: '2026-01-01T00:00:00.000Z',
};

async function newRule(own: Partial<Rule> & { configuration?: string } = {}): Promise<string> {
  const id = newId('rule');
  const { configuration: given, ...fields } = own;
  const configuration = given ?? (await webhookDesk({ table }).configuration({ tenant })).id;
  const createdAt = new Date().toISOString();
  await ruleStore(table).add({
    id,
    tenant,
    name: '',
    module: 'dsar',
    trigger: 'DSAR starts',
    apiConfigurationId: configuration,
    headers: [],
    body: '{"id":"{{requestId}}"}',
    enabled: true,
    createdAt,
    updatedAt: createdAt,
    ...fields,
  });
  return id;
}

function trigger({ mortality = new Mortality(), now = 1_000, of = event, from = table } = {}) {
  const mortal = { name: table.name, client: mortality.bind(from.client) };
  return triggerRuns(
    {
      rules: matchingRules(mortal),
      configurations: configurationStore(mortal),
      runs: runStore({ table: mortal, retentionDays: 30 }),
      now: () => now,
    },
    tenant,
    of,
  );
}

const runs = async () => (await runLog(table).list(tenant, {}, { limit: 100 })).items;

describe('an event', () => {
  it('whose maker of runs dies at any call, and that comes again, makes exactly one run for each rule', async () => {
    for (const mortality of deaths()) {
      tenant = newId('tenant');
      const rules = [await newRule(), await newRule(), await newRule()];
      await trigger({ mortality }).catch(unlessKilled);
      const again = await trigger({ now: 5_000 });
      const made = await runs();
      expect(made.map(({ ruleId }) => ruleId).toSorted()).toEqual(rules.toSorted());
      expect(made.map(({ id }) => id).toSorted()).toEqual(again.toSorted());
      for (const run of made) {
        const payload = await runStore({ table, retentionDays: 30 }).payload(run);
        expect(payload?.createdAt).toBe(run.createdAt);
        expect(JSON.parse(Buffer.from(payload!.body).toString())).toEqual({
          id: '4711',
          timestamp: new Date(run.createdAt).toISOString(),
        });
      }
    }
  });

  it('that comes twenty times at the same time makes one run for each rule', async () => {
    const rules = [await newRule(), await newRule()];
    const told = await Promise.all(Array.from({ length: 20 }, (_, n) => trigger({ now: 1_000 + n })));
    expect(new Set(told.map((ids) => ids.toSorted().join()))).toHaveLength(1);
    expect((await runs()).map(({ ruleId }) => ruleId).toSorted()).toEqual(rules.toSorted());
  });

  it('of the same id makes runs of its own in every tenant', async () => {
    await newRule();
    const [first] = await trigger();
    tenant = newId('tenant');
    await newRule();
    const [second] = await trigger();
    expect(first).not.toBe(second);
    const keys = (await runs()).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('makes no run where the configuration is disabled or gone, and all others', async () => {
    const desk = webhookDesk({ table });
    const [gone, off] = [await desk.configuration({ tenant }), await desk.configuration({ tenant })];
    await newRule({ configuration: gone.id });
    await newRule({ configuration: off.id });
    // As versions did that let rules outlive it.
    await table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshalled(configurationKey(gone)) }));
    await desk.configurations.change(off, (stored) => ({ ...stored, enabled: false }));
    const rule = await newRule();
    expect(await trigger()).toHaveLength(1);
    expect((await runs()).map(({ ruleId }) => ruleId)).toEqual([rule]);
  });

  it('with a payload that is too large makes a failed run that says so, once', async () => {
    await newRule({ body: `{"text":"{{text}}"}` });
    const of = { ...event, data: { text: 'x'.repeat(380_000) } };
    const [id] = await trigger({ of });
    expect(await trigger({ of })).toEqual([id]);
    expect(await runs()).toMatchObject([{ id, status: 'FAILED', error: 'payload_too_large', attempts: 0 }]);
    const deps = { runs: runStore({ table, retentionDays: 30 }), configurations: configurationStore(table) };
    const replaying = replayRun(deps, { tenant, id: id! }, { id: newId('run'), now: 2_000 });
    await expect(replaying).rejects.toMatchObject({ status: 409, code: 'payload-missing' });
  });

  it.each([
    ['make it too large together with the body', { body: 200_000, character: 'x' }],
    ['are too large in UTF-8, though not in characters', { body: 150_000, character: 'é' }],
  ])('with a payload whose headers %s makes a failed run too', async (_how, { body, character }) => {
    const consent = { module: 'consent', trigger: 'Consent submitted' } as const;
    const headers = Array.from({ length: 30 }, (_, n) => ({ name: `X-${n}`, value: '{{text}}' }));
    await newRule({ ...consent, headers, body: `{"text":"${'x'.repeat(body)}"}` });
    const of = { ...event, ...consent, data: { text: character.repeat(8_000) } };
    const [id] = await trigger({ of });
    expect(await runs()).toMatchObject([{ id, status: 'FAILED', error: 'payload_too_large', attempts: 0 }]);
  });

  it('that comes right after its rule was made fires it', async () => {
    const rule = await newRule();
    expect(await trigger({ from: laggingTable(table) })).toHaveLength(1);
    expect((await runs()).map(({ ruleId }) => ruleId)).toEqual([rule]);
  });
});
