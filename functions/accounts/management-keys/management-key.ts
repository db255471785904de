import * as z from 'zod';
import { type Actor, presentActor } from '#shared/audit/audit-line';
import { MANAGEMENT_KEY_KIND } from '#shared/auth/management-key';
import { SCOPES } from '#shared/auth/management-key-scope';
import { type KeySecrets, newKey, randomLetters } from '#shared/auth/self-proving-key';
import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { faultOf } from '#shared/http/invalid-input';
import { moreFaults } from '#shared/http/more-faults';
import type { Page, PageQuery } from '#shared/http/page';
import type { TenantKey } from '#shared/ids';

export const ManagementScope = z
  .enum(SCOPES)
  .meta({ id: 'ManagementScope', description: 'What a key allows. `manage` includes the others.' });

export const NewManagementKey = z
  .strictObject({
    name: z.string().trim().min(1).max(50),
    scopes: z
      .array(ManagementScope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must not repeat a scope'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'must be a time, such as 2027-01-31T00:00:00Z' })
      .optional()
      .describe('Absent: the key never expires.'),
  })
  .meta({ id: 'NewManagementKey' });
export type NewManagementKey = z.output<typeof NewManagementKey>;

/** The checks of a creation besides the schema. */
export const newKeyFaults = moreFaults(NewManagementKey.pick({ expiresAt: true }), (sound, { now }) => [
  () => expiryOf(sound, now),
]);

const ID_LETTERS = 16;
export const ManagementKeyId = z.string().regex(/^[a-z0-9]{16}$/);

/** A management key without its secret: what is stored. */
export interface ManagementKey extends NewManagementKey {
  readonly id: string;
  readonly tenant: string;
  /** The hash of the whole key. */
  readonly hash: string;
  /** The version of the secret that proves the key. */
  readonly secretVersion?: string | undefined;
  readonly createdAt: string;
  /** Absent in keys that were made before it was stored. */
  readonly createdBy?: Actor | undefined;
  readonly revokedAt?: string | undefined;
  /** The time of the last use, to within an hour and a minute. */
  readonly lastUsedAt?: string | undefined;
}

export interface ManagementKeys {
  /** False if this id exists already. */
  add(key: ManagementKey): Promise<boolean>;
  list(tenant: string, page: PageQuery): Promise<Page<ManagementKey>>;
  /** False if the tenant has no such key. */
  revoke(key: TenantKey, now: number): Promise<boolean>;
}

interface Making {
  readonly tenant: string;
  readonly secrets: KeySecrets;
  /** The person or key that creates the key. */
  readonly by: Actor;
}

/** Makes a key. It is returned here and never again. */
export async function createManagementKey(
  keys: ManagementKeys,
  { tenant, secrets, by }: Making,
  input: NewManagementKey,
  now: number,
): Promise<{ key: string; stored: ManagementKey }> {
  const expiresAt = expiryOf(input, now);
  const id = randomLetters(ID_LETTERS);
  const { key, hash, secretVersion } = newKey({ kind: MANAGEMENT_KEY_KIND, tenant, id }, secrets);
  const stored: ManagementKey = {
    name: input.name,
    scopes: input.scopes,
    ...(expiresAt !== undefined && { expiresAt }),
    id,
    tenant,
    hash,
    secretVersion,
    createdAt: isoTime(now),
    createdBy: by,
  };
  if (!(await keys.add(stored))) throw new Error('Two keys with random ids of 82 bits have the same id.');
  return { key, stored };
}

/** Returns when the key expires. Refuses a time in the past. */
function expiryOf({ expiresAt }: Pick<NewManagementKey, 'expiresAt'>, now: number): string | undefined {
  if (expiresAt === undefined) return undefined;
  const at = Date.parse(expiresAt);
  if (at <= now) throw faultOf('expiresAt', 'must be in the future');
  return isoTime(at);
}

/** Revokes a key for good. */
export async function revokeManagementKey(keys: ManagementKeys, key: TenantKey, now: number): Promise<void> {
  if (!(await keys.revoke(key, now))) noSuch('key');
}

/** The key as the management API shows it. */
export const presentManagementKey = (key: ManagementKey) => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  createdAt: key.createdAt,
  createdBy: key.createdBy ? presentActor(key.createdBy) : null,
  lastUsedAt: key.lastUsedAt ?? null,
  expiresAt: key.expiresAt ?? null,
  ...(key.revokedAt && { revokedAt: key.revokedAt }),
});
