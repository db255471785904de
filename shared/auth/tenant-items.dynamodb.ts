import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Key, type Table } from '#shared/table/table.dynamodb';
import { updateItem, updateWrite } from '#shared/table/writes.dynamodb';
import { type AccountStatus, cachedStatus, type StatusOf, type StatusOptions, UNRESTRICTED } from './account-status.ts';
import { ACCOUNT } from './tenant.ts';

export const tenantKey = (id: string): Key => ({ pk: `${ACCOUNT}${id}`, sk: 'ACCOUNT' });

/** The attributes of a tenant that other domains may read. */
const TenantItem = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  billingCurrency: z.enum(['USD', 'EUR', 'GBP']),
  email: z.string(),
});
export type Tenant = z.output<typeof TenantItem>;

/** Undefined also of a tenant that was erased. @param table of the accounts */
export async function tenantById(table: Table, id: string): Promise<Tenant | undefined> {
  const item = await getItem(table, tenantKey(id));
  return item && !('erasure' in item) ? TenantItem.parse(item) : undefined;
}

const StatusItem = z.object({
  active: z.boolean(),
  apiIntegration: z.optional(z.boolean()),
  deliveriesResumedAt: z.optional(z.string()),
  allowedOrigins: z.optional(z.array(z.string())),
});

/** Reads the restrictions that an operator has set on a tenant, without a cache. @param table of the accounts */
export async function readStatus(table: Table, tenant: string): Promise<AccountStatus> {
  const item = await getItem(table, tenantKey(tenant));
  if (!item) return UNRESTRICTED;
  const { active, apiIntegration = true, deliveriesResumedAt, allowedOrigins } = StatusItem.parse(item);
  return {
    active,
    apiIntegration,
    ...(allowedOrigins && { allowedOrigins }),
    ...(deliveriesResumedAt !== undefined && { deliveriesResumedAt: Date.parse(deliveriesResumedAt) }),
  };
}

/** The status of tenants, each read at most once in half a minute. @param table of the accounts */
export const accountStatus = (table: Table, options?: StatusOptions): StatusOf =>
  cachedStatus((tenant) => readStatus(table, tenant), options);

/**
 * The status of tenants without a cache, so that a webhook is not sent after it was switched off.
 * @param table of the accounts
 */
export const currentStatus = (table: Table): StatusOf => accountStatus(table, { millis: 0 });

/**
 * Stores the current plan with the tenant's account, where it is shown. An older version than the stored one changes
 * nothing.
 * @param version grows with each change of the plan
 */
export async function showPlan(
  table: Table,
  id: string,
  { plan, version }: { readonly plan: Tenant['plan']; readonly version: number },
): Promise<void> {
  await updateItem(table, tenantKey(id), {
    // Nothing is billed on Free any more.
    change: `SET #plan = :plan, planVersion = :version${plan === 'free' ? ' REMOVE billedIn' : ''}`,
    condition:
      'attribute_exists(pk) AND attribute_not_exists(erasure) AND (attribute_not_exists(planVersion) OR planVersion < :version)',
    values: { plan, version },
  });
}

interface Billing {
  readonly plan: Tenant['plan'];
  readonly version: number;
  readonly currency: Tenant['billingCurrency'];
  /** True if nothing was billed to the tenant before: its currency must then still be this one. */
  readonly isFirst: boolean;
}

/**
 * The write for the transaction that books a paid plan: it stores the plan with the tenant's account and locks the
 * account's currency for as long as the plan is billed.
 */
export const billingWrite = (
  table: Table,
  tenant: string,
  { plan, version, currency, isFirst }: Billing,
): TransactWriteItem =>
  updateWrite(table.name, tenantKey(tenant), {
    change: 'SET #plan = :plan, planVersion = :version, billedIn = :currency, billingCurrency = :currency',
    condition: `attribute_exists(pk) AND attribute_not_exists(erasure)${isFirst ? ' AND billingCurrency = :currency' : ''}`,
    values: { plan, version, currency },
  });
