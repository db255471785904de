/**
 * Uploads of files with records, for operators. It signs links to the bucket of imports, and starts imports by
 * completing uploads.
 */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, json, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { importUploads } from '#shared/import/uploads/import-uploads.s3';
import { SCHEMAS } from '../schemas/schemas.ts';
import { mapFields } from './rows/map-field-names.ts';
import { recordUploadOperations } from './upload-imports.operations.ts';

export const Env = z.object({ ...auditTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const uploads = importUploads(env.IMPORTS_BUCKET);

export const handler = apiRoutes(audited(managementApi, env), recordUploadOperations, {
  beginRecordUpload: async ({ caller, body: { type, ...file }, now }) => {
    requireOperator(caller);
    return ok(await uploads.begin({ folder: type }, file, now));
  },
  importRecords: async ({ caller, body: { type, ...upload } }) => {
    requireOperator(caller);
    await uploads.complete({ folder: type, fields: mapFields(SCHEMAS[type]) }, upload);
    return json(202, { key: upload.key });
  },
});
