import * as z from 'zod/mini';
import { pageOf } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { ImportQuery, ImportsQuery } from '#shared/import/import-query';
import { Import, ImportReport } from '#shared/import/import-schemas';
import { ImportPreview, PreviewedFile } from '#shared/import/uploads/upload-schemas';
import { RecordTypeName } from '../schemas/record-type.ts';

/** Operations on imports of records. */
export const recordImportOperations = operations({
  listRecordImports: {
    route: 'GET /manage/v1/imports',
    summary: 'List imports of records',
    description: 'For operators. Imports are listed for 90 days.',
    query: ImportsQuery,
    answers: { 200: pageOf('ImportPage', Import) },
  },
  getRecordImport: {
    route: 'GET /manage/v1/imports/{id}',
    summary: 'Get an import of records',
    description: 'For operators.',
    path: ItemPath,
    query: ImportQuery,
    answers: { 200: ImportReport },
  },
  previewRecordImport: {
    route: 'POST /manage/v1/imports/preview',
    summary: 'Preview an import of records',
    description:
      'For operators. Reads the columns and the first ten rows of a file from its beginning, as its import would. Nothing is stored.',
    body: z.extend(PreviewedFile, { type: RecordTypeName }),
    example: {
      type: 'businesses',
      name: 'businesses.csv',
      bytes: 12,
      head: 'aWQsbmFtZQphLEEK',
    },
    answers: { 200: ImportPreview },
  },
});
