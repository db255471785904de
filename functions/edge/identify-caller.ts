import type { AccountStatus } from '#shared/auth/account-status';
import type { Identity } from '#shared/auth/management-caller';
import { callerOfKey, isManagementKey, type KeyRules } from './management-key.ts';
import { callerOfToken, type TokenRules } from './management-token.ts';

export interface Credentials extends KeyRules {
  readonly tokens: TokenRules;
  /** Reads the current status: the gateway repeats an identity for a minute, so no other cache may come before it. */
  readonly statusOf: (tenant: string) => Promise<AccountStatus>;
}

const BEARER = /^bearer +(\S+) *$/i;

/** Returns the caller of a header: `Bearer` and a management key or an ID token. Fails if that cannot be checked. */
export async function identifyCaller(header: string, known: Credentials, now: number): Promise<Identity> {
  const credential = BEARER.exec(header)?.[1];
  if (credential === undefined) return { refused: 'The header Authorization must be: Bearer TOKEN.' };
  const identity = isManagementKey(credential)
    ? await callerOfKey(credential, known, now)
    : await callerOfToken(credential, known.tokens, now);
  return (await isSuspended(identity, known)) ? { suspended: true } : identity;
}

/** An operator acts for all tenants, and must be able to resume its own. */
async function isSuspended(identity: Identity, { statusOf }: Credentials): Promise<boolean> {
  if (!('tenant' in identity) || identity.operator || identity.tenant === '') return false;
  return !(await statusOf(identity.tenant)).active;
}
