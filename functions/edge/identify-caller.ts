import type { StatusOf } from '#shared/auth/account-status';
import type { Identity } from '#shared/auth/management-caller';
import { addLogFields, tenantIn } from '#shared/telemetry/log';
import { callerOfKey, isManagementKey, type KeyRules } from './management-key.ts';
import { callerOfToken, type TokenRules } from './management-token.ts';

export interface Credentials extends KeyRules {
  readonly tokens: TokenRules;
  readonly statusOf: StatusOf;
}

const BEARER = /^bearer +(\S+) *$/i;

/** Returns the caller of a header: `Bearer` and a management key or an ID token. Fails if that cannot be checked. */
export async function identifyCaller(header: string, credentials: Credentials, now: number): Promise<Identity> {
  const credential = BEARER.exec(header)?.[1];
  if (credential === undefined) {
    return { refused: 'Send a management token or a management key: Authorization: Bearer TOKEN.' };
  }
  const identity = isManagementKey(credential)
    ? await callerOfKey(credential, credentials, now)
    : await callerOfToken(credential, credentials.tokens, now);
  addLogFields(tenantIn(identity));
  return (await isSuspended(identity, credentials, now)) ? { suspended: true } : identity;
}

/** An operator acts for all tenants, and must be able to resume its own. */
async function isSuspended(identity: Identity, { statusOf }: Credentials, now: number): Promise<boolean> {
  if (!('tenant' in identity) || identity.operator || identity.tenant === '') return false;
  return !(await statusOf(identity.tenant, now)).active;
}
