import { AppItem, appKey, knownApps } from '#shared/loyalty/app-items.dynamodb';
import { listPage, putNewItem, type Table } from '#shared/table/table.dynamodb';
import { assignment, deleteItem, updateItem } from '#shared/table/writes.dynamodb';
import { APPS } from '../table-keys.ts';
import type { Apps } from './manage-apps.ts';

const listOf = (tenant: string) => `${APPS}${tenant}`;

export const appStore = (table: Table): Apps => ({
  add: (app) =>
    putNewItem(table, {
      ...appKey(app.id),
      ...app,
      list: listOf(app.tenant),
      position: `${app.createdAt}#${app.id}`,
    }),

  async byId({ tenant, id }) {
    const app = await knownApps(table).byId(id);
    return app?.tenant === tenant ? app : undefined;
  },

  async change({ tenant, id }, change) {
    const write = await updateItem(table, appKey(id), {
      ...assignment(change),
      condition: IS_OWN,
      values: { ...change, tenant },
      returns: 'ALL_NEW',
    });
    return write.done ? AppItem.parse(write.item) : undefined;
  },

  async remove({ tenant, id }) {
    return (await deleteItem(table, appKey(id), { condition: IS_OWN, values: { tenant } })).done;
  },

  list: (tenant, page) => listPage(table, listOf(tenant), page, (item) => AppItem.parse(item)),
});

/** The condition of a write to the item of an app: it is the tenant's. */
const IS_OWN = 'tenant = :tenant';
