import type { HttpEvent } from '#shared/http/http-handler';

/**
 * Returns whether a page of the console itself made this request. Browsers send `Sec-Fetch-Site`; those that do not send
 * `Origin` with every POST (OWASP, CSRF Prevention: verifying origin).
 */
export function isSameOrigin({ headers }: Pick<HttpEvent, 'headers'>): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  return origin !== undefined && host !== undefined && hostOf(origin) === host;
}

const hostOf = (origin: string) => URL.parse(origin)?.host;
