/** POST /v1/validate. Metered: each request takes a token and, if its answer counts, one conversion. */
import * as z from 'zod';
import { readEnv } from '#shared/env';
import { describedRoutes } from '#shared/http/http-handler';
import { metered } from '../environment.ts';
import { meteredRoute } from '../serving/metered-route.ts';
import { routeParts } from '../serving/route-parts.dynamodb.ts';
import { validateOperations } from './validate.operations.ts';
import { ValidateItem, ValidateResult, validateItem } from './validate.ts';

export const Env = z.object(metered);
const parts = await routeParts(readEnv(Env), () => Date.now());

const route = { item: ValidateItem, result: ValidateResult, work: validateItem };

export const handler = describedRoutes(validateOperations, { validateRecords: meteredRoute(parts, route) });
