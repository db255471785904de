/** Calls from scripts of other origins (the CORS protocol of the Fetch standard). */
import type { AccountStatus } from '#shared/auth/account-status';
import type { HttpEvent, HttpResult } from './http-handler.ts';

/**
 * Headers that let scripts of an origin read the answer, if the account allows the origin. Credentials of browsers are
 * never used, so a script can only read what it could call for itself.
 * @param statusOf of the caller's account, asked only about calls of scripts
 */
export async function crossOriginHeaders(
  { headers: { origin } }: Pick<HttpEvent, 'headers'>,
  statusOf: () => Promise<AccountStatus>,
): Promise<Readonly<Record<string, string>>> {
  if (origin === undefined) return {};
  const { allowedOrigins = [] } = await statusOf();
  if (!allowedOrigins.includes(origin)) return { vary: 'origin' };
  return { vary: 'origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': '*' };
}

const REQUEST_HEADERS = 'authorization, content-encoding, content-type, idempotency-key, if-none-match, x-data-version';
const CACHED_SECONDS = 600;

/**
 * The answer to OPTIONS. A preflight has no credential, so it cannot know the account: every origin may send the request,
 * and the answer to that says whether its script may read it.
 * @param isShared whether the path may be called from other origins
 */
export const optionsOf = (allow: string, isShared: boolean): HttpResult => ({
  statusCode: 204,
  headers: {
    allow,
    ...(isShared && {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': allow,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': String(CACHED_SECONDS),
    }),
  },
});
