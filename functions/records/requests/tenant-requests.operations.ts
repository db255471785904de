import * as z from 'zod';
import { named, pageOf, Time } from '#shared/http/answer-schemas';
import { ItemPath } from '#shared/http/management-api';
import { operations } from '#shared/http/operation';
import { PageQuery } from '#shared/http/page';
import { RecordTypeName } from '../schemas/record-type.ts';
import { FilesQuery } from './tenant-request.ts';

export const DownloadRequest = named(
  'DownloadRequest',
  z.object({
    id: z.int(),
    type: RecordTypeName,
    query: z.string(),
    view: z.string(),
    format: z.enum(['json', 'csv']),
    status: z.enum(['STARTED', 'COMPLETED']),
    error: z.string().describe('Why not everything was delivered; empty if there is no reason.'),
    found: z.int(),
    requested: z.int(),
    downloaded: z.int(),
    credits: z.int().describe('The records that the download has taken and not given back.'),
    tokenId: z.string().describe('The data token that has paid.'),
    startedAt: Time,
    progressedAt: Time,
    completedAt: z.optional(Time),
  }),
  'A download of all or some matches of a query.',
);

const DownloadFile = named(
  'DownloadFile',
  z.object({ number: z.int(), records: z.int(), bytes: z.int(), expiresAt: Time }),
  'A file of a download.',
);

const DownloadRequestWithFiles = named(
  'DownloadRequestWithFiles',
  DownloadRequest.extend({
    files: z.array(DownloadFile),
    moreFilesAfter: z.int().optional().describe('The list continues at `filesAfter` with this number.'),
  }),
  'A download with the files that can be fetched.',
);

/** Operations on downloads. */
export const downloadRequestOperations = operations({
  listDownloadRequests: {
    route: 'GET /manage/v1/requests',
    summary: 'List downloads',
    description: 'The downloads of all data tokens of the tenant, revoked ones too.',
    query: PageQuery,
    answers: { 200: pageOf('DownloadRequestPage', DownloadRequest) },
  },
  getDownloadRequest: {
    route: 'GET /manage/v1/requests/{id}',
    summary: 'Get a download with its files',
    path: ItemPath,
    query: FilesQuery,
    answers: { 200: DownloadRequestWithFiles },
  },
});
