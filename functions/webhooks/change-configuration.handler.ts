/** PATCH /manage/v1/api-configurations/{id}: changes the named fields of a configuration. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { ConfigurationChange } from './configurations/configuration-input.ts';
import { changeConfiguration, presentConfiguration } from './configurations/manage-configurations.ts';
import { kmsSecrets } from './secrets.kms.ts';
import { readPrivateTargets } from './sending/target.ts';

const Env = z.object({
  WEBHOOKS_TABLE: z.string().min(1),
  SECRETS_KEY: z.string().min(1),
  PRIVATE_TARGETS: z.string(),
});
export type Env = z.input<typeof Env>;

const env = readEnv(Env);
const saving = {
  configurations: configurationStore(boundTable(env.WEBHOOKS_TABLE)),
  encrypt: kmsSecrets({ key: env.SECRETS_KEY }).encrypt,
  privateTargets: readPrivateTargets(env.PRIVATE_TARGETS),
};
const input = { path: z.object({ id: z.string().max(100) }), query: TenantQuery, body: ConfigurationChange };

export const handler = httpHandler(managementApi, input, async ({ caller, path, query, body, now }) => {
  const save = { tenant: tenantOf(caller, query), id: path.id, now };
  return ok(presentConfiguration(await changeConfiguration(saving, body, save)));
});
