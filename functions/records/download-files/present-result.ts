import { Refusal } from '#shared/errors';
import { timestamp } from '#shared/formats/timestamp';
import { type DownloadRequest } from '../download/download-request.ts';
import {
  fileKeyOf,
  fileNameOf,
  MAX_FILES,
  RESULT_SECONDS,
  type ResultFile,
  resultIdOf,
} from '../download/result-file.ts';

export interface ResultLinks {
  /** A link that serves the object under this file name, to anyone who has it, for this long. */
  link(key: string, fileName: string, seconds: number): Promise<string>;
}

/** The most results of one answer; more would exceed what a function may return. */
export const MAX_RESULTS = 2_000;

/** The Result object (README, "Interface"), with a link that is new each time and expires no later than the file. */
export async function presentResult(
  links: ResultLinks,
  request: DownloadRequest,
  { file, createdAt }: ResultFile,
  now: number,
) {
  const created = new Date(createdAt);
  const secondsLeft = RESULT_SECONDS - Math.ceil((now - created.getTime()) / 1000);
  return {
    id: resultIdOf(request.id, file),
    url: await links.link(
      fileKeyOf(request, file),
      fileNameOf(request, file),
      Math.min(Math.max(secondsLeft, 1), RESULT_SECONDS),
    ),
    request_id: request.id,
    downloaded: 0,
    imported: 0,
    date_created: timestamp(created),
  };
}

/** The number of the file whose result id is `after`; 0, before the first, if absent. */
export function fileAfter({ id }: DownloadRequest, after: string | undefined): number {
  if (!after) return 0;
  const file = /^[0-9]{1,16}$/.test(after) ? Number(after) - resultIdOf(id, 0) : -1;
  if (file >= 0 && file <= MAX_FILES) return file;
  throw new Refusal(400, 'bad-request', 'after must be the id of a result of this request');
}

/** The header that links to the rest, when an answer is full. */
export function nextLink({ id }: DownloadRequest, results: readonly { readonly id: number }[]): Record<string, string> {
  const last = results.at(-1);
  return results.length === MAX_RESULTS && last ? { link: `</v3/results/${id}?after=${last.id}>; rel="next"` } : {};
}
