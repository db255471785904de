/** Tokens as Cognito makes them. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import type { PoolClient, User, UserPool } from './user-pool.ts';

export interface SignIn {
  readonly pool: UserPool;
  readonly client: PoolClient;
  readonly user: User;
  readonly now: Date;
  /** Seconds since 1970. @default now */
  readonly authTime?: number;
}

export interface TokenSet {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly ExpiresIn: number;
  readonly TokenType: 'Bearer';
  readonly RefreshToken?: string;
}

/** The tokens of a user who has just signed in. */
export async function tokensFor(signIn: SignIn): Promise<TokenSet> {
  const { pool, client, user, now } = signIn;
  const seconds = Math.floor(now.getTime() / 1000);
  const authTime = signIn.authTime ?? seconds;
  const origin = randomUUID();
  const shared = {
    sub: user.attributes['sub'],
    ...(user.groups.length > 0 && { 'cognito:groups': user.groups }),
    origin_jti: origin,
    event_id: randomUUID(),
    auth_time: authTime,
  };
  const { sub: _, ...attributes } = user.attributes;
  const idToken = {
    ...withFlags(attributes),
    ...shared,
    'cognito:username': user.username,
    aud: client.id,
    token_use: 'id',
  };
  const accessToken = {
    ...shared,
    client_id: client.id,
    token_use: 'access',
    scope: 'aws.cognito.signin.user.admin',
    username: user.username,
  };
  return {
    AccessToken: await signed(pool, accessToken, { seconds, lifetime: client.accessTokenSeconds }),
    IdToken: await signed(pool, idToken, { seconds, lifetime: client.idTokenSeconds }),
    ExpiresIn: client.accessTokenSeconds,
    TokenType: 'Bearer',
  };
}

/** A refresh token, remembered by the pool. */
export function refreshTokenFor({ pool, client, user, now }: SignIn): string {
  const token = randomBytes(64).toString('base64url');
  const authTime = Math.floor(now.getTime() / 1000);
  pool.rememberRefresh(token, {
    username: user.username,
    clientId: client.id,
    authTime,
    expiresAt: authTime + client.refreshTokenSeconds,
  });
  return token;
}

function signed(
  { settings, keyId, privateKey }: UserPool,
  claims: JWTPayload,
  { seconds, lifetime }: { seconds: number; lifetime: number },
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: keyId })
    .setIssuer(settings.issuer)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetime)
    .setJti(randomUUID())
    .sign(privateKey);
}

/** Two standard attributes are true or false in tokens, text elsewhere. */
function withFlags(attributes: Readonly<Record<string, string>>): Record<string, string | boolean> {
  const flags = new Set(['email_verified', 'phone_number_verified']);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, flags.has(name) ? value === 'true' : value]),
  );
}
