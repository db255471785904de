import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { DataTime } from '#shared/http/data-answers';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { onlyParameters } from '#shared/http/query';
import { MAX_FILES } from '../download/result-file.ts';

const Result = named(
  'Result',
  z.object({
    id: z.int(),
    url: z.string().describe('A link to the file, which needs no token. It is new on every read.'),
    request_id: z.int(),
    downloaded: z.int(),
    imported: z.int(),
    date_created: DataTime,
  }),
  'A file of a download.',
);

const FileLink = named(
  'FileLink',
  z.object({ url: z.string(), expiresAt: Time }),
  'A link to a file of a download, for five minutes.',
);

const FilePath = ItemPath.extend({ number: z.coerce.number().int().min(1).max(MAX_FILES) });

/** Operations on the files of downloads. */
export const resultOperations = operations({
  listResults: {
    route: 'GET /v3/results/{id}',
    summary: 'List the files of a download',
    description: 'For 7 days, once the download is `COMPLETED`.',
    path: z.object({ id: z.string() }),
    query: onlyParameters({
      after: { type: 'integer', format: 'int64', description: 'The id of a result, after which the list continues.' },
    }),
    answers: { 200: z.array(Result) },
    headers: { Link: 'The address of the rest, with `rel="next"`, after 2,000 files.' },
    errors: { 400: ['bad-request'], 404: ['not-found'] },
  },
  createFileLink: {
    route: 'POST /manage/v1/requests/{id}/files/{number}',
    summary: 'Create a link to a file of a download',
    path: FilePath,
    answers: { 200: FileLink },
    errors: { 410: ['file-expired'] },
  },
  listFileRecords: {
    route: 'GET /manage/v1/requests/{id}/files/{number}/records',
    summary: 'List the records of a file of a download',
    description:
      'In the order of the file, as it has them: the rows of a CSV file are objects of the columns that are filled. A page may have fewer than `limit` if they are large.',
    path: FilePath,
    query: PageQuery,
    answers: { 200: pageOf('FileRecordPage', z.record(z.string(), z.unknown())) },
    errors: { 410: ['file-expired'] },
  },
});
