/** GET /v1/openapi.json: the description of the conversion routes, for everybody. */
import * as z from 'zod';
import { httpRoutes, loggedHandler, ok } from '#shared/http/http-handler';
import { presentProblem } from '../serving/problem.ts';
import { DESCRIBED_ROUTES } from './described-routes.ts';
import { openApiDocument } from './openapi.ts';

export const Env = z.object({});

const read = loggedHandler(presentProblem, async ({ headers }) => {
  const url = `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? 'localhost'}`;
  return ok(openApiDocument(DESCRIBED_ROUTES, url), { 'cache-control': 'public, max-age=300' });
});

export const handler = httpRoutes({ 'GET /v1/openapi.json': read });
