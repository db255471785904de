import { tenantById } from '#shared/auth/tenant-items.dynamodb';
import { Refusal } from '#shared/errors';
import type { Table } from '#shared/table.dynamodb';
import type { MeterItem } from '../balances/account.ts';
import { newMeterItem } from '../balances/account-changes.ts';
import { accountItem, addAccount } from '../balances/account-store.dynamodb.ts';
import { upgradeInvoice } from '../invoices/invoice.ts';
import { invoiceWrites } from '../invoices/invoice-store.dynamodb.ts';
import { changePlan } from '../subscriptions/change-plan.ts';
import { newSubscription } from '../subscriptions/subscription.ts';

export interface Tables {
  readonly accounts: Table;
  readonly conversions: Table;
}

/**
 * The account's item, made when a tenant first needs it: on the plan that the operator gave the tenant, which begins
 * there and then, with the invoice of its first period. Throws a 404 for a tenant that does not exist.
 */
export async function provisionedAccount(
  { accounts, conversions }: Tables,
  tenant: string,
  now: number,
): Promise<MeterItem> {
  const known = await accountItem(conversions, tenant);
  if (known) return known;
  const stated = await tenantById(accounts, tenant);
  if (!stated) throw new Refusal(404, 'not-found', 'There is no such account.');
  const { subscription, chargeMicros } = changePlan(
    newSubscription(stated.billingCurrency, now),
    { plan: stated.plan },
    now,
  );
  const { plan, currency, period } = subscription;
  const first = { id: `first-${tenant}`, tenant, currency, from: 'free', to: plan, period, now } as const;
  const invoice = chargeMicros > 0 ? invoiceWrites(conversions.name, upgradeInvoice(first)) : [];
  await addAccount(conversions, tenant, newMeterItem(subscription, now), invoice);
  // Another call may have been faster.
  return (await accountItem(conversions, tenant)) ?? missing(tenant);
}

function missing(tenant: string): never {
  throw new Error(`The account ${tenant} was written and cannot be read.`);
}
