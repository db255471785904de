import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { tenantKey } from '#shared/auth/tenant-items.dynamodb';
import { getItem, type Item, listItems, marshalled, putNewItem, type Table, whenAllowed } from '#shared/table.dynamodb';
import { ACCOUNTS } from '../table-keys.ts';
import { type Account, type Accounts, NewAccount } from './account.ts';

const AccountItem = z.object({
  ...NewAccount.shape,
  id: z.string(),
  active: z.boolean(),
  createdAt: z.string(),
  suspendedAt: z.string().optional(),
  billedIn: NewAccount.shape.billingCurrency.unwrap().optional(),
  deliveriesResumedAt: z.string().optional(),
});
const accountIn = (item: Item): Account => AccountItem.parse(item);

export const accountStore = (table: Table): Accounts => ({
  add: (account) =>
    putNewItem(table, {
      ...tenantKey(account.id),
      ...account,
      list: ACCOUNTS,
      position: `${account.createdAt}#${account.id}`,
    }),

  async byId(id) {
    const item = await getItem(table, tenantKey(id));
    return item && accountIn(item);
  },

  async change(id, change, { active, apiIntegration }) {
    const named = Object.entries(change);
    const removed = named.filter(([, value]) => value === undefined).map(([field]) => `#${field}`);
    const set = named.filter(([, value]) => value !== undefined);
    // An account from before there was the switch has it on.
    const isSwitch = `apiIntegration = :apiIntegrationSeen${apiIntegration ? ' OR attribute_not_exists(apiIntegration)' : ''}`;
    const isFree =
      change.billingCurrency === undefined
        ? ''
        : ' AND (attribute_not_exists(billedIn) OR billedIn = :billingCurrency)';
    const write = await whenAllowed(
      table.client.send(
        new UpdateItemCommand({
          TableName: table.name,
          Key: marshalled(tenantKey(id)),
          ConditionExpression: `active = :activeSeen AND (${isSwitch})${isFree}`,
          UpdateExpression: [
            set.length > 0 ? `SET ${set.map(([field]) => `#${field} = :${field}`).join(', ')}` : '',
            removed.length > 0 ? `REMOVE ${removed.join(', ')}` : '',
          ].join(' '),
          ExpressionAttributeNames: Object.fromEntries(named.map(([field]) => [`#${field}`, field])),
          ExpressionAttributeValues: marshalled({
            ...Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])),
            ':activeSeen': active,
            ':apiIntegrationSeen': apiIntegration,
          }),
          ReturnValues: 'ALL_NEW',
        }),
      ),
    );
    return write.done && write.result.Attributes ? accountIn(unmarshall(write.result.Attributes)) : undefined;
  },

  async list(page) {
    const { items, ...rest } = await listItems(table, ACCOUNTS, page);
    return { ...rest, items: items.map(accountIn) };
  },
});
