/** POST /v1/convert. Metered: each request takes a token and, if its answer counts, one conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { describedRoutes } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { meteredRoute } from '../serving/metered-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { convertOperations } from './convert.operations.ts';
import { ConvertItem, ConvertResult, convertItem } from './convert.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

const route = { item: ConvertItem, result: ConvertResult, work: convertItem };

export const handler = describedRoutes(convertOperations, { convertValues: meteredRoute(parts, route) });
