import { errors, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod/mini';
import type { Identity } from '#shared/auth/management-caller';
import type { SigningKeys } from './signing-keys.ts';

export interface TokenRules {
  readonly issuer: string;
  /** The clients of the user pool: the token must have been made for one of them. */
  readonly audiences: readonly string[];
  /** The client of the console, one of the audiences. */
  readonly consoleAudience: string;
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
    return callerOfClaims(payload, rules);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { refused: 'The token has expired.' };
    if (error instanceof errors.JOSEError || error instanceof UnknownKey) return NOT_VALID;
    throw error;
  }
}

const NOT_VALID: Identity = { refused: 'The token is not valid.' };

/** Cognito allows 2,048 characters, but the name is stored with every audited action. */
const NAME_CHARACTERS_MAX = 100;

function callerOfClaims(payload: JWTPayload, { consoleAudience }: TokenRules): Identity {
  const { data: claims } = z.safeParse(Claims, payload);
  if (!claims) return NOT_VALID;
  const { 'custom:tenant': tenant = '', 'cognito:groups': groups = [], sub: subject } = claims;
  const name = (claims.name ?? claims['cognito:username'])?.slice(0, NAME_CHARACTERS_MAX);
  // What a person may do depends on the tenant and the group alone.
  return {
    tenant,
    operator: groups.includes('operator'),
    scopes: ['manage'],
    subject,
    name,
    credential: 'person',
    isConsole: payload.aud === consoleAudience,
  };
}
