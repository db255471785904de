/** POST /v1/enrich. Metered: each request takes a token and, if its answer counts, one conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { describedRoutes } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { meteredRoute } from '../serving/metered-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { enrichOperations } from './enrich.operations.ts';
import { EnrichItem, EnrichResult, enrichItem } from './enrich.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

const route = { item: EnrichItem, result: EnrichResult, work: enrichItem };

export const handler = describedRoutes(enrichOperations, { enrichRecords: meteredRoute(parts, route) });
