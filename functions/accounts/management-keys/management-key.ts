import * as z from 'zod';
import { MANAGEMENT_KEY_KIND } from '#shared/auth/management-key';
import { SCOPES } from '#shared/auth/management-scope';
import { type KeySecrets, newKey, randomLetters } from '#shared/auth/self-proving-key';
import { Refusal } from '#shared/errors';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';
import { isoTime } from '#shared/timestamp';

export const NewManagementKey = z.strictObject({
  name: z.string().trim().min(1).max(50),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'names a scope twice'),
});
export type NewManagementKey = z.output<typeof NewManagementKey>;

const ID_LETTERS = 16;
export const ManagementKeyId = z.string().regex(/^[a-z0-9]{16}$/);

/** A management key without its secret: what is stored. */
export interface ManagementKey extends NewManagementKey {
  readonly id: string;
  readonly tenant: string;
  /** Of the whole key. */
  readonly hash: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
}

export interface ManagementKeys {
  /** False if this id exists already. */
  add(key: ManagementKey): Promise<boolean>;
  list(tenant: string, page: PageQuery): Promise<Page<ManagementKey>>;
  /** False if the tenant has no such key. */
  revoke(key: TenantKey, now: number): Promise<boolean>;
}

interface Owner {
  readonly tenant: string;
  readonly secrets: KeySecrets;
}

/** Makes a key. It is returned here and never again. */
export async function createManagementKey(
  keys: ManagementKeys,
  { tenant, secrets }: Owner,
  stated: NewManagementKey,
  now: number,
): Promise<{ key: string; stored: ManagementKey }> {
  const id = randomLetters(ID_LETTERS);
  const { key, hash } = newKey({ kind: MANAGEMENT_KEY_KIND, tenant, id }, secrets);
  const stored: ManagementKey = { ...stated, id, tenant, hash, createdAt: isoTime(now) };
  if (!(await keys.add(stored))) throw new Error('Two keys with random ids of 82 bits have the same id.');
  return { key, stored };
}

/** Revokes a key for good. The gateway may repeat what the authoriser said of it for up to a minute more. */
export async function revokeManagementKey(keys: ManagementKeys, key: TenantKey, now: number): Promise<void> {
  if (!(await keys.revoke(key, now))) throw new Refusal(404, 'not-found', 'There is no such key.');
}

/** The key as the management API shows it. */
export const presentManagementKey = (key: ManagementKey) => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  createdAt: key.createdAt,
  ...(key.revokedAt && { revokedAt: key.revokedAt }),
});
