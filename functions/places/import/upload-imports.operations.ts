import { operations } from '#shared/http/operation';
import { ImportUpload, NewUpload, StartedUpload, UploadedFile } from '#shared/import/uploads/upload-schemas';

/** Operations that upload files of places by links. */
export const placeUploadOperations = operations({
  beginPlaceUpload: {
    route: 'POST /manage/v1/loyalty/imports/uploads',
    summary: 'Begin an upload of places',
    description:
      'Answers links for the parts of a file, which are put there without a credential. The upload expires after a day.',
    body: NewUpload,
    example: { name: 'places.csv', bytes: 1_000 },
    answers: { 200: ImportUpload },
  },
  importPlaces: {
    route: 'POST /manage/v1/loyalty/imports',
    summary: 'Import an uploaded file of places',
    description: 'Completes the upload. `map` renames the columns of the file.',
    body: StartedUpload,
    example: {
      key: 'demo/2026-11-26/mwxx8qgs-nSoKQz5OOahK/places.csv',
      uploadId: 'an id of beginPlaceUpload',
      bytes: 1_000,
      map: { columns: { Title: 'name' } },
    },
    answers: { 202: UploadedFile },
    errors: { 409: ['upload-gone', 'upload-incomplete'] },
  },
});
