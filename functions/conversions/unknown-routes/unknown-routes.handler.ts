/**
 * Refuses every request below /v1 and /oauth that no other route takes. Below /v1, a caller with a credential pays for it
 * with a token.
 */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { optionsOf } from '#shared/http/cross-origin';
import { httpRoutes, json, loggedHandler } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { presented } from '../oauth/token-answers.ts';
import { Problem, presentProblem } from '../serving/problem.ts';
import { rateOnlyRoute } from '../serving/rate-only-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { redirectOrRefuse } from './oauth-requests.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

const METHODS: Readonly<Record<string, string>> = {
  '/v1/convert': 'POST',
  '/v1/normalize': 'POST',
  '/v1/validate': 'POST',
  '/v1/enrich': 'POST',
  '/v1/usage': 'GET',
  '/v1/openapi.json': 'GET',
};

function allowedAt(path: string): string {
  const allow = Object.hasOwn(METHODS, path) ? METHODS[path] : undefined;
  if (allow !== undefined) return allow;
  throw new Problem(404, 'not-found', `There is no such route. The routes are ${Object.keys(METHODS).join(', ')}.`);
}

const options = loggedHandler(presentProblem, async ({ requestContext }) =>
  optionsOf(allowedAt(requestContext.http.path), true),
);

const unknown = rateOnlyRoute(parts, ({ event }) => {
  const path = event.requestContext.http.path.replace(/\/$/, '');
  const allow = allowedAt(path);
  // A trailing slash redirects to the same route without it, with method and body.
  if (event.rawPath.endsWith('/')) return json(308, {}, { location: path });
  throw new Problem(405, 'method-not-allowed', `${path} takes ${allow} only.`, { headers: { allow } });
});

export const handler = httpRoutes({
  'ANY /v1/{proxy+}': (event, context) =>
    event.requestContext.http.method === 'OPTIONS' ? options(event, context) : unknown(event, context),
  'ANY /oauth/{proxy+}': loggedHandler(presented, async (event) => redirectOrRefuse(event)),
});
