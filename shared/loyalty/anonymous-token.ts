import * as z from 'zod/mini';
import type { KeySecrets } from '#shared/auth/self-proving-key';
import { claimsOf, expiryOf, newSignedToken, type TokenKind } from '#shared/auth/signed-token';

/** The life of an anonymous token. */
export const ANONYMOUS_TOKEN_SECONDS = 30 * 86_400;

const ANONYMOUS_TOKEN: TokenKind = {
  audience: 'loyalty',
  type: 'anonymous+jwt',
  purpose: 'anonymous tokens of loyalty apps',
  seconds: ANONYMOUS_TOKEN_SECONDS,
};

const Claims = z.object({ sub: z.string(), tenant: z.string(), app: z.string() });

/** An anonymous customer of an app. It has no item: its token is all there is. */
export interface AnonymousCustomer {
  readonly tenant: string;
  /** The id of the app. The token is not valid with any other app. */
  readonly app: string;
  readonly customer: string;
}

/** The prefix of ids of anonymous customers. */
export const ANONYMOUS = 'anon';
export const isAnonymous = (id: string): boolean => /^anon_[\w-]{20}$/.test(id);

/** The expiry of a token that is made now, in milliseconds. */
export const anonymousExpiry = (now: number): number => expiryOf(ANONYMOUS_TOKEN, now);

/**
 * A signed token that is valid for 30 days.
 * @param now in milliseconds
 */
export const newAnonymousToken = (
  { tenant, app, customer }: AnonymousCustomer,
  secrets: KeySecrets,
  now: number,
): Promise<string> => newSignedToken(ANONYMOUS_TOKEN, { subject: customer, claims: { tenant, app } }, { secrets, now });

/**
 * The customer's id in a token that this service has signed for this app and that has not expired; undefined for any
 * other text.
 */
export async function customerOf(
  token: string,
  app: { readonly id: string; readonly tenant: string },
  secrets: KeySecrets,
  now: number,
): Promise<string | undefined> {
  const { data: claims } = z.safeParse(Claims, await claimsOf(ANONYMOUS_TOKEN, token, { secrets, now }));
  return claims?.app === app.id && claims.tenant === app.tenant ? claims.sub : undefined;
}
