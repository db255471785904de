/** PUT and PATCH /manage/v1/api-configurations/{id}: states a configuration anew, or changes some fields; blank secrets stay. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { byMethod, httpHandler, ok } from '#shared/http/http-handler';
import { managementApi, TenantQuery, tenantOf } from '#shared/http/management-api';
import { boundTable } from '#shared/table.dynamodb';
import { readPrivateTargets } from '../sending/target.ts';
import { ConfigurationChange, NewConfiguration } from './configuration-input.ts';
import { configurationStore } from './configuration-store.dynamodb.ts';
import { changeConfiguration, presentConfiguration } from './manage-configurations.ts';
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
const path = z.object({ id: z.string().max(100) });

const save = (body: typeof NewConfiguration | typeof ConfigurationChange) =>
  httpHandler(managementApi, { path, query: TenantQuery, body }, async (call) => {
    const key = { tenant: tenantOf(call.caller, call.query), id: call.path.id, now: call.now };
    return ok(presentConfiguration(await changeConfiguration(saving, call.body, key)));
  });

export const handler = byMethod({ PUT: save(NewConfiguration), PATCH: save(ConfigurationChange) });
