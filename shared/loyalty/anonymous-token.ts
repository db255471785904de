import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { KeySecrets } from '#shared/auth/self-proving-key';

const TOKEN_SECONDS = 30 * 86_400;
const TOKEN_CHARACTERS_MAX = 2_000;
const ALGORITHM = 'HS256';
const ISSUER = 'five-services';
const AUDIENCE = 'loyalty';
const TYPE = 'anonymous+jwt';

const Claims = z.object({ sub: z.string(), tenant: z.string(), app: z.string() });

/** An anonymous customer of an app. No item stands for one: it exists by its token. */
export interface AnonymousCustomer {
  readonly tenant: string;
  /** The id of the app, beside which the token is worth nothing. */
  readonly app: string;
  readonly customer: string;
}

/** When a token that is made now expires, in milliseconds. */
export const expiryOf = (now: number): number => (Math.floor(now / 1_000) + TOKEN_SECONDS) * 1_000;

/** A signed token, good for 30 days. @param now milliseconds */
export async function newAnonymousToken(
  { tenant, app, customer }: AnonymousCustomer,
  secrets: KeySecrets,
  now: number,
): Promise<string> {
  const version = Object.keys(secrets).toSorted().at(-1) ?? '';
  return new SignJWT({ tenant, app })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: version })
    .setSubject(customer)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(Math.floor(now / 1_000))
    .setExpirationTime(Math.floor(expiryOf(now) / 1_000))
    .sign(signingKey(secrets, version));
}

/**
 * The id of the customer of a token that this service has signed for this app and that has not expired; undefined for
 * any other text.
 */
export async function customerOf(
  token: string,
  app: { readonly id: string; readonly tenant: string },
  secrets: KeySecrets,
  now: number,
): Promise<string | undefined> {
  if (token.length > TOKEN_CHARACTERS_MAX) return undefined;
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKey(secrets, kid ?? ''), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(now),
    });
    const claims = Claims.parse(payload);
    return claims.app === app.id && claims.tenant === app.tenant ? claims.sub : undefined;
  } catch {
    return undefined;
  }
}

/** Of its own, so that no other token or key that the service makes passes for one of these. */
function signingKey(secrets: KeySecrets, version: string): Uint8Array {
  const secret = Object.hasOwn(secrets, version) ? secrets[version] : undefined;
  if (secret === undefined) throw new Error('The token names no key of this service.');
  return createHmac('sha256', secret).update('anonymous tokens of loyalty apps').digest();
}
