import * as z from 'zod';
import { type Actor, presentActor } from '#shared/audit/audit-line';
import { type KeySecrets, newKey, randomLetters } from '#shared/auth/self-proving-key';
import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Page, PageQuery } from '#shared/http/page';
import { INLINE_MAX, type Mode } from '../balances/account.ts';
import { OVERFLOW_PREFIX } from '../metering/admission.ts';
import { CLIENT_SECRET_KIND, KEY_KINDS } from './credential-kinds.ts';

export const NewConversionKey = z
  .strictObject({
    mode: z.enum(['live', 'test']),
    name: z.string().trim().min(1).max(50).optional(),
  })
  .meta({ id: 'NewConversionKey' });

/** A key or an OAuth client without its secret, as it is stored and shown. */
export interface Credential {
  readonly id: string;
  readonly tenant: string;
  readonly kind: 'key' | 'client';
  readonly mode: Mode;
  readonly name?: string | undefined;
  readonly hash: string;
  /** The version of the secret that proves the credential. Absent in older ones, which version 1 proves. */
  readonly secretVersion?: string | undefined;
  readonly createdAt: string;
  /** Absent in credentials that a command made, or that are older than this member. */
  readonly createdBy?: Actor | undefined;
  readonly revokedAt?: string;
  /** The first use in the last hour with one; absent before the first use. */
  readonly lastUsedAt?: string | undefined;
}

export interface Credentials {
  /** Returns the number of credentials in the account's item; undefined if there is no such account. */
  inline(tenant: string): Promise<number | undefined>;
  /**
   * Stores a credential; false if the account's item has become full.
   * @param isInline whether it is stored in that item
   */
  add(credential: Credential, isInline: boolean): Promise<boolean>;
  list(tenant: string, kind: Credential['kind'], page: PageQuery): Promise<Page<Credential>>;
  /** Revokes a credential; false if the tenant has no such credential. */
  revoke(credential: { tenant: string; id: string; kind: Credential['kind'] }, now: number): Promise<boolean>;
}

interface CredentialRequest {
  readonly tenant: string;
  readonly kind: Credential['kind'];
  readonly mode: Mode;
  readonly name?: string | undefined;
  /** The person or key that creates it. @default a command */
  readonly by?: Actor;
}

/** Creates a key or a client. The secret is returned here and never again. */
export async function createCredential(
  credentials: Credentials,
  { tenant, kind, mode, name, by }: CredentialRequest,
  { secrets, now }: { readonly secrets: KeySecrets; readonly now: number },
): Promise<{ readonly credential: Credential; readonly secret: string }> {
  const inline = await credentials.inline(tenant);
  if (inline === undefined) noSuch('account');
  for (const isInline of inline < INLINE_MAX ? [true, false] : [false]) {
    const id = `${isInline ? 'k' : OVERFLOW_PREFIX}${randomLetters(9)}`;
    const keyKind = kind === 'client' ? CLIENT_SECRET_KIND : KEY_KINDS[mode];
    const { key, hash, secretVersion } = newKey({ kind: keyKind, tenant, id }, secrets);
    const own = { ...(name !== undefined && { name }), ...(by && { createdBy: by }) };
    const credential: Credential = { id, tenant, kind, mode, hash, secretVersion, createdAt: isoTime(now), ...own };
    if (await credentials.add(credential, isInline)) return { credential, secret: key };
  }
  throw new Error(`Two credentials of ${tenant} have the same random id.`);
}

/** Revokes a credential: one in the account's item at once, any other within half a minute. */
export async function revokeCredential(
  credentials: Credentials,
  target: Parameters<Credentials['revoke']>[0],
  now: number,
): Promise<void> {
  if (!(await credentials.revoke(target, now))) {
    throw new Refusal(404, 'not-found', target.kind === 'key' ? 'There is no such key.' : 'There is no such client.');
  }
}

const creatorOf = ({ createdBy }: Credential) => (createdBy ? presentActor(createdBy) : null);

export const presentKey = (credential: Credential) => {
  const { id, tenant, mode, name = null, createdAt, lastUsedAt = null, revokedAt } = credential;
  return {
    id,
    name,
    mode,
    prefix: `${KEY_KINDS[mode]}_${tenant}_${id}_`,
    createdAt,
    createdBy: creatorOf(credential),
    lastUsedAt,
    ...(revokedAt && { revokedAt }),
  };
};

export const presentClient = (credential: Credential) => {
  const { id, createdAt, lastUsedAt = null, revokedAt } = credential;
  const createdBy = creatorOf(credential);
  return { id, clientId: id, mode: 'test' as const, createdAt, createdBy, lastUsedAt, ...(revokedAt && { revokedAt }) };
};
