/** The record types with their fields and views. */
import * as z from 'zod';
import { noSuch } from '#shared/errors';
import { apiRoutes, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { presentSchema, presentSummary } from './present-schema.ts';
import { isRecordType } from './schema.ts';
import { recordSchemaOperations } from './schemas.operations.ts';
import { SCHEMAS } from './schemas.ts';

export const Env = z.object({});

export const handler = apiRoutes(tenantApi, recordSchemaOperations, {
  listRecordSchemas: () => ok({ items: Object.values(SCHEMAS).map(presentSummary) }),
  getRecordSchema: ({ path: { type } }) => {
    if (!isRecordType(type)) noSuch('record type');
    return ok(presentSchema(SCHEMAS[type]));
  },
});
