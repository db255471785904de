import * as z from 'zod';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { DownloadRequest } from '../requests/tenant-requests.operations.ts';
import { RecordTypePath } from '../schemas/record-type.ts';
import { SAMPLE_RECORDS } from './facets.ts';
import { DataRecord } from './search-data.operations.ts';
import { FacetQuery, NewRequest, PreviewQuery } from './tenant-search.ts';

const RecordPreview = named(
  'RecordPreview',
  z.object({ estimatedTotal: z.int(), records: z.array(DataRecord) }),
  'The number of matches, which is exact, and the first of them.',
);

const RecordFacets = named(
  'RecordFacets',
  z.object({
    estimatedTotal: z.int(),
    sampled: z.int().describe('The records that are counted.'),
    facets: z.array(z.object({ field: z.string(), values: z.array(z.object({ value: z.string(), count: z.int() })) })),
  }),
  'The commonest values of a few fields.',
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
  listFacets: {
    route: 'GET /manage/v1/data/{type}/facets',
    summary: 'List the commonest values of the records that match a query',
    description: `Counts are exact up to ${SAMPLE_RECORDS} matches. Of more, they are those of ${SAMPLE_RECORDS} at even distances. It is limited as previews are, and has no other fields than the view.`,
    path: RecordTypePath,
    query: FacetQuery,
    answers: { 200: RecordFacets },
    errors: { 400: ['invalid-query'], 403: ['forbidden', 'no-data-token'], 429: ['rate-limited'] },
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
