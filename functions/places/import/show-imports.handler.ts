/**
 * Imports of a tenant's places, newest first; a single import also shows its rejected lines. It also previews files,
 * which it gets in the call and does not store.
 */
import * as z from 'zod';
import { readEnv, resource } from '#shared/env';
import { noSuch } from '#shared/errors';
import { apiRoutes, ok, okPage } from '#shared/http/http-handler';
import { tenantApi } from '#shared/http/management-api';
import { importList } from '#shared/import/import-list.dynamodb';
import { presentImport } from '#shared/import/present-import';
import { importReports } from '#shared/import/rejection-reports.s3';
import { FILE_START } from '#shared/import/rows/lines';
import { previewFile } from '#shared/import/uploads/preview';
import { boundTable } from '#shared/table/table.dynamodb';
import { placesTable } from '../environment.ts';
import { placeEntries } from './place-entries.ts';
import { MAP_FIELDS } from './place-fields.ts';
import { tenantOf } from './place-part.ts';
import { placeImportOperations } from './show-imports.operations.ts';

export const Env = z.object({ ...placesTable, IMPORTS_BUCKET: resource });
const env = readEnv(Env);
const imports = importList(boundTable(env.PLACES_TABLE));
const reports = importReports(env.IMPORTS_BUCKET);

export const handler = apiRoutes(tenantApi, placeImportOperations, {
  listPlaceImports: async ({ caller: { tenant }, query: { key, ...page } }) =>
    okPage(
      key === undefined
        ? await imports.page(tenant, page)
        : await imports.ofKey(tenantOf({ key }) === tenant ? key : ''),
      presentImport,
    ),
  getPlaceImport: async ({ caller: { tenant }, path: { id }, query }) => {
    const job = await imports.byId(tenant, id);
    if (!job) noSuch('import');
    return ok(await reports.report(job, query.rejectionsAfter));
  },
  previewPlaceImport: async ({ body }) =>
    ok(
      await previewFile(body, {
        fields: MAP_FIELDS,
        entriesOf: (chunks, { name, map, onNames }) =>
          placeEntries(chunks, {
            file: { name, checkpoint: FILE_START },
            map,
            onNames,
          }),
      }),
    ),
});
