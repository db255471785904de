/** POST /v1/enrich. Metered: each request takes a token and, if its answer counts, one conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { httpRoutes } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { meteredRoute } from '../serving/metered-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { EnrichItem, EnrichResult, enrichItem } from './enrich.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env));

const route = { item: EnrichItem, result: EnrichResult, work: enrichItem };

export const handler = httpRoutes({ 'POST /v1/enrich': meteredRoute(parts, route) });
