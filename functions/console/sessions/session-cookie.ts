/** The attributes of the console's cookies. */
export interface CookieRules {
  /** True if cookies are `Secure`, with a `__Host-` name: browsers accept that over HTTPS only. */
  readonly isSecure: boolean;
}

const nameIn = ({ isSecure }: CookieRules) => (isSecure ? '__Host-console' : 'console');

/** The format of session ids: 43 characters of base64url. */
const SESSION_ID = /^[\w-]{43}$/;

/** Returns the session id in the cookies of a request. */
export function sessionIdIn(cookies: readonly string[], rules: CookieRules): string | undefined {
  const prefix = `${nameIn(rules)}=`;
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}

/**
 * Returns the session cookie. It is `Lax`, not `Strict`, so that a person who follows a link in a mail is signed in.
 */
export const sessionCookie = (sessionId: string, rules: CookieRules): string =>
  `${nameIn(rules)}=${sessionId}; Path=/; HttpOnly; SameSite=Lax${rules.isSecure ? '; Secure' : ''}`;

export const endedCookie = (rules: CookieRules): string => `${sessionCookie('', rules)}; Max-Age=0`;

/** Returns the time zone of the browser, which the page's script has stored in a cookie. */
export function timeZoneIn(cookies: readonly string[]): string {
  const value = cookies.find((cookie) => cookie.startsWith('zone='))?.slice('zone='.length) ?? '';
  const zone = decoded(value);
  return isTimeZone(zone) ? zone : 'UTC';
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

const zones = new Map<string, boolean>();
const ZONES_MAX = 1_000;

/** Returns whether `Intl` accepts this time zone; it throws for an unknown one. */
function isTimeZone(zone: string): boolean {
  if (zone.length > 60) return false;
  let isValid = zones.get(zone);
  if (isValid === undefined) {
    isValid = zone !== '' && isAcceptedByIntl(zone);
    if (zones.size >= ZONES_MAX) zones.clear();
    zones.set(zone, isValid);
  }
  return isValid;
}

function isAcceptedByIntl(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
