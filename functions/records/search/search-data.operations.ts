import * as z from 'zod/mini';
import { named } from '#shared/http/answer-schemas';
import { operations } from '#shared/http/operation';
import { onlyParameters } from '#shared/http/query';
import { DataRequest } from '../download/data-request.ts';
import { RecordTypePath } from '../schemas/record-type.ts';
import { SEARCH_PARAMETERS } from './search-parameters.ts';

export const DataRecord = named(
  'DataRecord',
  z.record(z.string(), z.unknown()),
  'A business, product or property: the fields of the view that it has.',
);

const SearchPreview = named(
  'SearchPreview',
  z.object({ 'estimated total': z.int(), records: z.union([z.array(DataRecord), z.string()]) }),
  'The number of matches, which is exact, and the first of them; with `format=csv` the records are one text.',
);

/** The operation of `/v3` that searches records. */
export const searchOperations = operations({
  searchRecords: {
    route: 'GET /v3/data/{type}',
    summary: 'Search records, or start a download of them',
    description:
      'A search is free, within limits that the headers state. With `download=true` the answer is 303 with the request of the download.',
    // With `download=true` each call starts another download.
    isRepeatable: false,
    path: RecordTypePath,
    query: onlyParameters(SEARCH_PARAMETERS),
    answers: { 200: SearchPreview, 303: DataRequest },
    errors: {
      400: ['invalid-query', 'nothing-requested', 'bad-request'],
      401: ['token-revoked'],
      403: ['forbidden', 'too-few-credits'],
      404: ['not-found'],
      429: ['rate-limited', 'preview-records-exceeded'],
      503: ['busy'],
    },
  },
});
