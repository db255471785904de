import { afterAll, beforeAll, expect, it } from 'vitest';
import { testAllowance } from '../../../functions/webhooks/configuration-tests/test-allowance.dynamodb.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

const MINUTE = Date.parse('2026-11-21T10:05:00.000Z');

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

it('a tenant makes so many tests in a minute, however many are asked for at the same time', async () => {
  const allowance = testAllowance(table, 3);
  const all = await Promise.all(Array.from({ length: 10 }, (_, n) => allowance.take('crowd', MINUTE + n * 1_000)));
  expect(all.filter(Boolean)).toHaveLength(3);
});

it('the next minute and another tenant have tests of their own', async () => {
  const allowance = testAllowance(table, 1);
  expect(await allowance.take('acme', MINUTE)).toBe(true);
  expect(await allowance.take('acme', MINUTE + 59_999)).toBe(false);
  expect(await allowance.take('other', MINUTE + 59_999)).toBe(true);
  expect(await allowance.take('acme', MINUTE + 60_000)).toBe(true);
});

it('what is counted expires after its minute', async () => {
  await testAllowance(table, 1).take('brief', MINUTE);
  const item = await getItem(table, { pk: 'CONFIGURATION_TESTS#brief', sk: `MINUTE#${MINUTE / 60_000}` });
  expect(item?.['ttl']).toBeGreaterThanOrEqual((MINUTE + 60_000) / 1_000);
});
