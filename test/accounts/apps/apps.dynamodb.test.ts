import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appStore } from '../../../functions/accounts/apps/app-store.dynamodb.ts';
import {
  appById,
  changeApp,
  createApp,
  deleteApp,
  presentApp,
  replaceSecret,
} from '../../../functions/accounts/apps/manage-apps.ts';
import { newId } from '../../../shared/ids.ts';
import { AppSettings } from '../../../shared/loyalty/app.ts';
import { knownApps } from '../../../shared/loyalty/app-items.dynamodb.ts';
import { isAppSecret } from '../../../shared/loyalty/app-secret.ts';
import { putNewItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'apps');
});
afterAll(() => endpoint.close());

let second = 0;
function made(tenant: string, settings: object = {}) {
  second += 1;
  const key = { tenant, id: newId('app'), now: Date.UTC(2026, 0, 1, 0, 0, second) };
  return createApp(appStore(table), AppSettings.parse({ name: `App ${second}`, ...settings }), key);
}
const accepts = async (id: string, secret: string) => {
  const app = await knownApps(table).byId(id);
  return app !== undefined && isAppSecret(secret, app.secretHash);
};
const missing = { status: 404, code: 'not-found' };

describe('apps in DynamoDB', () => {
  it('are known by their key with tenant and settings, and the secret itself is stored nowhere', async () => {
    const { app, secret } = await made('acme', { limit: 7, distanceUnit: 'mi' });
    expect(await knownApps(table).byId(app.id)).toMatchObject({ ...app, limit: 7, distanceUnit: 'mi' });
    expect(await accepts(app.id, secret)).toBe(true);
    expect(await knownApps(table).byId('other')).toBeUndefined();
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }));
    expect(JSON.stringify(Items)).not.toContain(secret);
  });

  it('are shown without what their secret is recognised by', async () => {
    const { app } = await made('shown');
    const view = presentApp(await appById(appStore(table), app));
    expect(view).toEqual({
      id: app.id,
      apiKey: app.id,
      ...AppSettings.parse({ name: app.name }),
      createdAt: app.createdAt,
    });
  });

  it('change in what a change names, and in nothing else', async () => {
    const { app, secret } = await made('changed');
    const changed = await changeApp(appStore(table), app, { limit: 3, placesEnabled: false, name: 'New' });
    expect(changed).toMatchObject({ ...app, limit: 3, placesEnabled: false, name: 'New' });
    expect(await appById(appStore(table), app)).toEqual(changed);
    expect(await accepts(app.id, secret)).toBe(true);
  });

  it('lose no change of one setting to a change of another at the same time', async () => {
    const { app } = await made('raced');
    const changes = [{ limit: 3 }, { radiusMeters: 9 }, { checkInsPerDay: 4 }, { imagesEnabled: false }];
    await Promise.all(changes.map((change) => changeApp(appStore(table), app, change)));
    expect(await appById(appStore(table), app)).toMatchObject(Object.assign({}, ...changes));
  });

  it('have one secret at a time', async () => {
    const { app, secret } = await made('rotated');
    const replaced = await replaceSecret(appStore(table), app);
    expect(await accepts(app.id, secret)).toBe(false);
    expect(await accepts(app.id, replaced.secret)).toBe(true);
  });

  it('of another tenant look like apps that do not exist, and stay as they are', async () => {
    const { app, secret } = await made('owner');
    for (const key of [
      { tenant: 'other', id: app.id },
      { tenant: 'owner', id: 'missing' },
    ]) {
      await expect(appById(appStore(table), key)).rejects.toMatchObject(missing);
      await expect(changeApp(appStore(table), key, { limit: 1 })).rejects.toMatchObject(missing);
      await expect(replaceSecret(appStore(table), key)).rejects.toMatchObject(missing);
      await expect(deleteApp(appStore(table), key)).rejects.toMatchObject(missing);
    }
    expect(await appById(appStore(table), app)).toMatchObject(app);
    expect(await accepts(app.id, secret)).toBe(true);
  });

  it('that are deleted are unknown, and no late change brings them back', async () => {
    const { app } = await made('mortal');
    await Promise.allSettled([
      deleteApp(appStore(table), app),
      changeApp(appStore(table), app, { limit: 1 }),
      replaceSecret(appStore(table), app),
    ]);
    expect(await knownApps(table).byId(app.id)).toBeUndefined();
    await expect(deleteApp(appStore(table), app)).rejects.toMatchObject(missing);
  });

  it('are listed newest first, page by page, each once, for their tenant', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await made('listed')).app.id);
    await made('unlisted');
    const listedIds: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await appStore(table).list('listed', { limit: 2, ...(cursor && { cursor }) });
      listedIds.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(listedIds).toEqual(ids);
  });

  it('that were stored before a setting existed have its default', async () => {
    const old = { id: 'app_old', tenant: 'old', name: 'Old', createdAt: '2026-01-01T00:00:00.000Z', secretHash: 'x' };
    await putNewItem(table, { pk: 'APP#app_old', sk: 'APP', ...old });
    expect(await knownApps(table).byId('app_old')).toEqual({ ...old, ...AppSettings.parse({ name: 'Old' }) });
  });
});
