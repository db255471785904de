/** Uploads of files with places. It signs links to the bucket of imports, and starts imports by completing uploads. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, json, ok } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { importUploads } from '#shared/import/uploads/import-uploads.s3';
import { MAP_FIELDS } from './place-fields.ts';
import { placeUploadOperations } from './upload-imports.operations.ts';

export const Env = z.object({ ...auditTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const uploads = importUploads(env.IMPORTS_BUCKET);

export const handler = apiRoutes(audited(tenantApi, env), placeUploadOperations, {
  beginPlaceUpload: async ({ caller: { tenant }, body, now }) => ok(await uploads.begin({ folder: tenant }, body, now)),
  importPlaces: async ({ caller: { tenant }, body }) => {
    await uploads.complete({ folder: tenant, fields: MAP_FIELDS }, body);
    return json(202, { key: body.key });
  },
});
