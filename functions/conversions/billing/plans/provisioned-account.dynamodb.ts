import { billingWrite, type Tenant, tenantById } from '#shared/auth/tenant-items.dynamodb';
import { noSuch } from '#shared/errors';
import type { Table } from '#shared/table/table.dynamodb';
import { type Account, subscriptionOf } from '../balances/account.ts';
import { itemAfter, newAccount } from '../balances/account-changes.ts';
import { addAccount, readAccount, stepAccount } from '../balances/account-store.dynamodb.ts';
import { upgradeInvoice } from '../invoices/invoice.ts';
import { invoiceWrites } from '../invoices/invoice-store.dynamodb.ts';
import { changePlan } from '../subscriptions/change-plan.ts';
import { inCurrency, newSubscription, type Subscription } from '../subscriptions/subscription.ts';

export interface Tables {
  readonly accounts: Table;
  readonly conversions: Table;
}

/** The number of tries: the tenant's currency may change before its account is written. */
const TRIES_MAX = 5;

/**
 * Returns the account's item. It is created when a tenant first needs it, on the plan that the operator gave the
 * tenant, which begins at that moment with the invoice of its first period. Throws a 404 for a tenant that does not
 * exist.
 */
export async function provisionedAccount(
  { accounts, conversions }: Tables,
  tenant: string,
  now: number,
): Promise<Account> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const account = await readAccount(conversions, tenant);
    if (account && subscriptionOf(account).state !== 'free') return account;
    const owner = await tenantById(accounts, tenant);
    if (account) return owner ? inCurrencyOf(conversions, owner, { account, now }) : account;
    if (!owner) noSuch('account');
    await beginAccount({ accounts, conversions }, owner, now);
  }
  throw new Error(`The account ${tenant} cannot be written.`);
}

/** Creates the account, unless another call has created it or the tenant's currency has changed meanwhile. */
async function beginAccount({ accounts, conversions }: Tables, owner: Tenant, now: number): Promise<void> {
  const { id: tenant, billingCurrency } = owner;
  const { subscription, chargeMicros } = changePlan(newSubscription(billingCurrency, now), { plan: owner.plan }, now);
  const { plan, currency, period } = subscription;
  const first = { id: `first-${tenant}`, tenant, currency, from: 'free', to: plan, period, now } as const;
  const invoice = chargeMicros > 0 ? invoiceWrites(conversions.name, upgradeInvoice(first)) : [];
  const billing = billingWrite(accounts, tenant, { plan, version: 1, currency, isFirst: true });
  const more = plan === 'free' ? invoice : [...invoice, billing];
  await addAccount(conversions, tenant, newAccount(subscription, now), more);
}

/** Returns the account on Free, changed to the tenant's current currency. */
async function inCurrencyOf(
  conversions: Table,
  { id, billingCurrency }: Tenant,
  { account, now }: { readonly account: Account; readonly now: number },
): Promise<Account> {
  if (subscriptionOf(account).currency === billingCurrency) return account;
  const step = (current: Subscription) => inCurrency(current, billingCurrency);
  const change = await stepAccount(conversions, id, step, { now: () => now });
  return change ? itemAfter(change) : account;
}
