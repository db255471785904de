import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { DownloadRequest } from '../download/download-request.ts';
import { fileKeyOf, fileNameOf, filesOf, RESULT_SECONDS, type ResultFile } from '../download/result-file.ts';
import { expiryOf } from '../requests/tenant-request.ts';
import type { ResultLinks } from './present-result.ts';

/** A link is created when a person requests it, and is used at once. */
export const LINK_SECONDS = 300;

/** The file that a person requests, and its row, if there is one. */
interface FileRequest {
  readonly request: DownloadRequest;
  readonly number: number;
  readonly file: ResultFile | undefined;
}

/** Creates a link to a file. Refuses a file that does not exist, and one that has expired. */
export async function linkToFile(links: ResultLinks, { request, number, file }: FileRequest, now: number) {
  if (!file && !wasRemoved(request, number, now)) throw new Refusal(404, 'not-found', 'There is no such file.');
  const secondsLeft = file ? Math.floor((expiryOf(file) - now) / 1_000) : 0;
  if (secondsLeft < 1) throw new Refusal(410, 'file-expired', 'Files are kept for 7 days. This one has expired.');
  const seconds = Math.min(LINK_SECONDS, secondsLeft);
  const url = await links.link(fileKeyOf(request, number), fileNameOf(request, number), seconds);
  return { url, expiresAt: isoTime(now + seconds * 1_000) };
}

/**
 * Returns whether a file without a row existed before. For a download that could not deliver everything this is not
 * known at first.
 */
function wasRemoved(request: DownloadRequest, number: number, now: number): boolean {
  if (request.completedAt === undefined || number > filesOf(request)) return false;
  return request.error === '' || Date.parse(request.completedAt) + RESULT_SECONDS * 1_000 <= now;
}
