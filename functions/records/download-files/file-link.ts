import { noSuch, Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { DownloadRequest } from '../download/download-request.ts';
import { fileKeyOf, fileNameOf, filesOf, RESULT_SECONDS } from '../download/result-file.ts';
import { expiryOf, type RequestedFile } from '../requests/tenant-request.ts';
import type { ResultLinks } from './present-result.ts';

/** A link of the console or `/manage` is used at once. Links of `/v3` work until the file expires: see `presentResult`. */
export const LINK_SECONDS = 300;

/** Returns the file and the seconds until it expires. Refuses a file that never existed (404) or has expired (410). */
export function fetchableFile({ request, number, file }: RequestedFile, now: number) {
  if (!file && !wasRemoved(request, number, now)) noSuch('file');
  const secondsLeft = file ? Math.floor((expiryOf(file) - now) / 1_000) : 0;
  if (!file || secondsLeft < 1) throw expiredFile();
  return { request, file, secondsLeft };
}

export const expiredFile = (): Refusal =>
  new Refusal(410, 'file-expired', `Files are kept for ${RESULT_SECONDS / 86_400} days. This one has expired.`);

/** Creates a link to a file. Refuses what `fetchableFile` does. */
export async function linkToFile(links: ResultLinks, requested: RequestedFile, now: number) {
  const { request, number } = requested;
  const seconds = Math.min(LINK_SECONDS, fetchableFile(requested, now).secondsLeft);
  const url = await links.link(fileKeyOf(request, number), fileNameOf(request, number), seconds);
  return { url, expiresAt: isoTime(now + seconds * 1_000) };
}

/**
 * Returns whether a file without a row existed before and has expired. Until the retention has passed, this is known only
 * of downloads without an error: others may have delivered fewer files than requested.
 */
function wasRemoved(request: DownloadRequest, number: number, now: number): boolean {
  if (request.completedAt === undefined || number > filesOf(request)) return false;
  return request.error === '' || Date.parse(request.completedAt) + RESULT_SECONDS * 1_000 <= now;
}
