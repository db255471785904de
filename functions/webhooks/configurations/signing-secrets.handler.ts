/** /manage/v1/api-configurations/{id}/signing-secret: rotates the signing secret and ends the previous ones. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, noContent, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { boundTable } from '#shared/table/table.dynamodb';
import { secretsKey, webhooksTable } from '../environment.ts';
import { newSigningSecret } from '../sending/signature.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { endPreviousSecrets, rotateSigningSecret } from './manage-signing.ts';
import { presentSaved } from './present-configuration.ts';
import { kmsSecrets } from './secrets.kms.ts';
import { signingSecretOperations } from './signing-secrets.operations.ts';

export const Env = z.object({ ...auditTable, ...webhooksTable, ...secretsKey });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const { encrypt } = kmsSecrets({ key: env.SECRETS_KEY });
const rotating = { configurations: configurationStore(boundTable(env.WEBHOOKS_TABLE)), encrypt, newSigningSecret };

export const handler = apiRoutes(api, signingSecretOperations, {
  rotateSigningSecret: async ({ caller, path, now }) =>
    ok(presentSaved(await rotateSigningSecret(rotating, { tenant: caller.tenant, ...path, now }), now)),
  endPreviousSigningSecrets: async ({ caller, path, now }) => {
    await endPreviousSecrets(rotating.configurations, { tenant: caller.tenant, ...path, now });
    return noContent();
  },
});
