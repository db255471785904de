import * as z from 'zod';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import { claimsOf, newSignedToken, type TokenKind } from '#shared/auth/signed-token';

export const TOKEN_SECONDS = 900;

const ACCESS_TOKEN: TokenKind = {
  audience: 'conversions',
  type: 'at+jwt',
  purpose: 'access tokens of conversions',
  seconds: TOKEN_SECONDS,
};

const Claims = z.object({ sub: z.string(), tenant: z.string() });

/** The subject of an access token: a test client of a tenant. */
export interface TokenSubject {
  readonly tenant: string;
  readonly clientId: string;
}

/** Issues a token to a test client, valid for `TOKEN_SECONDS`. @param now milliseconds */
export const newAccessToken = ({ tenant, clientId }: TokenSubject, secrets: KeySecrets, now: number): Promise<string> =>
  newSignedToken(ACCESS_TOKEN, { subject: clientId, claims: { tenant } }, { secrets, now });

/** The subject of a token that this service has issued and that has not expired; undefined for any other text. */
export async function subjectOf(token: string, secrets: KeySecrets, now: number): Promise<TokenSubject | undefined> {
  const { data: claims } = z.safeParse(Claims, await claimsOf(ACCESS_TOKEN, token, { secrets, now }));
  return claims && { tenant: claims.tenant, clientId: claims.sub };
}
