import { errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { Identity } from '#shared/auth/management-caller';
import { needsLastUseUpdate } from '#shared/auth/management-key';
import { isCurrent, type KnownPeople } from '#shared/auth/person';
import type { Role } from '#shared/auth/role';
import { log, tenantIn } from '#shared/telemetry/log';
import type { SigningKeys } from './signing-keys.ts';

export interface TokenRules {
  readonly issuer: string;
  /** The clients of the user pool: the token must have been made for one of them. */
  readonly audiences: readonly string[];
  /** The client of the console, one of the audiences. */
  readonly consoleAudience: string;
  /** The people who sign in to the console. */
  readonly people: KnownPeople;
  readonly signingKeys: SigningKeys;
}

const Claims = z.object({
  // An access token has no attributes of its user, and so no tenant.
  token_use: z.literal('id'),
  'custom:tenant': z.optional(z.string()),
  'cognito:groups': z.optional(z.array(z.string())),
  sub: z.optional(z.string()),
  name: z.optional(z.string()),
  'cognito:username': z.optional(z.string()),
  /** The second of the sign-in. A token that was refreshed keeps it. */
  auth_time: z.optional(z.number()),
});

class UnknownKey extends Error {}

/** The manager of an ID token of the user pool. Fails if the token cannot be checked. */
export async function callerOfToken(token: string, rules: TokenRules, now: number): Promise<Identity> {
  const keyOf = async ({ kid = '' }: { kid?: string }) => {
    const key = await rules.signingKeys(kid, now);
    if (!key) throw new UnknownKey('No key of the issuer has this id.');
    return key;
  };
  try {
    const { payload } = await jwtVerify(token, keyOf, {
      // Only this algorithm: with `none` or a shared secret anyone could sign.
      algorithms: ['RS256'],
      issuer: rules.issuer,
      audience: [...rules.audiences],
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    });
    return await callerOfClaims(payload, rules, now);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { refused: 'The token has expired.' };
    if (error instanceof errors.JOSEError || error instanceof UnknownKey) return NOT_VALID;
    throw error;
  }
}

const NOT_VALID: Identity = { refused: 'The token is not valid.' };

/** Cognito allows 2,048 characters, but the name is stored with every audited action. */
const NAME_CHARACTERS_MAX = 100;

async function callerOfClaims(payload: JWTPayload, rules: TokenRules, now: number): Promise<Identity> {
  const { data: claims } = z.safeParse(Claims, payload);
  if (!claims) return NOT_VALID;
  const { 'custom:tenant': tenant = '', 'cognito:groups': groups = [], sub: subject } = claims;
  const name = (claims.name ?? claims['cognito:username'])?.slice(0, NAME_CHARACTERS_MAX);
  const isConsole = payload.aud === rules.consoleAudience;
  // Only a command with AWS credentials gets a token of another client.
  const role = isConsole ? await roleOf(claims, rules, now) : groups.includes('operator') ? 'operator' : 'admin';
  if (role === undefined) return { refused: 'The session has ended. Sign in again.' };
  const operator = role === 'operator';
  return { tenant, operator, role, scopes: ['manage'], subject, name, credential: 'person', isConsole };
}

/** Returns the role that a person has now, whatever they had at sign-in; undefined if the sign-in no longer counts. */
async function roleOf(
  { 'cognito:username': id = '', 'custom:tenant': tenant = '', auth_time: signedInSecond = 0 }: z.output<typeof Claims>,
  { people }: TokenRules,
  now: number,
): Promise<Role | undefined> {
  const person = id === '' ? undefined : await people.byId(id);
  if (!person || !isCurrent(person, { tenant, signedInSecond })) return undefined;
  if (needsLastUseUpdate({ lastUsedAt: person.lastSeenAt }, now)) {
    // The person is let through even if this fails: the next request records it.
    await people.recordRequest(id, person, now).catch((error: unknown) => {
      log.error('request of a person not recorded', { error, ...tenantIn({ tenant }) });
    });
  }
  return person.role;
}
