import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { ACCOUNTS } from '#shared/auth/tenant';
import { tenantKey } from '#shared/auth/tenant-items.dynamodb';
import { type Item, listPage, putNewItem, readItem, type Table } from '#shared/table/table.dynamodb';
import { assignment, putWrite, updateItem } from '#shared/table/writes.dynamodb';
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
  add: (account) => putNewItem(table, { ...tenantKey(account.id), ...account, ...listed(account) }),

  byId: (id) => readItem(table, tenantKey(id), storedIn),

  async change(id, change, { active, apiIntegration }) {
    // An account from before there was the switch has it on.
    const isSwitch = `apiIntegration = :apiIntegrationSeen${apiIntegration ? ' OR attribute_not_exists(apiIntegration)' : ''}`;
    const isFree =
      change.billingCurrency === undefined
        ? ''
        : ' AND (attribute_not_exists(billedIn) OR billedIn = :billingCurrency)';
    const write = await updateItem(table, tenantKey(id), {
      ...assignment(change),
      condition: `attribute_not_exists(erasure) AND active = :activeSeen AND (${isSwitch})${isFree}`,
      values: { ...change, activeSeen: active, apiIntegrationSeen: apiIntegration },
      returns: 'ALL_NEW',
    });
    return write.done ? accountIn(write.item) : undefined;
  },

  list: (page) => listPage(table, ACCOUNTS, page, storedIn),
});

/**
 * As a part of the transaction that opens its erasure: of the account nothing stays but its id and times. Refused if it was
 * resumed since it was read, if something is billed, or if it is erased already.
 */
export function erasingAccount({ name }: Table, account: ErasedAccount): TransactWriteItem {
  // Its webhooks are off, so that no event can make runs.
  const item = { ...tenantKey(account.id), ...account, apiIntegration: false, ...listed(account) };
  return putWrite(name, item, {
    condition:
      'active = :active AND suspendedAt = :suspendedAt AND attribute_not_exists(billedIn) AND attribute_not_exists(erasure)',
    values: { active: false, suspendedAt: account.suspendedAt },
  });
}
