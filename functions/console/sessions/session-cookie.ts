/** Cookies of the console. */
export interface CookieRules {
  /** Browsers take `Secure` cookies over https, and a `__Host-` name with them only. */
  readonly isSecure: boolean;
}

const nameIn = ({ isSecure }: CookieRules) => (isSecure ? '__Host-console' : 'console');

/** 43 characters of base64url: no other value was ever given out. */
const SESSION_ID = /^[\w-]{43}$/;

/** The id of the session that a request presents. */
export function sessionIdIn(cookies: readonly string[], rules: CookieRules): string | undefined {
  const prefix = `${nameIn(rules)}=`;
  const value = cookies.find((cookie) => cookie.startsWith(prefix))?.slice(prefix.length);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}

/** `Lax`, not `Strict`: links in mails must find the person signed in. */
export const sessionCookie = (sessionId: string, rules: CookieRules): string =>
  `${nameIn(rules)}=${sessionId}; Path=/; HttpOnly; SameSite=Lax${rules.isSecure ? '; Secure' : ''}`;

export const endedCookie = (rules: CookieRules): string => `${sessionCookie('', rules)}; Max-Age=0`;

/** The time zone of the browser, which its script has noted. */
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

/** An unknown zone makes `Intl` throw. */
function isTimeZone(zone: string): boolean {
  if (zone.length > 60) return false;
  let known = zones.get(zone);
  if (known === undefined) {
    known = zone !== '' && isKnownToIntl(zone);
    if (zones.size >= ZONES_MAX) zones.clear();
    zones.set(zone, known);
  }
  return known;
}

function isKnownToIntl(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
