import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { DownloadRequest } from '../download/download-request.ts';
import { fileKeyOf, fileNameOf, filesOf, RESULT_SECONDS } from '../download/result-file.ts';
import { expiryOf, type RequestedFile } from '../requests/tenant-request.ts';
import type { ResultLinks } from './present-result.ts';

/** A link is created when a person requests it, and is used at once. */
export const LINK_SECONDS = 300;

/** Returns the file and its remaining time. Refuses a file that does not exist, and one that has expired. */
export function fetchableFile({ request, number, file }: RequestedFile, now: number) {
  if (!file && !wasRemoved(request, number, now)) noSuch('file');
  const secondsLeft = file ? Math.floor((expiryOf(file) - now) / 1_000) : 0;
  if (!file || secondsLeft < 1) throw expiredFile();
  return { request, file, secondsLeft };
}

export const expiredFile = (): Refusal =>
  new Refusal(410, 'file-expired', 'Files are kept for 7 days. This one has expired.');

/** Creates a link to a file. Refuses what `fetchableFile` does. */
export async function linkToFile(links: ResultLinks, requested: RequestedFile, now: number) {
  const { request, number } = requested;
  const seconds = Math.min(LINK_SECONDS, fetchableFile(requested, now).secondsLeft);
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
