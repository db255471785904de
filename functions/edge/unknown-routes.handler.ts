/** Refuses every request that no other route takes, with the errors of the interface that the path belongs to. */
import * as z from 'zod';
import { dataSurface } from '#shared/auth/data-token-items.dynamodb';
import { readEnv, resource } from '#shared/env';
import { Refusal } from '#shared/errors';
import { optionsOf } from '#shared/http/cross-origin';
import {
  callerHandler,
  type HttpEvent,
  type HttpHandler,
  type HttpResult,
  httpRoutes,
  json,
  loggedHandler,
  type Surface,
} from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { presentLoyaltyError } from '#shared/loyalty/loyalty-error';
import { allowedAt, pathMethodsIn } from './allowed-methods.ts';

export const Env = z.object({ ACCOUNTS_TABLE: resource, PATH_METHODS: z.string() });
const env = readEnv(Env);
const paths = pathMethodsIn(env.PATH_METHODS);

/** Makes the refusals of an interface whose codes are written with hyphens, or else with underscores. */
function refusalHandler<Caller>(surface: Surface<Caller>, between: '-' | '_' = '-') {
  const refuse = callerHandler(surface, async (event) => answerTo(event, between));
  const tell = loggedHandler(surface.present, async (event) => answerTo(event, between));
  return ((event, context) =>
    event.requestContext.http.method === 'OPTIONS'
      ? tell(event, context)
      : refuse(event, context)) satisfies HttpHandler;
}

/** Paths that scripts of other origins may call, if the account of the credential allows the origin. */
const SHARED = /^\/(?:v3|api)\//;

/** A slash at the end leads to the same route without it, with method and body. */
function answerTo({ rawPath, rawQueryString, requestContext }: HttpEvent, between: string): HttpResult {
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

const loyalty = refusalHandler({ identify: () => undefined, present: presentLoyaltyError }, '_');

export const handler = httpRoutes({
  'ANY /manage/{proxy+}': refusalHandler(managementApi),
  'ANY /v3/{proxy+}': refusalHandler(dataSurface(env.ACCOUNTS_TABLE)),
  'ANY /priv/{proxy+}': loyalty,
  'ANY /api/{proxy+}': loyalty,
});
