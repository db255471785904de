import { Refusal } from '#shared/errors';
import { optionsOf } from '#shared/http/cross-origin';
import { type HttpEvent, type HttpResult, json } from '#shared/http/http-handler';
import { allowedAt, type PathMethods } from './allowed-methods.ts';

/** Matches paths that scripts of other origins may call, if the account of the credential allows the origin. */
const SHARED = /^\/(?:v3|api)\//;

/**
 * Answers a request that no route takes: OPTIONS with the methods of its path, and a path with a slash at the end with the
 * one without, for the same method and body.
 * @param between joins the words of the interface's codes
 * @throws 404 for a path that is none, 405 for a method that it does not take
 */
export function unknownPathAnswer(
  paths: PathMethods,
  { rawPath, rawQueryString, requestContext }: HttpEvent,
  between: '-' | '_',
): HttpResult {
  const path = rawPath.replace(/\/$/, '');
  const allow = allowedAt(paths, path);
  const code = (...words: string[]) => words.join(between);
  if (allow === undefined) throw new Refusal(404, code('not', 'found'), 'There is no such resource.');
  if (path !== rawPath) {
    const location = rawQueryString === '' ? path : `${path}?${rawQueryString}`;
    return json(308, {}, { location });
  }
  if (requestContext.http.method === 'OPTIONS') return optionsOf(allow, SHARED.test(path));
  const detail = `${requestContext.http.method} is not allowed here; the path takes ${allow}.`;
  throw new Refusal(405, code('method', 'not', 'allowed'), detail, { headers: { allow } });
}
