import { createHmac } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type KeySecrets, newestVersion } from './self-proving-key.ts';

/** A kind of token (JWT, HS256) that this service signs for itself. A token of one kind is not accepted as another. */
export interface TokenKind {
  readonly audience: string;
  /** The `typ` in the header. */
  readonly type: string;
  /** The purpose in words. The signing key is derived from the server secret and these words. */
  readonly purpose: string;
  readonly seconds: number;
}

const ALGORITHM = 'HS256';
const ISSUER = 'five-services';
const CHARACTERS_MAX = 2_000;

interface TokenContent {
  readonly subject: string;
  readonly claims: JWTPayload;
}

/** The expiry of a token that is issued now, in milliseconds. */
export const expiryOf = ({ seconds }: TokenKind, now: number): number => (Math.floor(now / 1_000) + seconds) * 1_000;

/** Returns a token signed with the newest secret. @param now milliseconds */
export async function newSignedToken(
  kind: TokenKind,
  { subject, claims }: TokenContent,
  { secrets, now }: { secrets: KeySecrets; now: number },
): Promise<string> {
  const version = newestVersion(secrets) ?? '';
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, typ: kind.type, kid: version })
    .setSubject(subject)
    .setIssuer(ISSUER)
    .setAudience(kind.audience)
    .setIssuedAt(Math.floor(now / 1_000))
    .setExpirationTime(Math.floor(expiryOf(kind, now) / 1_000))
    .sign(signingKey(kind, secrets, version));
}

/** The claims of a token of this kind that this service has signed and that has not expired; undefined for any other text. */
export async function claimsOf(
  kind: TokenKind,
  token: string,
  { secrets, now }: { secrets: KeySecrets; now: number },
): Promise<JWTPayload | undefined> {
  if (token.length > CHARACTERS_MAX) return undefined;
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => signingKey(kind, secrets, kid ?? ''), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: kind.audience,
      typ: kind.type,
      requiredClaims: ['exp', 'iat'],
      currentDate: new Date(now),
    });
    return payload;
  } catch {
    return undefined;
  }
}

function signingKey({ purpose }: TokenKind, secrets: KeySecrets, version: string): Uint8Array {
  const secret = Object.hasOwn(secrets, version) ? secrets[version] : undefined;
  if (secret === undefined) throw new Error('The token names no key of this service.');
  return createHmac('sha256', secret).update(purpose).digest();
}
