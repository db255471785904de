/** The check-ins of a customer and those at a place, for the tenant: places, times and points. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { knownCustomers } from '#shared/loyalty/customer-items.dynamodb';
import { ledgerEntries, placeEntries } from '#shared/loyalty/points-ledger.dynamodb';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesById } from '../catalog/place-items.dynamodb.ts';
import { accountsTable, placesTable } from '../environment.ts';
import { customerCheckInOperations } from './customer-check-ins.operations.ts';
import { customerCheckIns, type Ledgers, placeCheckIns } from './ledger-check-ins.ts';

export const Env = z.object({ ...accountsTable, ...placesTable });
const env = readEnv(Env);
const [accounts, places] = [boundTable(env.ACCOUNTS_TABLE), boundTable(env.PLACES_TABLE)];
const customers = knownCustomers(accounts);
const ledgers: Ledgers = {
  entries: (customer, page) => ledgerEntries(accounts, customer, page),
  placeEntries: (place, page) => placeEntries(accounts, place, page),
  isCustomer: async (key) => (await customers.byId(key)) !== undefined,
  placeNames: async (tenant, ids) => new Map((await placesById(places, tenant, ids)).map(({ id, name }) => [id, name])),
};

export const handler = apiRoutes(tenantApi, customerCheckInOperations, {
  listCheckIns: async ({ caller, path, query }) =>
    ok(await customerCheckIns(ledgers, { tenant: caller.tenant, id: path.id }, query)),
  listPlaceCheckIns: async ({ caller, path, query }) =>
    ok(await placeCheckIns(ledgers, { tenant: caller.tenant, id: path.id }, query)),
});
