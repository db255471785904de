/** Registered customers of a tenant, whom the loyalty interfaces serve. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { CustomerChange, NewCustomer } from './customer-input.ts';
import { customerStore } from './customer-store.dynamodb.ts';
import { changeCustomer, createCustomer, customerById, deleteCustomer, listCustomers } from './manage-customers.ts';
import { shownCustomer, shownCustomers } from './shown-customers.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const customers = customerStore(table);
const one = { path: ItemPath };
const ListQuery = PageQuery.extend({ externalId: z.string().optional() });

const create = httpHandler(api, { body: NewCustomer }, async ({ caller, body, now }) => {
  const customer = await createCustomer(customers, body, { tenant: caller.tenant, id: newId('cus'), now });
  return created(await shownCustomer(table, customer), locationOf(`loyalty/customers/${customer.id}`, caller));
});

const list = httpHandler(api, { query: ListQuery }, async ({ caller, query }) =>
  ok(await shownCustomers(table, await listCustomers(customers, caller.tenant, query))),
);

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(await shownCustomer(table, await customerById(customers, { tenant: caller.tenant, id: path.id }))),
);

const change = httpHandler(api, { ...one, body: CustomerChange }, async ({ caller, path, body, now }) => {
  const key = { tenant: caller.tenant, id: path.id, now };
  return ok(await shownCustomer(table, await changeCustomer(customers, body, key)));
});

/** The location is that of the erasure, which goes on. */
const remove = httpHandler(api, one, async ({ caller, path, now }) => {
  const { id } = await deleteCustomer(customers, { tenant: caller.tenant, id: path.id, erasure: newId('era'), now });
  return { ...noContent(), headers: { location: locationOf(`erasures/${id}`, caller) } };
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/customers': create,
  'GET /manage/v1/loyalty/customers': list,
  'GET /manage/v1/loyalty/customers/{id}': get,
  'PATCH /manage/v1/loyalty/customers/{id}': change,
  'DELETE /manage/v1/loyalty/customers/{id}': remove,
});
