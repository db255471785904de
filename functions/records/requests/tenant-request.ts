import * as z from 'zod';
import { noSuch } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import { type DownloadRequest, orderOf, requestIdIn } from '../download/download-request.ts';
import { MAX_FILES, RESULT_SECONDS, type ResultFile } from '../download/result-file.ts';

/** The most files of one answer. */
export const FILES_SHOWN = 1_000;

export const FilesQuery = z.object({
  filesAfter: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_FILES)
    .default(0)
    .describe(`Continues where an answer with ${FILES_SHOWN} files ended.`),
});

/** Parses a request id in a path; for any other text throws the 404 of a request that does not exist. */
export function requestIdOf(text: string): number {
  const id = requestIdIn(text);
  if (id === undefined) noSuch('request');
  return id;
}

/** A file of a request, as a caller names both. */
export interface RequestedFile {
  readonly request: DownloadRequest;
  readonly number: number;
  /** A complete file, including one that has expired and was not removed yet; undefined if there is no such row. */
  readonly file: ResultFile | undefined;
}

/** A request as the management API shows it. `credits` are the records that it has taken and not given back. */
export const presentTenantRequest = (request: DownloadRequest) => ({
  id: request.id,
  type: request.type,
  query: request.query,
  view: request.view,
  format: request.format,
  status: request.status,
  error: request.error,
  found: request.numFound,
  requested: request.numRequested,
  downloaded: request.numDownloaded,
  credits: request.status === 'STARTED' ? request.numRequested : request.numDownloaded,
  tokenId: request.tokenId,
  startedAt: request.startedAt,
  progressedAt: request.progressedAt,
  ...(request.completedAt !== undefined && { completedAt: request.completedAt }),
});

export const expiryOf = ({ createdAt }: ResultFile): number => Date.parse(createdAt) + RESULT_SECONDS * 1_000;

/** The request with its files that can be fetched. `moreFilesAfter` is there when the answer is full. */
export function presentWithFiles(request: DownloadRequest, files: readonly ResultFile[]) {
  const last = files.length === FILES_SHOWN ? files.at(-1) : undefined;
  return {
    ...presentTenantRequest(request),
    files: files.map((file) => ({
      number: file.file,
      records: file.records,
      bytes: file.bytes,
      expiresAt: isoTime(expiryOf(file)),
    })),
    ...(last && { moreFilesAfter: last.file }),
  };
}

/**
 * The newest of several lists, each newest first. Ids grow with time (see `orderOf`) and are unique over all tokens, so
 * that a page continues from the last id of the previous one.
 */
export function newestOf(lists: readonly (readonly DownloadRequest[])[], limit: number): DownloadRequest[] {
  return lists
    .flat()
    .toSorted((a, b) => orderOf(b) - orderOf(a))
    .slice(0, limit);
}
