import type { OpenErasure } from '#shared/erasures/erasure';
import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { tenantFaults } from '#shared/http/management-api';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { EXTERNAL_ID_CHARACTERS_MAX } from '#shared/loyalty/customer';
import { type Attributes, CustomerChange, type NewCustomer } from './customer-input.ts';

/** A registered customer of a tenant, whom the loyalty interfaces serve. */
export interface Customer {
  readonly id: string;
  readonly tenant: string;
  /** The id of the customer in an outside system. No two customers of a tenant share one. */
  readonly externalId?: string;
  readonly email?: string;
  readonly attributes: Attributes;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Customers {
  add(customer: Customer): Promise<'added' | 'external-id-taken'>;
  byId(key: TenantKey): Promise<Customer | undefined>;
  byExternalId(tenant: string, externalId: string): Promise<Customer | undefined>;
  /** Replaces the stored one with the result of `edit`, which is called again after a conflicting save. */
  change(key: TenantKey, edit: (stored: Customer) => Customer): Promise<Customer | 'missing' | 'external-id-taken'>;
  /** Removes the customer and opens its erasure. False if the tenant has no customer with this id. */
  remove(erasure: OpenErasure): Promise<boolean>;
  list(tenant: string, page: PageQuery): Promise<Page<Customer>>;
}

interface Save extends TenantKey {
  readonly now: number;
}

export async function createCustomer(
  customers: Customers,
  input: NewCustomer,
  { now, ...key }: Save,
): Promise<Customer> {
  const customer: Customer = { ...input, ...key, createdAt: isoTime(now), updatedAt: isoTime(now) };
  if ((await customers.add(customer)) === 'external-id-taken') throw externalIdTaken(customer.externalId);
  return customer;
}

export async function changeCustomer(
  customers: Customers,
  change: CustomerChange,
  { now, ...key }: Save,
): Promise<Customer> {
  const saved = await customers.change(key, (stored) => {
    const { externalId, email, ...rest } = { ...stored, ...change, updatedAt: isoTime(now) };
    return { ...rest, ...(externalId != null && { externalId }), ...(email != null && { email }) };
  });
  if (saved === 'missing') noSuch('customer');
  if (saved === 'external-id-taken') throw externalIdTaken(change.externalId);
  return saved;
}

export async function customerById(customers: Customers, key: TenantKey): Promise<Customer> {
  const customer = await customers.byId(key);
  if (!customer) noSuch('customer');
  return customer;
}

interface ListQuery extends PageQuery {
  readonly externalId?: string;
}

/** All customers, or the one with this external id. */
export async function listCustomers(
  customers: Customers,
  tenant: string,
  { externalId, ...page }: ListQuery,
): Promise<Page<Customer>> {
  if (externalId === undefined) return customers.list(tenant, page);
  const isLong = externalId.length > EXTERNAL_ID_CHARACTERS_MAX;
  const customer = isLong ? undefined : await customers.byExternalId(tenant, externalId);
  return { items: customer ? [customer] : [] };
}

interface Deletion extends Save {
  /** Names the erasure. */
  readonly erasure: string;
}

/**
 * Deletes the profile, frees the external id, and has everything else erased that names the customer. An anonymous customer
 * has no profile; its token is refused from then on.
 */
export async function deleteCustomer(
  customers: Customers,
  { tenant, id, erasure, now }: Deletion,
): Promise<OpenErasure> {
  const open: OpenErasure = {
    subject: 'customer',
    tenant,
    id: erasure,
    customer: id,
    requestedAt: isoTime(now),
    erasedAt: {},
  };
  return (await customers.remove(open)) ? open : noSuch('customer');
}

/** The customer as the management API shows it. */
export const presentCustomer = (customer: Customer, availablePoints: number) => ({
  id: customer.id,
  ...(customer.externalId !== undefined && { externalId: customer.externalId }),
  ...(customer.email !== undefined && { email: customer.email }),
  attributes: customer.attributes,
  availablePoints,
  createdAt: customer.createdAt,
  updatedAt: customer.updatedAt,
});

/** The checks of a save besides the schema. */
export const customerFaults = (customers: Pick<Customers, 'byExternalId'>) =>
  tenantFaults(CustomerChange, ({ externalId }, { tenant, id }) => [
    async () => {
      if (typeof externalId !== 'string') return;
      const holder = await customers.byExternalId(tenant, externalId);
      if (holder && holder.id !== id) throw externalIdTaken(externalId);
    },
  ]);

const externalIdTaken = (id: string | null | undefined) =>
  faultOf('externalId', `A customer with the externalId ${id} already exists.`, {
    status: 409,
    code: 'external-id-taken',
  });
