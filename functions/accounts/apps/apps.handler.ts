/** Apps: what calls the loyalty interfaces, with a key and a secret. A tenant makes and changes its own. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { httpHandler, httpRoutes, json, noContent, ok, okPage } from '#shared/http/http-handler';
import { ItemPath, locationOf, tenantApi } from '#shared/http/management-api';
import { PageQuery } from '#shared/http/page';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { AppChange, NewApp } from './app-settings.ts';
import { appStore } from './app-store.dynamodb.ts';
import { appById, changeApp, createApp, deleteApp, presentApp, replaceSecret } from './manage-apps.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const apps = appStore(boundTable(env.ACCOUNTS_TABLE));
const one = { path: ItemPath };

const create = httpHandler(api, { body: NewApp }, async ({ caller, body, now }) => {
  const { app, secret } = await createApp(apps, body, { tenant: caller.tenant, id: newId('app'), now });
  const location = locationOf(`loyalty/apps/${app.id}`, caller);
  return json(201, { ...presentApp(app), apiSecret: secret }, { location });
});

const list = httpHandler(api, { query: PageQuery }, async ({ caller, query }) =>
  okPage(await apps.list(caller.tenant, query), presentApp),
);

const get = httpHandler(api, one, async ({ caller, path }) =>
  ok(presentApp(await appById(apps, { tenant: caller.tenant, id: path.id }))),
);

const change = httpHandler(api, { ...one, body: AppChange }, async ({ caller, path, body }) =>
  ok(presentApp(await changeApp(apps, { tenant: caller.tenant, id: path.id }, body))),
);

const remove = httpHandler(api, one, async ({ caller, path }) => {
  await deleteApp(apps, { tenant: caller.tenant, id: path.id });
  return noContent();
});

const newSecret = httpHandler(api, one, async ({ caller, path }) => {
  const { app, secret } = await replaceSecret(apps, { tenant: caller.tenant, id: path.id });
  return json(201, { ...presentApp(app), apiSecret: secret });
});

export const handler = httpRoutes({
  'POST /manage/v1/loyalty/apps': create,
  'GET /manage/v1/loyalty/apps': list,
  'GET /manage/v1/loyalty/apps/{id}': get,
  'PATCH /manage/v1/loyalty/apps/{id}': change,
  'DELETE /manage/v1/loyalty/apps/{id}': remove,
  'POST /manage/v1/loyalty/apps/{id}/secret': newSecret,
});
