import type { StatusOf } from '#shared/auth/account-status';
import { type KeySecrets, provenKey } from '#shared/auth/self-proving-key';
import { KEY_KINDS, modeOf } from '../billing/credentials/credential-kinds.ts';
import type { Caller } from '../billing/metering/admission.ts';
import { Problem } from './problem.ts';
import { suspended, unauthorized } from './refusals.ts';

/** The caller of an `Authorization` header, verified but not yet looked up. Throws if there is none. */
export type Authenticate = (authorization: string | undefined, now: number) => Promise<Caller>;

const BEARER = /^bearer +([A-Za-z0-9._~+/-]{1,4096}=*) *$/i;
const KINDS = Object.values(KEY_KINDS);

/**
 * @param secretsAt the server secrets, which verify keys and tokens without a table
 * @param statusOf refuses callers of suspended accounts
 */
export function authenticator(secretsAt: (now: number) => Promise<KeySecrets>, statusOf: StatusOf): Authenticate {
  return async (authorization, now) => {
    if (authorization === undefined || authorization === '') throw unauthorized('There is no credential.');
    const credential = BEARER.exec(authorization)?.[1];
    if (credential === undefined) throw unauthorized('The Authorization header is not a bearer credential.');
    const secrets = await secretsAt(now).catch((cause: unknown) => {
      throw new Problem(503, 'unavailable', 'Credentials cannot be checked at the moment. Try again.', { cause });
    });
    const caller = isToken(credential) ? await tokenCaller(credential, secrets, now) : keyCaller(credential, secrets);
    if (!caller) return refuse(credential);
    if (!(await statusOf(caller.tenant, now)).active) throw suspended();
    return caller;
  };
}

const isToken = (credential: string) => credential.split('.').length === 3;

function keyCaller(credential: string, secrets: KeySecrets): Caller | undefined {
  const key = provenKey(credential, KINDS, secrets);
  return key && { tenant: key.tenant, mode: modeOf(key.kind), credentialId: key.id, hash: key.hash };
}

async function tokenCaller(token: string, secrets: KeySecrets, now: number): Promise<Caller | undefined> {
  // Loaded on first use, since most callers have keys.
  const { subjectOf } = await import('../billing/credentials/access-token.ts');
  const subject = await subjectOf(token, secrets, now);
  return subject && { tenant: subject.tenant, mode: 'test', credentialId: subject.clientId };
}

function refuse(credential: string): never {
  if (isToken(credential))
    throw unauthorized('The access token is expired, or not one of this service. Get a new one at POST /oauth/token.');
  throw unauthorized('The key is not one of this service: it may be cut off or mistyped.');
}
