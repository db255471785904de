/** Management keys of a tenant, for servers that no person signs in for: the tenant makes, lists and revokes its own. */
import * as z from 'zod';
import { actorOf } from '#shared/audit/actor';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, okPage } from '#shared/http/http-handler';
import { ItemPath, managementApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { accountById } from '../tenants/account.ts';
import { accountStore } from '../tenants/account-store.dynamodb.ts';
import {
  createManagementKey,
  ManagementKeyId,
  NewManagementKey,
  newKeyFaults,
  presentManagementKey,
  revokeManagementKey,
} from './management-key.ts';
import { managementKeyStore } from './management-key-store.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, KEY_SECRETS: resource });
const env = readEnv(Env);
const api = audited(managementApi, env);
const table = boundTable(env.ACCOUNTS_TABLE);
const accounts = accountStore(table);
const keys = managementKeyStore(table);
const secretsOf = keySecrets(env.KEY_SECRETS);
const KeyPath = ItemPath.extend({ keyId: ManagementKeyId });

const create = httpHandler(api, { path: ItemPath, body: NewManagementKey, more: newKeyFaults }, async (call) => {
  requireTenant(call.caller, call.path.id);
  const { id: tenant } = await accountById(accounts, call.path.id);
  const making = { tenant, secrets: await secretsOf(call.now), by: actorOf(call.caller) };
  const { key, stored } = await createManagementKey(keys, making, call.body, call.now);
  return json(201, { ...presentManagementKey(stored), key });
});

const list = httpHandler(api, { path: ItemPath, query: PageQuery }, async ({ caller, path, query }) => {
  requireTenant(caller, path.id);
  const { id: tenant } = await accountById(accounts, path.id);
  return okPage(await keys.list(tenant, query), presentManagementKey);
});

const revoke = httpHandler(api, { path: KeyPath }, async ({ caller, path, now }) => {
  requireTenant(caller, path.id);
  await revokeManagementKey(keys, { tenant: path.id, id: path.keyId }, now);
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/accounts/{id}/management-keys': create,
  'GET /manage/v1/accounts/{id}/management-keys': list,
  'DELETE /manage/v1/accounts/{id}/management-keys/{keyId}': revoke,
});
