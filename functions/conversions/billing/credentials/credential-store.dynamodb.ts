import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { Actor } from '#shared/audit/audit-line';
import { isoTime } from '#shared/formats/timestamp';
import { getItem, type Item, listItems, marshalled, type Table, transact } from '#shared/table/table.dynamodb';
import { CREDENTIALS } from '../../table-keys.ts';
import { INLINE_MAX } from '../balances/account.ts';
import { credentialItem } from '../balances/account-item.dynamodb.ts';
import { meterKey, readAccount } from '../balances/account-store.dynamodb.ts';
import { isOutside } from '../metering/admission.ts';
import { credentialKey } from '../metering/meter-store.dynamodb.ts';
import type { Credential, Credentials } from './credential.ts';

const CredentialItem = z.object({
  id: z.string(),
  tenant: z.string(),
  kind: z.enum(['key', 'client']),
  mode: z.enum(['live', 'test']),
  name: z.string().optional(),
  hash: z.string(),
  secretVersion: z.string().optional(),
  createdAt: z.string(),
  createdBy: z.optional(Actor),
  revokedAt: z.string().optional(),
  lastUsedAt: z.string().optional(),
});
const credentialIn = (item: Item): Credential => CredentialItem.parse(item);

const listOf = (tenant: string, kind: Credential['kind']) => `${CREDENTIALS}${tenant}#${kind}`;

/**
 * Stores each credential as an item of its own, for lists. Up to `INLINE_MAX` of an account are also in the account's
 * item, where the meter reads them.
 */
export const credentialStore = (table: Table): Credentials => ({
  async inline(tenant) {
    const item = await readAccount(table, tenant);
    return item && Object.keys(item.credentials).length;
  },

  async add(credential, isInline) {
    const put = {
      Put: {
        TableName: table.name,
        Item: marshalled({
          ...credentialKey(credential.id),
          ...credential,
          list: listOf(credential.tenant, credential.kind),
          position: `${credential.createdAt}#${credential.id}`,
        }),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    };
    return (await transact(table, isInline ? [put, inlined(table.name, credential)] : [put])).done;
  },

  async list(tenant, kind, page) {
    const { items, ...rest } = await listItems(table, listOf(tenant, kind), page);
    return { ...rest, items: items.map(credentialIn) };
  },

  async revoke({ tenant, id, kind }, now) {
    const item = await getItem(table, credentialKey(id));
    if (!item) return false;
    const credential = credentialIn(item);
    if (credential.tenant !== tenant || credential.kind !== kind) return false;
    if (credential.revokedAt !== undefined) return true;
    const update = {
      Update: {
        TableName: table.name,
        Key: marshall(credentialKey(id)),
        UpdateExpression: 'SET revokedAt = if_not_exists(revokedAt, :now)',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: marshall({ ':now': isoTime(now) }),
      },
    };
    await transact(table, isOutside(id) ? [update] : [update, removed(table.name, { tenant, id })]);
    return true;
  },
});

/** The update that adds the credential to the account's item, which holds a bounded number of them. */
function inlined(TableName: string, { tenant, id, mode, hash }: Credential): TransactWriteItem {
  return {
    Update: {
      TableName,
      Key: marshall(meterKey(tenant)),
      UpdateExpression: 'SET ks.#id = :entry',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(ks.#id) AND size(ks) < :max',
      ExpressionAttributeNames: { '#id': id },
      ExpressionAttributeValues: marshall({
        ':entry': credentialItem({ mode, state: 'active', hash }),
        ':max': INLINE_MAX,
      }),
    },
  };
}

/**
 * The update that removes a revoked credential from the account's item: a missing credential is refused like one that
 * never existed.
 */
const removed = (TableName: string, { tenant, id }: { tenant: string; id: string }): TransactWriteItem => ({
  Update: {
    TableName,
    Key: marshall(meterKey(tenant)),
    UpdateExpression: 'REMOVE ks.#id',
    ExpressionAttributeNames: { '#id': id },
    ConditionExpression: 'attribute_exists(pk)',
  },
});
