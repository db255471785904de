import type { Identity } from '#shared/auth/management-caller';
import { type KnownManagementKeys, MANAGEMENT_KEY_KIND, needsLastUseUpdate } from '#shared/auth/management-key';
import { type KeySecrets, provenKey } from '#shared/auth/self-proving-key';
import { log } from '#shared/telemetry/log';

export interface KeyRules {
  readonly keys: KnownManagementKeys;
  readonly keySecrets: (now: number) => Promise<KeySecrets>;
}

export const isManagementKey = (credential: string): boolean => credential.startsWith(`${MANAGEMENT_KEY_KIND}_`);

/**
 * Returns the caller of a management key, or why the key is refused: not valid, revoked or expired. The proof comes
 * first: a key that this service has not made costs no read of the table.
 */
export async function callerOfKey(key: string, { keys, keySecrets }: KeyRules, now: number): Promise<Identity> {
  const proven = provenKey(key, [MANAGEMENT_KEY_KIND], await keySecrets(now));
  const stored = proven && (await keys.byId(proven.id));
  if (!proven || !stored || stored.hash !== proven.hash || stored.tenant !== proven.tenant) {
    return { refused: 'The key is not valid.' };
  }
  if (stored.revokedAt) return { refused: 'The key has been revoked.' };
  if (stored.expiresAt !== undefined && Date.parse(stored.expiresAt) <= now) return { refused: 'The key has expired.' };
  if (needsLastUseUpdate(stored, now)) await recordUse(() => keys.recordUse(proven.id, stored, now), stored.tenant);
  const { tenant, scopes, name } = stored;
  return { tenant, operator: false, scopes: [...scopes], subject: proven.id, name, credential: 'key' };
}

/** A key is accepted even if its use cannot be recorded: the next check records it. */
async function recordUse(record: () => Promise<void>, tenant: string): Promise<void> {
  try {
    await record();
  } catch (error) {
    log.error('use of a key not recorded', { error, tenant });
  }
}
