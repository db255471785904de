/** Registered customers of a tenant, whom the loyalty interfaces serve. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { customerStore } from './customer-store.dynamodb.ts';
import { customerOperations } from './customers.operations.ts';
import * as manage from './manage-customers.ts';
import { shownCustomer, shownCustomers } from './shown-customers.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const customers = customerStore(table);
const more = manage.customerFaults(customers);

export const handler = apiRoutes(api, customerOperations, {
  createCustomer: {
    more,
    answer: async ({ caller, body, now }) => {
      const customer = await manage.createCustomer(customers, body, { tenant: caller.tenant, id: newId('cus'), now });
      return created(await shownCustomer(table, customer), locationOf(`loyalty/customers/${customer.id}`, caller));
    },
  },
  listCustomers: async ({ caller, query }) =>
    ok(await shownCustomers(table, await manage.listCustomers(customers, caller.tenant, query))),
  getCustomer: async ({ caller, path }) =>
    ok(await shownCustomer(table, await manage.customerById(customers, { tenant: caller.tenant, id: path.id }))),
  changeCustomer: {
    more,
    answer: async ({ caller, path, body, now }) => {
      const key = { tenant: caller.tenant, id: path.id, now };
      return ok(await shownCustomer(table, await manage.changeCustomer(customers, body, key)));
    },
  },
  /** The location of the open erasure. */
  deleteCustomer: async ({ caller, path, now }) => {
    const deletion = { tenant: caller.tenant, id: path.id, erasure: newId('era'), now };
    const { id } = await manage.deleteCustomer(customers, deletion);
    return noContent({ location: locationOf(`erasures/${id}`, caller) });
  },
});
