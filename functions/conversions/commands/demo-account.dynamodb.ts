import { updateItem } from '#shared/table/writes.dynamodb';
import { counterOf } from '../billing/balances/account.ts';
import { LIFE_COUNTER } from '../billing/balances/account-item.dynamodb.ts';
import { meterKey, readAccount, stepAccount } from '../billing/balances/account-store.dynamodb.ts';
import { provisionedAccount, type Tables } from '../billing/plans/provisioned-account.dynamodb.ts';
import type { DemoDay } from './demo-usage.ts';

/**
 * Opens the account of a tenant on the first of these days and uses each day's conversions with the counters and steps
 * of any account, so that the days, periods and invoices agree. An existing account is not changed.
 */
export async function openUsedAccount(tables: Tables, tenant: string, days: readonly DemoDay[]): Promise<void> {
  const { conversions } = tables;
  const [first] = days;
  if (!first || (await readAccount(conversions, tenant))) return;
  await provisionedAccount(tables, tenant, Date.parse(first.date));
  for (const { date, live } of days) {
    const now = () => Date.parse(date);
    await stepAccount(conversions, tenant, (subscription) => subscription, { now });
    await count(tables, tenant, live);
  }
}

async function count({ conversions }: Tables, tenant: string, live: number): Promise<void> {
  const item = await readAccount(conversions, tenant);
  if (!item) throw new Error(`The account ${tenant} is gone.`);
  await updateItem(conversions, meterKey(tenant), {
    change: 'ADD #life :live, #period :live',
    names: { life: LIFE_COUNTER, period: counterOf(item.periodId) },
    values: { live },
  });
}
