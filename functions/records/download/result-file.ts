/** The files of a download: which records each holds, its names, and how long it lasts. */
import type { DownloadRequest } from './download-request.ts';

/** Records per file; the last file of a download has the rest. */
export const FILE_RECORDS = 10_000;

/** The most files of one download: their numbers are the lower 16 bits of result ids. */
export const MAX_FILES = 65_535;

/** Files of a download, by number: `from` to before `to`. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** The time for which a result file can be fetched. */
export const RESULT_SECONDS = 7 * 86_400;

/** A file in storage that can be fetched until it expires. */
export interface ResultFile {
  readonly file: number;
  readonly records: number;
  readonly bytes: number;
  readonly createdAt: string;
}

export const filesOf = ({ numRequested }: Pick<DownloadRequest, 'numRequested'>): number =>
  Math.ceil(numRequested / FILE_RECORDS);

/** The matches that go into a file; files count from 1. */
export const matchesOf = ({ numRequested }: Pick<DownloadRequest, 'numRequested'>, file: number) => ({
  from: (file - 1) * FILE_RECORDS,
  to: Math.min(file * FILE_RECORDS, numRequested),
});

/** The id of a result: unique because the request's id is. */
export const resultIdOf = (requestId: number, file: number): number => requestId * (MAX_FILES + 1) + file;

/** The name under which a client saves the file. */
export const fileNameOf = ({ id, format }: Pick<DownloadRequest, 'id' | 'format'>, file: number): string =>
  `${id}_${file}.${format === 'csv' ? 'csv' : 'txt'}`;

/** The S3 key, `{tenant}/{token id}/{file name}`. The token cannot be derived from its id. */
export const fileKeyOf = (
  request: Pick<DownloadRequest, 'id' | 'format' | 'tokenId' | 'tenant'>,
  file: number,
): string => `${resultFolder(request.tenant)}${request.tokenId}/${fileNameOf(request, file)}`;

/** The prefix of all results of a tenant. */
export const resultFolder = (tenant: string): string => `${tenant}/`;
