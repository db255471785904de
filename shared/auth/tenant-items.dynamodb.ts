import * as z from 'zod/mini';
import { getItem, type Key, type Table } from '#shared/table.dynamodb';
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
