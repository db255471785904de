import { type TransactWriteItem, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { ACCOUNTS } from '#shared/auth/tenant';
import { tenantKey } from '#shared/auth/tenant-items.dynamodb';
import {
  getItem,
  type Item,
  listItems,
  marshalled,
  putNewItem,
  type Table,
  whenAllowed,
} from '#shared/table/table.dynamodb';
import { type Account, type Accounts, type ErasedAccount, NewAccount, type StoredAccount } from './account.ts';

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

const ErasedItem = z.object({
  id: z.string(),
  active: z.literal(false),
  createdAt: z.string(),
  suspendedAt: z.string(),
  erasure: z.string(),
});
const storedIn = (item: Item): StoredAccount => ('erasure' in item ? ErasedItem.parse(item) : accountIn(item));

const listed = ({ createdAt, id }: StoredAccount) => ({ list: ACCOUNTS, position: `${createdAt}#${id}` });

export const accountStore = (table: Table): Accounts => ({
  add: (account) =>
    putNewItem(table, {
      ...tenantKey(account.id),
      ...account,
      ...listed(account),
    }),

  async byId(id) {
    const item = await getItem(table, tenantKey(id));
    return item && storedIn(item);
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
          ConditionExpression: `attribute_not_exists(erasure) AND active = :activeSeen AND (${isSwitch})${isFree}`,
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
    return { ...rest, items: items.map(storedIn) };
  },
});

/**
 * As a part of the transaction that opens its erasure: of the account nothing stays but its id and times. Refused if it was
 * resumed since it was read, if something is billed, or if it is erased already.
 */
export const erasingAccount = ({ name }: Table, account: ErasedAccount): TransactWriteItem => ({
  Put: {
    TableName: name,
    // Its webhooks are off, so that no event can make runs.
    Item: marshalled({ ...tenantKey(account.id), ...account, apiIntegration: false, ...listed(account) }),
    ConditionExpression:
      'active = :active AND suspendedAt = :suspendedAt AND attribute_not_exists(billedIn) AND attribute_not_exists(erasure)',
    ExpressionAttributeValues: marshalled({ ':active': false, ':suspendedAt': account.suspendedAt }),
  },
});
