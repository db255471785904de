/** Routes of API configurations: the targets of a tenant's webhooks, their retries and their authentication. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, type TenantCall, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { privateTargets, secretsKey, webhooksTable } from '../environment.ts';
import { newSigningSecret } from '../sending/signature.ts';
import { readPrivateTargets } from '../sending/target-policy.ts';
import { configurationById } from './configuration.ts';
import { configurationFaults } from './configuration-faults.ts';
import type { ConfigurationChange } from './configuration-input.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { configurationOperations } from './configurations.operations.ts';
import { changeConfiguration, createConfiguration, deleteConfiguration } from './manage-configurations.ts';
import { presentConfiguration, presentSaved } from './present-configuration.ts';
import { kmsSecrets } from './secrets.kms.ts';

export const Env = z.object({ ...auditTable, ...webhooksTable, ...secretsKey, ...privateTargets });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const configurations = configurationStore(boundTable(env.WEBHOOKS_TABLE));
const { encrypt } = kmsSecrets({ key: env.SECRETS_KEY });
const saving = { configurations, encrypt, newSigningSecret, privateTargets: readPrivateTargets(env.PRIVATE_TARGETS) };
const more = configurationFaults(saving);

const save = {
  more,
  answer: async ({ caller, path, now, body }: TenantCall<ConfigurationChange>) =>
    ok(presentSaved(await changeConfiguration(saving, body, { tenant: caller.tenant, ...path, now }), now)),
};

export const handler = apiRoutes(api, configurationOperations, {
  createApiConfiguration: {
    more,
    answer: async ({ caller, now, body }) => {
      const saved = await createConfiguration(saving, body, { tenant: caller.tenant, id: newId('cfg'), now });
      return created(presentSaved(saved, now), locationOf(`api-configurations/${saved.configuration.id}`, caller));
    },
  },
  listApiConfigurations: async ({ caller, query, now }) =>
    okPage(await configurations.list(caller.tenant, query), (one) => presentConfiguration(one, now)),
  getApiConfiguration: async ({ caller, path, now }) =>
    ok(presentConfiguration(await configurationById(configurations, { tenant: caller.tenant, ...path }), now)),
  replaceApiConfiguration: save,
  changeApiConfiguration: save,
  deleteApiConfiguration: async ({ caller, path }) => {
    await deleteConfiguration(configurations, { tenant: caller.tenant, ...path });
    return noContent();
  },
});
