/** POST /v1/normalize. Metered: each request takes a token and, if its answer counts, one conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { describedRoutes } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { meteredRoute } from '../serving/metered-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { normalizeOperations } from './normalize.operations.ts';
import { NormalizeItem, NormalizeResult, normalizeItem } from './normalize.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

const route = { item: NormalizeItem, result: NormalizeResult, work: normalizeItem };

export const handler = describedRoutes(normalizeOperations, { normalizeRecords: meteredRoute(parts, route) });
