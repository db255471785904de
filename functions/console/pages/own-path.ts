/** Returns a path of the console to return to after signing in; undefined for any other address. */
export function ownPath(path: string | undefined): string | undefined {
  if (path === undefined || path.length > 2_000 || !path.startsWith('/console')) return undefined;
  // The parser resolves backslashes, tabs and dots as a browser does.
  const base = 'https://console.invalid';
  const url = URL.parse(path, base);
  if (url?.origin !== base || !/^\/console(\/|$)/.test(url.pathname)) return undefined;
  return `${url.pathname}${url.search}`;
}
