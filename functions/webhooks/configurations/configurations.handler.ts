/** API configurations: where a tenant's webhooks go, how they are retried and how they authenticate. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, ok, okPage } from '#shared/http/http-handler';
import {
  ItemPath,
  locationOf,
  managementApi,
  TenantListQuery,
  TenantQuery,
  tenantOf,
} from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { privateTargets, secretsKey, webhooksTable } from '../environment.ts';
import { readPrivateTargets } from '../sending/target.ts';
import { ConfigurationChange, NewConfiguration } from './configuration-input.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
import {
  changeConfiguration,
  configurationById,
  createConfiguration,
  deleteConfiguration,
  presentConfiguration,
} from './manage-configurations.ts';
import { kmsSecrets } from './secrets.kms.ts';

export const Env = z.object({ ...webhooksTable, ...secretsKey, ...privateTargets });
const env = readEnv(Env);
const configurations = configurationStore(boundTable(env.WEBHOOKS_TABLE));
const { encrypt } = kmsSecrets({ key: env.SECRETS_KEY });
const saving = { configurations, encrypt, privateTargets: readPrivateTargets(env.PRIVATE_TARGETS) };
const one = { path: ItemPath, query: TenantQuery };

const create = httpHandler(managementApi, { query: TenantQuery, body: NewConfiguration }, async (call) => {
  const key = { tenant: tenantOf(call.caller, call.query), id: newId('cfg'), now: call.now };
  const configuration = await createConfiguration(saving, call.body, key);
  const location = locationOf(`api-configurations/${key.id}`, call.query);
  return json(201, presentConfiguration(configuration), { location });
});

const list = httpHandler(managementApi, { query: TenantListQuery }, async ({ caller, query }) =>
  okPage(await configurations.list(tenantOf(caller, query), query), presentConfiguration),
);

const get = httpHandler(managementApi, one, async ({ caller, path, query }) =>
  ok(presentConfiguration(await configurationById(configurations, tenantOf(caller, query), path.id))),
);

const save = (body: typeof NewConfiguration | typeof ConfigurationChange) =>
  httpHandler(managementApi, { ...one, body }, async (call) => {
    const key = { tenant: tenantOf(call.caller, call.query), id: call.path.id, now: call.now };
    return ok(presentConfiguration(await changeConfiguration(saving, call.body, key)));
  });

const remove = httpHandler(managementApi, one, async ({ caller, path, query }) => {
  await deleteConfiguration(configurations, tenantOf(caller, query), path.id);
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
