import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { Actor } from '#shared/audit/audit-line';
import { isoTime } from '#shared/formats/timestamp';
import { type Item, listPage, readItem, type Table, transact } from '#shared/table/table.dynamodb';
import { EXISTS, IS_NEW, putWrite, updateWrite } from '#shared/table/writes.dynamodb';
import { CREDENTIALS } from '../../table-keys.ts';
import { INLINE_MAX } from '../balances/account.ts';
import { credentialItem } from '../balances/account-item.dynamodb.ts';
import { meterKey, readAccount } from '../balances/account-store.dynamodb.ts';
import { isOverflowId } from '../metering/admission.ts';
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
    const item = {
      ...credentialKey(credential.id),
      ...credential,
      list: listOf(credential.tenant, credential.kind),
      position: `${credential.createdAt}#${credential.id}`,
    };
    const put = putWrite(table.name, item, IS_NEW);
    return (await transact(table, isInline ? [put, inlined(table.name, credential)] : [put])).done;
  },

  list: (tenant, kind, page) => listPage(table, listOf(tenant, kind), page, credentialIn),

  async revoke({ tenant, id, kind }, now) {
    const credential = await readItem(table, credentialKey(id), credentialIn);
    if (credential?.tenant !== tenant || credential.kind !== kind) return false;
    if (credential.revokedAt !== undefined) return true;
    const update = updateWrite(table.name, credentialKey(id), {
      change: 'SET revokedAt = if_not_exists(revokedAt, :now)',
      ...EXISTS,
      values: { now: isoTime(now) },
    });
    await transact(table, isOverflowId(id) ? [update] : [update, removed(table.name, { tenant, id })]);
    return true;
  },
});

/** The update that adds the credential to the account's item, which holds a bounded number of them. */
const inlined = (tableName: string, { tenant, id, mode, hash }: Credential): TransactWriteItem =>
  updateWrite(tableName, meterKey(tenant), {
    change: 'SET ks.#id = :entry',
    condition: 'attribute_exists(pk) AND attribute_not_exists(ks.#id) AND size(ks) < :max',
    names: { id },
    values: { entry: credentialItem({ mode, state: 'active', hash }), max: INLINE_MAX },
  });

/**
 * The update that removes a revoked credential from the account's item: a missing credential is refused like one that
 * never existed.
 */
const removed = (tableName: string, { tenant, id }: { tenant: string; id: string }): TransactWriteItem =>
  updateWrite(tableName, meterKey(tenant), { change: 'REMOVE ks.#id', names: { id }, ...EXISTS });
