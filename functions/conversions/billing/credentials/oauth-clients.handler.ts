/**
 * Test OAuth clients of a tenant, which the tenant or an operator creates, lists and revokes. `oauth/` issues their
 * tokens.
 */
import * as z from 'zod';
import { actorOf } from '#shared/audit/actor';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { keySecrets } from '#shared/auth/key-secrets.secretsmanager';
import { requireTenant } from '#shared/auth/management-caller';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, okPage } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable, conversionsTable, keySecret } from '../../environment.ts';
import { provisionedAccount } from '../plans/provisioned-account.dynamodb.ts';
import { createCredential, presentClient, revokeCredential } from './credential.ts';
import { credentialStore } from './credential-store.dynamodb.ts';
import { oauthClientOperations } from './oauth-clients.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...conversionsTable, ...keySecret });
const env = readEnv(Env);
const api = audited(managementApi, env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };
const credentials = credentialStore(tables.conversions);
const secretsAt = keySecrets(env.KEY_SECRETS);

export const handler = apiRoutes(api, oauthClientOperations, {
  createOAuthClient: async ({ caller, path: { id: tenant }, now }) => {
    requireTenant(caller, tenant);
    await provisionedAccount(tables, tenant, now);
    const request = { tenant, kind: 'client', mode: 'test', by: actorOf(caller) } as const;
    const secrets = await secretsAt.issuing(now);
    const { credential, secret } = await createCredential(credentials, request, { secrets, now });
    const location = `/manage/v1/accounts/${tenant}/oauth-clients/${credential.id}`;
    return created({ ...presentClient(credential), clientSecret: secret }, location);
  },
  listOAuthClients: async ({ caller, path, query }) => {
    requireTenant(caller, path.id);
    return okPage(await credentials.list(path.id, 'client', query), presentClient);
  },
  revokeOAuthClient: async ({ caller, path, now }) => {
    requireTenant(caller, path.id);
    await revokeCredential(credentials, { tenant: path.id, id: path.clientId, kind: 'client' }, now);
    return noContent();
  },
});
