/** Management keys of a tenant, for servers that no person signs in for: the tenant makes, lists and revokes its own. */
import * as z from 'zod';
import { actorOf } from '#shared/audit/actor';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, created, noContent, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import { createManagementKey, newKeyFaults, presentManagementKey, revokeManagementKey } from './management-key.ts';
import { managementKeyStore } from './management-key-store.dynamodb.ts';
import { managementKeyOperations } from './management-keys.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, KEY_SECRETS: resource });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const accounts = accountStore(table);
const keys = managementKeyStore(table);
const secretsOf = keySecrets(env.KEY_SECRETS);

export const handler = apiRoutes(api, managementKeyOperations, {
  createManagementKey: {
    more: newKeyFaults,
    answer: async ({ caller, path, body, now }) => {
      requireTenant(caller, path.id);
      const { id: tenant } = await accountById(accounts, path.id);
      const making = { tenant, secrets: await secretsOf.issuing(now), by: actorOf(caller) };
      const { key, stored } = await createManagementKey(keys, making, body, now);
      const presented = presentManagementKey(stored);
      return created({ ...presented, key }, `/manage/v1/accounts/${tenant}/management-keys/${presented.id}`);
    },
  },
  listManagementKeys: async ({ caller, path, query }) => {
    requireTenant(caller, path.id);
    const { id: tenant } = await accountById(accounts, path.id);
    return okPage(await keys.list(tenant, query), presentManagementKey);
  },
  revokeManagementKey: async ({ caller, path, now }) => {
    requireTenant(caller, path.id);
    await revokeManagementKey(keys, { tenant: path.id, id: path.keyId }, now);
    return noContent();
  },
});
