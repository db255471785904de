/** Registered customers of a tenant, whom the loyalty interfaces serve. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { CustomerChange, NewCustomer } from './customer-input.ts';
import { customerStore } from './customer-store.dynamodb.ts';
import * as manage from './manage-customers.ts';
import { shownCustomer, shownCustomers } from './shown-customers.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const customers = customerStore(table);
const ListQuery = PageQuery.extend({ externalId: z.string().optional() });

const [one, more] = [{ path: ItemPath }, manage.customerFaults(customers)];

const create = httpHandler(api, { body: NewCustomer, more }, async ({ caller, body, now }) => {
  const customer = await manage.createCustomer(customers, body, { tenant: caller.tenant, id: newId('cus'), now });
  return created(await shownCustomer(table, customer), locationOf(`loyalty/customers/${customer.id}`, caller));
});

const list = httpHandler(api, { query: ListQuery }, async ({ caller, query }) =>
  ok(await shownCustomers(table, await manage.listCustomers(customers, caller.tenant, query))),
);

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(await shownCustomer(table, await manage.customerById(customers, { tenant: caller.tenant, id: path.id }))),
);

const change = httpHandler(api, { ...one, body: CustomerChange, more }, async ({ caller, path, body, now }) => {
  const key = { tenant: caller.tenant, id: path.id, now };
  return ok(await shownCustomer(table, await manage.changeCustomer(customers, body, key)));
});

/** The location is that of the erasure, which goes on. */
const remove = httpHandler(api, one, async ({ caller, path, now }) => {
  const { id } = await manage.deleteCustomer(customers, {
    tenant: caller.tenant,
    id: path.id,
    erasure: newId('era'),
    now,
  });
  return { ...noContent(), headers: { location: locationOf(`erasures/${id}`, caller) } };
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/customers': create,
  'GET /manage/v1/loyalty/customers': list,
  'GET /manage/v1/loyalty/customers/{id}': get,
  'PATCH /manage/v1/loyalty/customers/{id}': change,
  'DELETE /manage/v1/loyalty/customers/{id}': remove,
});
