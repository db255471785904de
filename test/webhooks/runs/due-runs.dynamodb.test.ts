import { afterAll, beforeAll, expect, it } from 'vitest';
import { dueRuns } from '../../../functions/webhooks/runs/due-runs.dynamodb.ts';
import type { Due } from '../../../functions/webhooks/runs/runs.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { withMiddleware } from '../../support/faults/mortal-clients.ts';
import { webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

/** The table with one item per page, as DynamoDB answers when a page is full. */
function pagedTable({ name, client }: Table): Table {
  const paged =
    (next: (args: object) => Promise<unknown>, { commandName = '' }: { commandName?: string }) =>
    (args: { input: object }) =>
      next(commandName === 'QueryCommand' ? { ...args, input: { ...args.input, Limit: 1 } } : args);
  return { name, client: withMiddleware(client, 'paged', paged) };
}

it('every run and every configuration that is due is found, on however many pages of the index', async () => {
  const desk = webhookDesk({ table });
  const configuration = await desk.configuration();
  const key = { tenant: 'acme', configurationId: configuration.id };
  const ids: string[] = [];
  // More than there are shards: some shard has two.
  while (ids.length < 20) ids.push((await desk.begin(configuration)).run.id);
  await desk.admission.noteParking(key, await desk.admission.load(key), desk.now);
  const due: Due[] = [];
  for await (const one of dueRuns(pagedTable(table), { retentionDays: 30 }).due(desk.now + 60_000)) due.push(one);
  expect(due.flatMap((one) => ('run' in one ? [one.run.id] : [])).toSorted()).toEqual(ids.toSorted());
  expect(due.flatMap((one) => ('configuration' in one ? [one.configuration] : []))).toEqual([key]);
});
