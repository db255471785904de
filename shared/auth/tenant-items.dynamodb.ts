import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { getItem, type Key, type Table, whenAllowed } from '#shared/table.dynamodb';
import { type AccountStatus, cachedStatus, type StatusOf, type StatusOptions, UNRESTRICTED } from './account-status.ts';
import { ACCOUNT } from './tenant.ts';

export const tenantKey = (id: string): Key => ({ pk: `${ACCOUNT}${id}`, sk: 'ACCOUNT' });

/** What other domains may know of a tenant. */
const TenantItem = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(['free', 'starter', 'growth', 'scale']),
  billingCurrency: z.enum(['USD', 'EUR', 'GBP']),
  email: z.string(),
});
export type Tenant = z.output<typeof TenantItem>;

/** @param table of the accounts */
export async function tenantById(table: Table, id: string): Promise<Tenant | undefined> {
  const item = await getItem(table, tenantKey(id));
  return item && TenantItem.parse(item);
}

const StatusItem = z.object({
  active: z.boolean(),
  apiIntegration: z.optional(z.boolean()),
  deliveriesResumedAt: z.optional(z.string()),
});

/** What an operator has decided about a tenant, as it is now. @param table of the accounts */
export async function readStatus(table: Table, tenant: string): Promise<AccountStatus> {
  const item = await getItem(table, tenantKey(tenant));
  if (!item) return UNRESTRICTED;
  const { active, apiIntegration = true, deliveriesResumedAt } = StatusItem.parse(item);
  return {
    active,
    apiIntegration,
    ...(deliveriesResumedAt !== undefined && { deliveriesResumedAt: Date.parse(deliveriesResumedAt) }),
  };
}

/** The status of tenants, each read once in half a minute. @param table of the accounts */
export const accountStatus = (table: Table, options?: StatusOptions): StatusOf =>
  cachedStatus((tenant) => readStatus(table, tenant), options);

/** The status of tenants as it is now: a webhook that is switched off is not posted any more. @param table of the accounts */
export const currentStatus = (table: Table): StatusOf => accountStatus(table, { millis: 0 });

/**
 * Shows the plan that a tenant is on with the tenant's account. Older news than what is shown already changes nothing.
 * @param version grows with each change of the plan
 */
export async function showPlan(
  { client, name }: Table,
  id: string,
  { plan, version }: { readonly plan: Tenant['plan']; readonly version: number },
): Promise<void> {
  const update = new UpdateItemCommand({
    TableName: name,
    Key: marshall(tenantKey(id)),
    // On Free nothing is billed any more.
    UpdateExpression: `SET #plan = :plan, planVersion = :version${plan === 'free' ? ' REMOVE billedIn' : ''}`,
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(planVersion) OR planVersion < :version)',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: marshall({ ':plan': plan, ':version': version }),
  });
  await whenAllowed(client.send(update));
}

interface Billed {
  readonly plan: Tenant['plan'];
  readonly version: number;
  readonly currency: Tenant['billingCurrency'];
  /** Nothing was billed before: the tenant's currency must still be this one. */
  readonly isFirst: boolean;
}

/**
 * The write, for the transaction that books a paid plan, which shows the plan with the tenant's account and holds its
 * currency there for as long as it is billed.
 */
export function billingWrite(
  table: Table,
  tenant: string,
  { plan, version, currency, isFirst }: Billed,
): TransactWriteItem {
  return {
    Update: {
      TableName: table.name,
      Key: marshall(tenantKey(tenant)),
      UpdateExpression: 'SET #plan = :plan, planVersion = :version, billedIn = :currency, billingCurrency = :currency',
      ConditionExpression: `attribute_exists(pk)${isFirst ? ' AND billingCurrency = :currency' : ''}`,
      ExpressionAttributeNames: { '#plan': 'plan' },
      ExpressionAttributeValues: marshall({ ':plan': plan, ':version': version, ':currency': currency }),
    },
  };
}
