import * as z from 'zod/mini';
import type { TenantKey } from '#shared/ids';
import { getItem, type Key, readItem, type Table } from '#shared/table/table.dynamodb';
import { CUSTOMER, EXTERNAL, type KnownCustomer, type KnownCustomers } from './customer.ts';

/** The item of a customer in the accounts table. */
export const CustomerItem = z.object({
  id: z.string(),
  tenant: z.string(),
  externalId: z.optional(z.string()),
  email: z.optional(z.string()),
  /** JSON text, because a number in it may be one that DynamoDB cannot store. */
  attributes: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** The item is written and removed together with the customer that it leads to. */
const ExternalItem = z.object({ customer: z.string(), externalId: z.string() });

export const customerKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${CUSTOMER}${tenant}#${id}`, sk: 'CUSTOMER' });

/** This item exists while tokens of an erased anonymous customer would still be valid. */
export const erasedKey = ({ tenant, id }: TenantKey): Key => ({ pk: `${CUSTOMER}${tenant}#${id}`, sk: 'ERASED' });

export const externalKey = (tenant: string, externalId: string): Key => ({
  pk: `${EXTERNAL}${tenant}#${externalId}`,
  sk: 'EXTERNAL',
});

const KnownItem = z.pick(CustomerItem, { id: true, externalId: true });

/**
 * Finds a customer by either name in one read.
 * @param table the accounts table
 */
export const knownCustomers = (table: Table): KnownCustomers => ({
  byId: (key) => readItem(table, customerKey(key), (item) => KnownItem.parse(item)),

  byExternalId: (tenant, externalId) =>
    readItem(table, externalKey(tenant, externalId), (item) => ({ id: ExternalItem.parse(item).customer, externalId })),

  async anonymous(key): Promise<KnownCustomer | undefined> {
    return (await getItem(table, erasedKey(key))) ? undefined : { id: key.id };
  },
});

/**
 * The attributes that the tenant stores with a customer; empty if there is no such customer.
 * @param table the accounts table
 */
export async function customerAttributes(table: Table, key: TenantKey): Promise<Readonly<Record<string, unknown>>> {
  const item = await getItem(table, customerKey(key));
  return item ? JSON.parse(CustomerItem.parse(item).attributes) : {};
}
