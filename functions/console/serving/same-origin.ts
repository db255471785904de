import type { HttpEvent } from '#shared/http/http-handler';

/**
 * Whether a page of the console itself made this request. Browsers say so in `Sec-Fetch-Site`; those that do not send it
 * send the `Origin` with every POST (OWASP, CSRF Prevention: verifying origin).
 */
export function isSameOrigin({ headers }: Pick<HttpEvent, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && hostOf(origin) === host;
}

const hostOf = (origin: string) => URL.parse(origin)?.host;

/** A path of the console to go to after signing in; undefined for anything else. */
export function ownPath(stated: string | undefined): string | undefined {
  if (stated === undefined || stated.length > 2_000 || !stated.startsWith('/console')) return undefined;
  // The parser sees what a browser would: backslashes, tabs and dots are resolved.
  const base = 'https://console.invalid';
  const url = URL.parse(stated, base);
  if (url?.origin !== base || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}`;
}
