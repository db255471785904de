import type { AccountStatus } from '#shared/auth/account-status';
import type { Identity } from '#shared/auth/management-caller';
import { type KnownManagementKeys, MANAGEMENT_KEY_KIND, needsNoting } from '#shared/auth/management-key';
import { type KeySecrets, provenKey } from '#shared/auth/self-proving-key';
import { log } from '#shared/telemetry/log';
import { managerOfToken, type TokenRules } from './manager-token.ts';

export interface Credentials {
  readonly tokens: TokenRules;
  readonly keys: KnownManagementKeys;
  readonly keySecrets: (now: number) => Promise<KeySecrets>;
  /** Reads the current status: the gateway repeats an identity for a minute, so no other cache may come before it. */
  readonly statusOf: (tenant: string) => Promise<AccountStatus>;
}

const BEARER = /^bearer +(\S+) *$/i;

/** Returns the caller of a header: `Bearer` and a management key or an ID token. Fails if that cannot be checked. */
export async function identifyManager(header: string, known: Credentials, now: number): Promise<Identity> {
  const credential = BEARER.exec(header)?.[1];
  if (credential === undefined) return { refused: 'The header Authorization must be: Bearer TOKEN.' };
  const isKey = credential.startsWith(`${MANAGEMENT_KEY_KIND}_`);
  const identity = isKey
    ? await managerOfKey(credential, known, now)
    : await managerOfToken(credential, known.tokens, now);
  return (await isSuspended(identity, known)) ? { suspended: true } : identity;
}

/** An operator acts for all tenants, and must be able to resume its own. */
async function isSuspended(identity: Identity, { statusOf }: Credentials): Promise<boolean> {
  if (!('tenant' in identity) || identity.operator || identity.tenant === '') return false;
  return !(await statusOf(identity.tenant)).active;
}

/** The proof comes first: a key that this service has not made costs no look at the table. */
async function managerOfKey(key: string, { keys, keySecrets }: Credentials, now: number): Promise<Identity> {
  const proven = provenKey(key, [MANAGEMENT_KEY_KIND], await keySecrets(now));
  const stored = proven && (await keys.byId(proven.id));
  if (!proven || !stored || stored.hash !== proven.hash || stored.tenant !== proven.tenant) {
    return { refused: 'The key is not valid.' };
  }
  if (stored.revokedAt) return { refused: 'The key has been revoked.' };
  if (stored.expiresAt !== undefined && Date.parse(stored.expiresAt) <= now) return { refused: 'The key has expired.' };
  if (needsNoting(stored, now)) await noteUse(() => keys.noteUse(proven.id, stored, now));
  const { tenant, scopes, name } = stored;
  return { tenant, operator: false, scopes: [...scopes], subject: proven.id, name, credential: 'key' };
}

/** A key is accepted even if its use cannot be noted: the next check notes it. */
async function noteUse(note: () => Promise<void>): Promise<void> {
  try {
    await note();
  } catch (error) {
    log.error('use of a key not noted', { error });
  }
}
