import * as z from 'zod/mini';
import { type Table, wholeList } from '#shared/table/table.dynamodb';
import type { IssuedKey } from './key-rotation.ts';
import { ACCOUNTS } from './tenant.ts';

/** Credentials that are items in a list of each tenant. */
export interface CredentialList {
  /** The kind of the credentials: `conversion key`. */
  readonly what: string;
  readonly table: Table;
  /** The list of a tenant in the index `Listing`. */
  readonly listOf: (tenant: string) => string;
}

const TenantItem = z.object({ id: z.string(), erasure: z.optional(z.unknown()) });
const CredentialItem = z.object({
  id: z.string(),
  /** Absent in credentials that are older than this attribute. */
  secretVersion: z.optional(z.string()),
  revokedAt: z.optional(z.string()),
  expiresAt: z.optional(z.string()),
});

/**
 * All credentials in these lists that are neither revoked nor expired, of every tenant that is not erased. The credentials
 * of a suspended tenant are among them: they are accepted again when it is resumed.
 * @param accounts the table of the tenants
 */
export async function issuedKeys(accounts: Table, lists: readonly CredentialList[], now: number): Promise<IssuedKey[]> {
  const keys: IssuedKey[] = [];
  for await (const tenantItem of wholeList(accounts, ACCOUNTS)) {
    const { id: tenant, erasure } = TenantItem.parse(tenantItem);
    if (erasure !== undefined) continue;
    for (const { what, table, listOf } of lists) {
      for await (const item of wholeList(table, listOf(tenant))) {
        const { id, secretVersion = '1', revokedAt, expiresAt } = CredentialItem.parse(item);
        const isOver = revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) <= now);
        if (!isOver) keys.push({ what: `${what} ${id}`, tenant, secretVersion });
      }
    }
  }
  return keys;
}
