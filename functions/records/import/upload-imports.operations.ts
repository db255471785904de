import * as z from 'zod/mini';
import { operations } from '#shared/http/operation';
import { ImportUpload, NewUpload, StartedUpload, UploadedFile } from '#shared/import/uploads/upload-schemas';
import { RecordTypeName } from '../schemas/record-type.ts';

/** Operations that upload files of records by links. */
export const recordUploadOperations = operations({
  beginRecordUpload: {
    route: 'POST /manage/v1/imports/uploads',
    summary: 'Begin an upload of records',
    description:
      'For operators. Answers links for the parts of a file, which are put there without a credential. The upload expires after a day.',
    body: z.extend(NewUpload, { type: RecordTypeName }),
    example: { type: 'businesses', name: 'businesses.csv', bytes: 1_000 },
    answers: { 200: ImportUpload },
  },
  importRecords: {
    route: 'POST /manage/v1/imports',
    summary: 'Import an uploaded file of records',
    description: 'For operators. Completes the upload. `map` renames the columns of the file.',
    body: z.extend(StartedUpload, { type: RecordTypeName }),
    example: {
      type: 'businesses',
      key: 'businesses/2026-11-26/mwxx8qgs-nSoKQz5OOahK/businesses.csv',
      uploadId: 'an id of beginRecordUpload',
      bytes: 1_000,
      map: { columns: { Title: 'name' } },
    },
    answers: { 202: UploadedFile },
    errors: { 409: ['upload-gone', 'upload-incomplete'] },
  },
});
