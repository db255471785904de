import type { HttpEvent, HttpResult } from './http-handler.ts';

/** Returns the answer with the address of the next page (RFC 8288), if it is a page of a list that has one. */
export function linked({ rawPath, rawQueryString }: HttpEvent, result: HttpResult): HttpResult {
  if (result.body?.includes('"nextCursor":') !== true) return result;
  const { nextCursor } = JSON.parse(result.body) as { readonly nextCursor?: unknown };
  if (typeof nextCursor !== 'string') return result;
  const query = new URLSearchParams(rawQueryString);
  query.set('cursor', nextCursor);
  return { ...result, headers: { ...result.headers, link: `<${rawPath}?${query}>; rel="next"` } };
}
