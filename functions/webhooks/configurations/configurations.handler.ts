/** Routes of API configurations: the targets of a tenant's webhooks, their retries and their authentication. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { created, httpHandler, httpRoutes, noContent, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { privateTargets, secretsKey, webhooksTable } from '../environment.ts';
import { newSigningSecret } from '../sending/signature.ts';
import { readPrivateTargets } from '../sending/target.ts';
import { configurationById } from './configuration.ts';
import { configurationFaults } from './configuration-faults.ts';
import { ConfigurationChange, NewConfiguration } from './configuration-input.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
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

const create = httpHandler(api, { body: NewConfiguration, more }, async ({ caller, now, body }) => {
  const saved = await createConfiguration(saving, body, { tenant: caller.tenant, id: newId('cfg'), now });
  return created(presentSaved(saved, now), locationOf(`api-configurations/${saved.configuration.id}`, caller));
});

const list = httpHandler(api, { query: PageQuery }, async ({ caller, query, now }) =>
  okPage(await configurations.list(caller.tenant, query), (one) => presentConfiguration(one, now)),
);

const get = httpHandler(api, { path: ItemPath }, async ({ caller, path, now }) =>
  ok(presentConfiguration(await configurationById(configurations, { tenant: caller.tenant, ...path }), now)),
);

const save = (body: typeof NewConfiguration | typeof ConfigurationChange) =>
  httpHandler(api, { path: ItemPath, body, more }, async ({ caller, path, now, body: change }) =>
    ok(presentSaved(await changeConfiguration(saving, change, { tenant: caller.tenant, ...path, now }), now)),
  );

const remove = httpHandler(api, { path: ItemPath }, async ({ caller, path }) => {
  await deleteConfiguration(configurations, { tenant: caller.tenant, ...path });
  return noContent();
});

export const handler = httpRoutes({
  'POST /manage/v1/api-configurations': create,
  'GET /manage/v1/api-configurations': list,
  'GET /manage/v1/api-configurations/{id}': get,
  'PUT /manage/v1/api-configurations/{id}': save(NewConfiguration),
  'PATCH /manage/v1/api-configurations/{id}': save(ConfigurationChange),
  'DELETE /manage/v1/api-configurations/{id}': remove,
});
