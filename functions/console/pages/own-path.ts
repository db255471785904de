/** A path of the console to go to after signing in; undefined for anything else. */
export function ownPath(stated: string | undefined): string | undefined {
  if (stated === undefined || stated.length > 2_000 || !stated.startsWith('/console')) return undefined;
  // The parser sees what a browser would: backslashes, tabs and dots are resolved.
  const base = 'https://console.invalid';
  const url = URL.parse(stated, base);
  if (url?.origin !== base || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}`;
}
