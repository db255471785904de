/**
 * Test OAuth clients of a tenant, which the tenant or an operator creates, lists and revokes. `oauth/` issues their
 * tokens.
 */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, okPage } from '#shared/http/http-handler';
import { ItemPath, managementApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, conversionsTable, keySecret } from '../../environment.ts';
import { provisionedAccount } from '../plans/provisioned-account.dynamodb.ts';
import { createCredential, presentClient, revokeCredential } from './credential.ts';
import { credentialStore } from './credential-store.dynamodb.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...conversionsTable, ...keySecret });
const env = readEnv(Env);
const api = audited(managementApi, env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };
const credentials = credentialStore(tables.conversions);
const secretsAt = keySecrets(env.KEY_SECRETS);

const ClientPath = ItemPath.extend({ clientId: z.string().max(100) });

const create = httpHandler(api, { path: ItemPath }, async ({ caller, path: { id: tenant }, now }) => {
  requireTenant(caller, tenant);
  await provisionedAccount(tables, tenant, now);
  const secrets = await secretsAt(now);
  const { credential, secret } = await createCredential(
    credentials,
    { tenant, kind: 'client', mode: 'test' },
    { secrets, now },
  );
  return json(201, { ...presentClient(credential), clientSecret: secret });
});

const list = httpHandler(api, { path: ItemPath, query: PageQuery }, async ({ caller, path, query }) => {
  requireTenant(caller, path.id);
  return okPage(await credentials.list(path.id, 'client', query), presentClient);
});

const revoke = httpHandler(api, { path: ClientPath }, async ({ caller, path, now }) => {
  requireTenant(caller, path.id);
  await revokeCredential(credentials, { tenant: path.id, id: path.clientId, kind: 'client' }, now);
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/accounts/{id}/oauth-clients': create,
  'GET /manage/v1/accounts/{id}/oauth-clients': list,
  'DELETE /manage/v1/accounts/{id}/oauth-clients/{clientId}': revoke,
});
