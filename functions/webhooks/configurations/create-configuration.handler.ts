/** POST /manage/v1/api-configurations: a tenant says where webhooks go, how they are retried and how they authenticate. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpHandler, json } from '#shared/http/http-handler';
import { locationOf, managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table.dynamodb';
import { readPrivateTargets } from '../sending/target.ts';
import { NewConfiguration } from './configuration-input.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { createConfiguration, presentConfiguration } from './manage-configurations.ts';
import { kmsSecrets } from './secrets.kms.ts';

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
const input = { query: TenantQuery, body: NewConfiguration };

export const handler = httpHandler(managementApi, input, async ({ caller, query, body, now }) => {
  const save = { tenant: tenantOf(caller, query), id: newId('cfg'), now };
  const configuration = await createConfiguration(saving, body, save);
  return json(201, presentConfiguration(configuration), {
    location: locationOf(`api-configurations/${save.id}`, query),
  });
});
