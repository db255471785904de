/** GET /v1/usage: the usage of the account. It takes a token and no conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { describedRoutes, ok } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { Problem } from '../serving/problem.ts';
import { rateOnlyRoute } from '../serving/rate-only-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { usageOperations } from './usage.operations.ts';
import { usageOf } from './usage.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

export const handler = describedRoutes(usageOperations, {
  getUsage: rateOnlyRoute(parts, ({ item }) => {
    if (!item) throw new Problem(503, 'unavailable', 'Usage cannot be read at the moment. Try again.');
    return ok(usageOf(item));
  }),
});
