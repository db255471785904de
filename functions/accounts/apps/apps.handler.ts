/** Apps: what calls the loyalty interfaces, with a key and a secret. A tenant makes and changes its own. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv } from '#shared/env';
import { apiRoutes, created, noContent, ok, okPage } from '#shared/http/http-handler';
import { locationOf, tenantApi } from '#shared/http/management-api';
import { newId } from '#shared/ids';
import { boundTable } from '#shared/table/table.dynamodb';
import { accountsTable } from '../environment.ts';
import { appStore } from './app-store.dynamodb.ts';
import { appOperations } from './apps.operations.ts';
import { appById, changeApp, createApp, deleteApp, presentApp, replaceSecret } from './manage-apps.ts';

export const Env = z.object({ ...auditTable, ...accountsTable });
const env = readEnv(Env);
const api = audited(tenantApi, env);
const apps = appStore(boundTable(env.ACCOUNTS_TABLE));

export const handler = apiRoutes(api, appOperations, {
  createApp: async ({ caller, body, now }) => {
    const { app, secret } = await createApp(apps, body, { tenant: caller.tenant, id: newId('app'), now });
    return created({ ...presentApp(app), apiSecret: secret }, locationOf(`loyalty/apps/${app.id}`, caller));
  },
  listApps: async ({ caller, query }) => okPage(await apps.list(caller.tenant, query), presentApp),
  getApp: async ({ caller, path }) => ok(presentApp(await appById(apps, { tenant: caller.tenant, id: path.id }))),
  changeApp: async ({ caller, path, body }) =>
    ok(presentApp(await changeApp(apps, { tenant: caller.tenant, id: path.id }, body))),
  deleteApp: async ({ caller, path }) => {
    await deleteApp(apps, { tenant: caller.tenant, id: path.id });
    return noContent();
  },
  replaceAppSecret: async ({ caller, path }) => {
    const { app, secret } = await replaceSecret(apps, { tenant: caller.tenant, id: path.id });
    return created({ ...presentApp(app), apiSecret: secret }, locationOf(`loyalty/apps/${app.id}`, caller));
  },
});
