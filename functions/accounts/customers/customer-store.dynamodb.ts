import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { OpenErasure } from '#shared/erasures/erasure';
import { newErasureWrites } from '#shared/erasures/erasure-items.dynamodb';
import type { TenantKey } from '#shared/ids';
import { anonymousExpiry, isAnonymous } from '#shared/loyalty/anonymous-token';
import {
  CustomerItem,
  customerKey,
  erasedKey,
  externalKey,
  knownCustomers,
} from '#shared/loyalty/customer-items.dynamodb';
import { revisionOf, unchangedSince } from '#shared/table/revisions.dynamodb';
import { type Item, listPage, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { deleteWrite, IS_NEW, putWrite } from '#shared/table/writes.dynamodb';
import { CUSTOMERS } from '../table-keys.ts';
import type { Attributes } from './customer-input.ts';
import type { Customer, Customers } from './manage-customers.ts';

const listOf = (tenant: string) => `${CUSTOMERS}${tenant}`;

export const customerStore = (table: Table): Customers => ({
  add: (customer) => add(table, customer),
  byId: async (key) => (await read(table, key))?.stored,
  byExternalId: async (tenant, externalId) => {
    const facts = await knownCustomers(table).byExternalId(tenant, externalId);
    return facts && (await read(table, { tenant, id: facts.id }))?.stored;
  },
  change: (key, edit) => change(table, key, edit),
  remove: (erasure) => remove(table, erasure),
  list: (tenant, page) => listPage(table, listOf(tenant), page, customerIn),
});

function customerIn(item: Item): Customer {
  const { attributes, ...stored } = CustomerItem.parse(item);
  return { ...stored, attributes: JSON.parse(attributes) as Attributes };
}

async function add(table: Table, customer: Customer): Promise<'added' | 'external-id-taken'> {
  const outcome = await transact(table, [customerPut(table, customer, undefined), ...takingName(table, customer)]);
  if (outcome.done) return 'added';
  if (outcome.refused[1]) return 'external-id-taken';
  throw new Error(`There is a customer ${customer.id} already.`);
}

const read = (table: Table, key: TenantKey) =>
  readItem(table, customerKey(key), (item) => ({ stored: customerIn(item), revision: revisionOf(item) }));

async function change(
  table: Table,
  key: TenantKey,
  edit: (stored: Customer) => Customer,
): ReturnType<Customers['change']> {
  for (;;) {
    const current = await read(table, key);
    if (!current) return 'missing';
    const { stored, revision } = current;
    const changed = edit(stored);
    const isRenamed = changed.externalId !== stored.externalId;
    const taking = isRenamed ? takingName(table, changed) : [];
    const givingBack = isRenamed ? givingNameBack(table, stored) : [];
    const outcome = await transact(table, [customerPut(table, changed, revision), ...taking, ...givingBack]);
    if (outcome.done) return changed;
    const [notAsSeen, ...refused] = outcome.refused;
    if (notAsSeen) continue;
    if (taking.length > 0 && refused[0]) return 'external-id-taken';
    throw notReserved(key);
  }
}

async function remove(table: Table, erasure: OpenErasure): Promise<boolean> {
  const { tenant, customer: id } = erasure;
  const key = { tenant, id };
  if (isAnonymous(id))
    return (await transact(table, [refusingTokens(table, erasure), ...newErasureWrites(table, erasure)])).done;
  for (;;) {
    const current = await read(table, key);
    if (!current) return false;
    const { stored, revision } = current;
    const outcome = await transact(table, [
      deleteWrite(table.name, customerKey(key), unchangedSince(revision)),
      ...givingNameBack(table, stored),
      ...newErasureWrites(table, erasure),
    ]);
    if (outcome.done) return true;
    if (!outcome.refused[0]) throw notReserved(key);
  }
}

/** Refused if the customer was erased before. No item stands for an anonymous customer, so its token is refused by one. */
function refusingTokens({ name }: Table, { tenant, customer, requestedAt }: OpenErasure): TransactWriteItem {
  const ttl = Math.ceil(anonymousExpiry(Date.parse(requestedAt)) / 1_000);
  return putWrite(name, { ...erasedKey({ tenant, id: customer }), ttl }, IS_NEW);
}

const notReserved = ({ id }: TenantKey) => new Error(`The external id of ${id} is not reserved for it.`);

/** @param seen the revision that is replaced; undefined for a new customer. */
function customerPut(table: Table, customer: Customer, seen: number | undefined): TransactWriteItem {
  const item = {
    ...customerKey(customer),
    ...customer,
    attributes: JSON.stringify(customer.attributes),
    revision: (seen ?? 0) + 1,
    list: listOf(customer.tenant),
    position: `${customer.createdAt}#${customer.id}`,
  };
  return putWrite(table.name, item, unchangedSince(seen));
}

/** No write for a customer without an external id. */
function takingName(table: Table, { tenant, externalId, id }: Customer): TransactWriteItem[] {
  if (externalId === undefined) return [];
  return [putWrite(table.name, { ...externalKey(tenant, externalId), customer: id, externalId }, IS_NEW)];
}

function givingNameBack(table: Table, { tenant, externalId, id }: Customer): TransactWriteItem[] {
  if (externalId === undefined) return [];
  const isOwn = { condition: 'customer = :id', values: { id } };
  return [deleteWrite(table.name, externalKey(tenant, externalId), isOwn)];
}
