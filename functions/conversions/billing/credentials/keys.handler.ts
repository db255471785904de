/** Conversion keys of a tenant, which the tenant or an operator creates, lists and revokes. A key is shown once. */
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
import { createCredential, presentKey, revokeCredential } from './credential.ts';
import { credentialStore } from './credential-store.dynamodb.ts';
import { conversionKeyOperations } from './keys.operations.ts';

export const Env = z.object({ ...auditTable, ...accountsTable, ...conversionsTable, ...keySecret });
const env = readEnv(Env);
const api = audited(managementApi, env);
const tables = { accounts: boundTable(env.ACCOUNTS_TABLE), conversions: boundTable(env.CONVERSIONS_TABLE) };
const credentials = credentialStore(tables.conversions);
const secretsAt = keySecrets(env.KEY_SECRETS);

export const handler = apiRoutes(api, conversionKeyOperations, {
  createConversionKey: async ({ caller, path: { id: tenant }, body, now }) => {
    requireTenant(caller, tenant);
    await provisionedAccount(tables, tenant, now);
    const secrets = await secretsAt.issuing(now);
    const request = { ...body, tenant, kind: 'key', by: actorOf(caller) } as const;
    const { credential, secret } = await createCredential(credentials, request, { secrets, now });
    return created({ ...presentKey(credential), key: secret }, `/manage/v1/accounts/${tenant}/keys/${credential.id}`);
  },
  listConversionKeys: async ({ caller, path, query }) => {
    requireTenant(caller, path.id);
    return okPage(await credentials.list(path.id, 'key', query), presentKey);
  },
  revokeConversionKey: async ({ caller, path, now }) => {
    requireTenant(caller, path.id);
    await revokeCredential(credentials, { tenant: path.id, id: path.keyId, kind: 'key' }, now);
    return noContent();
  },
});
