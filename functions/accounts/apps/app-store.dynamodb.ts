import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { TenantKey } from '#shared/ids';
import { AppItem, appKey, knownApps } from '#shared/loyalty/app-items.dynamodb';
import { listItems, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table/table.dynamodb';
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

  async change(key, change) {
    const fields = Object.entries(change);
    const write = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          ...ownedBy(table, key, Object.fromEntries(fields.map(([field, value]) => [`:${field}`, value]))),
          UpdateExpression: `SET ${fields.map(([field]) => `#${field} = :${field}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(fields.map(([field]) => [`#${field}`, field])),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return write.done ? AppItem.parse(unmarshall(write.result.Attributes ?? {})) : undefined;
  },

  async remove(key) {
    const command = new DeleteItemCommand(ownedBy(table, key));
    return (await whenAllowed(table.client.send(command))).done;
  },

  async list(tenant, page) {
    const { items, ...rest } = await listItems(table, listOf(tenant), page);
    return { ...rest, items: items.map((item) => AppItem.parse(item)) };
  },
});

/** A write to the item of an app, if it is the tenant's. @param values of the write's own expressions */
const ownedBy = (table: Table, { tenant, id }: TenantKey, values: object = {}) => ({
  TableName: table.name,
  Key: marshalled(appKey(id)),
  ConditionExpression: 'tenant = :tenant',
  ExpressionAttributeValues: marshalled({ ...values, ':tenant': tenant }),
});
