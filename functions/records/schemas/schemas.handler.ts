/** The record types with their fields and views. */
import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { httpHandler, httpRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { presentSchema, presentSummary } from './present-schema.ts';
import { isRecordType } from './schema.ts';
import { SCHEMAS } from './schemas.ts';

export const Env = z.object({});

const list = httpHandler(tenantApi, {}, () => ok({ items: Object.values(SCHEMAS).map(presentSummary) }));

const get = httpHandler(tenantApi, { path: z.object({ type: z.string() }) }, ({ path: { type } }) => {
  if (!isRecordType(type)) throw new Refusal(404, 'not-found', 'There is no such record type.');
  return ok(presentSchema(SCHEMAS[type]));
});

export const handler = httpRoutes({ 'GET /manage/v1/schemas': list, 'GET /manage/v1/schemas/{type}': get });
