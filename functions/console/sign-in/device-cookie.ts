import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { CookieRules } from '../sessions/session-cookie.ts';

/** The keys that sign device cookies, one per period. Only the console has them. */
export interface DeviceKeys {
  /** Returns the key of a period, and creates it if needed. */
  readonly of: (period: number) => Promise<Uint8Array>;
}

export const PERIOD_MILLIS = 90 * 86_400_000;
const periodAt = (now: number): number => Math.floor(now / PERIOD_MILLIS);

/** The lifetime of a cookie: it is valid until the next period ends, so for at least 90 days. */
const GOOD_SECONDS = (2 * PERIOD_MILLIS) / 1_000;

const VALUE = /^(\d{1,6})\.([\w-]{22})\.([\w-]{43})$/;

const nameHash = (name: string) => createHash('sha256').update(name.toLowerCase()).digest('base64url');

/** Returns the name of the cookie. Each person has one, because several people may share a browser. */
const cookieNameOf = (name: string, { isSecure }: CookieRules) =>
  `${isSecure ? '__Host-' : ''}console-device-${nameHash(name).slice(0, 12)}`;

const proofOf = (key: Uint8Array, { period, nonce, name }: { period: number; nonce: string; name: string }) =>
  createHmac('sha256', key)
    .update(`${period}.${nonce}.${nameHash(name)}`)
    .digest('base64url');

/**
 * Returns the id of the browser, if the name has signed in with it before: the random part of its signed cookie (OWASP,
 * Slow Down Online Guessing Attacks with Device Cookies).
 */
export async function deviceIn(
  cookies: readonly string[],
  { name, rules, keys, now }: { name: string; rules: CookieRules; keys: DeviceKeys; now: number },
): Promise<string | undefined> {
  const prefix = `${cookieNameOf(name, rules)}=`;
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length) ?? '';
  const [, periodText = '', nonce = '', proof = ''] = VALUE.exec(value) ?? [];
  const [period, current] = [Number(periodText), periodAt(now)];
  // Keys of other periods are not read, so that a forged cookie causes no lookups.
  if (nonce === '' || (period !== current && period !== current - 1)) return undefined;
  const expected = proofOf(await keys.of(period), { period, nonce, name });
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected)) ? nonce : undefined;
}

/** Returns a new cookie, which is set at every sign-in. */
export async function newDeviceCookie(
  name: string,
  { rules, keys, now }: { rules: CookieRules; keys: DeviceKeys; now: number },
): Promise<string> {
  const period = periodAt(now);
  const nonce = randomBytes(16).toString('base64url');
  const proof = proofOf(await keys.of(period), { period, nonce, name });
  const secure = rules.isSecure ? '; Secure' : '';
  return `${cookieNameOf(name, rules)}=${period}.${nonce}.${proof}; Path=/; Max-Age=${GOOD_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}
