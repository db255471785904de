import { createHmac } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod/mini';
import type { KeySecrets } from '#shared/auth/self-proving-key';

export const TOKEN_SECONDS = 900;

const ALGORITHM = 'HS256';
const ISSUER = 'five-services';
const AUDIENCE = 'conversions';

const Claims = z.object({ sub: z.string(), tenant: z.string() });

/** Whom an access token stands for: a test client of a tenant. */
export interface TokenSubject {
  readonly tenant: string;
  readonly clientId: string;
}

/** A signed token of a test client, good for `TOKEN_SECONDS`. @param now milliseconds */
export async function newAccessToken(
  { tenant, clientId }: TokenSubject,
  secrets: KeySecrets,
  now: number,
): Promise<string> {
  const version = Object.keys(secrets).toSorted().at(-1) ?? '';
  const issued = Math.floor(now / 1_000);
  return new SignJWT({ tenant })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: version })
    .setSubject(clientId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt(issued)
    .setExpirationTime(issued + TOKEN_SECONDS)
    .sign(signingKey(secrets, version));
}

/** The subject of a token that this service has signed and that has not expired; undefined for any other text. */
export async function subjectOf(token: string, secrets: KeySecrets, now: number): Promise<TokenSubject | undefined> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKey(secrets, kid ?? ''), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(now),
    });
    const { sub, tenant } = Claims.parse(payload);
    return { tenant, clientId: sub };
  } catch {
    return undefined;
  }
}

/** Of its own, so that a token proves nothing about keys and the other way round. */
function signingKey(secrets: KeySecrets, version: string): Uint8Array {
  const secret = Object.hasOwn(secrets, version) ? secrets[version] : undefined;
  if (secret === undefined) throw new Error('The token names no key of this service.');
  return createHmac('sha256', secret).update('access tokens of conversions').digest();
}
