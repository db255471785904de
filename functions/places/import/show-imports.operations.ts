import { pageOf } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { Import, ImportReport } from '#shared/import/import-schemas';

/** Operations on imports of places. */
export const placeImportOperations = operations({
  listPlaceImports: {
    route: 'GET /manage/v1/loyalty/imports',
    summary: 'List imports of places',
    query: PageQuery,
    answers: { 200: pageOf('ImportPage', Import) },
  },
  getPlaceImport: {
    route: 'GET /manage/v1/loyalty/imports/{id}',
    summary: 'Get an import of places',
    path: ItemPath,
    answers: { 200: ImportReport },
  },
});
