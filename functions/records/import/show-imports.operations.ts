import { pageOf } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { Import, ImportReport } from '#shared/import/import-schemas';

/** Operations on imports of records. */
export const recordImportOperations = operations({
  listRecordImports: {
    route: 'GET /manage/v1/imports',
    summary: 'List imports of records',
    description: 'For operators. Imports are listed for 90 days.',
    query: PageQuery,
    answers: { 200: pageOf('ImportPage', Import) },
  },
  getRecordImport: {
    route: 'GET /manage/v1/imports/{id}',
    summary: 'Get an import of records',
    description: 'For operators.',
    path: ItemPath,
    answers: { 200: ImportReport },
  },
});
