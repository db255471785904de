import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { DownloadRequest } from '../requests/tenant-requests.operations.ts';
import { RecordTypePath } from '../schemas/record-type.ts';
import { DataRecord } from './search-data.operations.ts';
import { NewRequest, PreviewQuery } from './tenant-search.ts';

const RecordPreview = named(
  'RecordPreview',
  z.object({ estimatedTotal: z.int(), records: z.array(DataRecord) }),
  'The number of matches, which is exact, and the first of them.',
);

/** Operations that search records for a tenant. */
export const tenantDataOperations = operations({
  previewRecords: {
    route: 'GET /manage/v1/data/{type}',
    summary: 'Preview the records that match a query',
    description: "Previews are free, within limits of the tenant. They have the views of the tenant's data tokens.",
    path: RecordTypePath,
    query: PreviewQuery,
    answers: { 200: RecordPreview },
    errors: {
      400: ['invalid-query'],
      403: ['forbidden', 'no-data-token'],
      429: ['rate-limited', 'preview-records-exceeded'],
    },
  },
  createDownloadRequest: {
    route: 'POST /manage/v1/requests',
    summary: 'Start a download',
    body: NewRequest,
    example: { type: 'businesses', q: 'city:austin AND categories:hotels', format: 'csv', records: 500 },
    answers: { 201: DownloadRequest },
    errors: {
      400: ['invalid-query', 'nothing-requested', 'bad-request'],
      403: ['forbidden', 'no-data-token'],
      409: ['too-few-credits', 'token-revoked'],
      503: ['busy'],
    },
  },
});
