import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAccount } from '../../../functions/conversions/billing/balances/account-store.dynamodb.ts';
import { endedDays } from '../../../functions/conversions/billing/balances/day-items.dynamodb.ts';
import { openUsedAccount } from '../../../functions/conversions/commands/demo-account.dynamodb.ts';
import { demoUsage } from '../../../functions/conversions/commands/demo-usage.ts';
import { presentDays, presentUsage } from '../../../functions/conversions/usage/tenant-usage.ts';
import { tenantKey } from '../../../shared/auth/tenant-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { putItem } from '../../support/conversions/booked-accounts.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const RANGE = { from: '2026-09-01', to: '2026-11-21' };

let endpoint: LocalEndpoint;
let accounts: Table;
let conversions: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  accounts = await createTable(endpoint, 'accounts');
  conversions = await createTable(endpoint, 'conversions');
  await putItem(accounts, {
    ...tenantKey('demo'),
    id: 'demo',
    name: 'demo',
    plan: 'growth',
    billingCurrency: 'USD',
    email: '',
  });
});
afterAll(() => endpoint.close());

async function figures() {
  const item = await readAccount(conversions, 'demo');
  if (!item) throw new Error('There is no account.');
  const { days } = presentDays(RANGE, await endedDays(conversions, 'demo', RANGE), item);
  return { usage: presentUsage('demo', item, NOW) as Record<string, unknown>, days };
}

describe('the demo account', () => {
  it('shows the same use by day and by period, and stays as it is at the next start', async () => {
    await openUsedAccount({ accounts, conversions }, 'demo', demoUsage(NOW));
    const { usage, days } = await figures();
    const used = days.filter(({ live }) => live > 0);
    expect(used.map(({ date, live }) => ({ date, live }))).toEqual(demoUsage(NOW));
    expect(usage).toMatchObject({ periodStart: '2026-11-07T00:00:00.000Z', testQuota: 250, testUsed: 0 });
    const ofPeriod = days.filter(({ date }) => date >= '2026-11-07');
    expect(usage['liveUsed']).toBe(ofPeriod.reduce((sum, { live }) => sum + live, 0));
    expect(days.reduce((sum, { test }) => sum + test, 0)).toBe(usage['testUsed']);

    await openUsedAccount({ accounts, conversions }, 'demo', demoUsage(NOW + 86_400_000));
    expect(await figures()).toEqual({ usage, days });
  });
});
