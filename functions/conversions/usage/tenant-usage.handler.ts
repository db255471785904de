/** The usage of a tenant: in the current period with its cost so far, or by days. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { provisionedAccount } from '../billing/plans/provisioned-account.dynamodb.ts';
import { accountsTable, conversionsTable } from '../environment.ts';
import { tenantUsageOperations } from './tenant-usage.operations.ts';
import { presentUsage, rangeOf } from './tenant-usage.ts';
import { usedDays } from './used-days.dynamodb.ts';

export const Env = z.object({ ...accountsTable, ...conversionsTable });
const env = readEnv(Env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };

export const handler = apiRoutes(tenantApi, tenantUsageOperations, {
  getTenantUsage: async ({ caller: { tenant }, query, now }) => {
    const account = await provisionedAccount(tables, tenant, now);
    if (query.by === undefined) return ok(presentUsage(tenant, account, now));
    return ok(await usedDays(tables.conversions, tenant, account, rangeOf(query, now)));
  },
});
