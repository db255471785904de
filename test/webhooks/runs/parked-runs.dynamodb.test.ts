import { afterAll, beforeAll, expect, it } from 'vitest';
import { parkedRuns } from '../../../functions/webhooks/runs/parked-runs.dynamodb.ts';
import { parked, unparked } from '../../../functions/webhooks/runs/run-machine.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
let desk: WebhookDesk;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
  desk = webhookDesk({ table });
});
afterAll(() => endpoint.close());

async function parkedRun() {
  const { run } = await desk.begin(await desk.configuration());
  const parks = parked(run, desk.now)!;
  await desk.runs.replace(parks);
  return parks;
}

it('a parked run is started by one of ten workers, and all others get nothing', async () => {
  const run = await parkedRun();
  const started = await Promise.all(Array.from({ length: 10 }, () => parkedRuns(table).unpark(run, desk.now)));
  expect(started.filter((one) => one !== undefined)).toEqual([await desk.runs.byId(run)]);
});

it('a run that is started is stored as the run machine has it, and is no longer found among the parked ones', async () => {
  const run = await parkedRun();
  const store = parkedRuns(table);
  expect(await store.first(run, 2)).toEqual([{ tenant: run.tenant, id: run.id, dueAt: run.nextAttemptAt }]);
  const now = desk.now + 5_000;
  // With the machine's next look the sweeper finds it soon, should its message be lost.
  expect(await store.unpark(run, now)).toEqual(unparked(run, now));
  expect(await desk.runs.byId(run)).toEqual(unparked(run, now));
  expect(await store.first(run, 2)).toEqual([]);
});
