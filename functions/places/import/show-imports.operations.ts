import { pageOf } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { ImportQuery, ImportsQuery } from '#shared/import/import-query';
import { Import, ImportReport } from '#shared/import/import-schemas';
import { ImportPreview, PreviewedFile } from '#shared/import/uploads/upload-schemas';

/** Operations on imports of places. */
export const placeImportOperations = operations({
  listPlaceImports: {
    route: 'GET /manage/v1/loyalty/imports',
    summary: 'List imports of places',
    query: ImportsQuery,
    answers: { 200: pageOf('ImportPage', Import) },
  },
  getPlaceImport: {
    route: 'GET /manage/v1/loyalty/imports/{id}',
    summary: 'Get an import of places',
    path: ItemPath,
    query: ImportQuery,
    answers: { 200: ImportReport },
  },
  previewPlaceImport: {
    route: 'POST /manage/v1/loyalty/imports/preview',
    summary: 'Preview an import of places',
    description:
      'Reads the columns and the first ten rows of a file from its beginning, as its import would. Nothing is stored.',
    body: PreviewedFile,
    example: {
      name: 'places.csv',
      bytes: 36,
      head: 'aWQsbmFtZSxsYXQsbG5nCmEsQSwxLDIK',
    },
    answers: { 200: ImportPreview },
  },
});
