import type { Download, DownloadDetails, DownloadFile } from './download-answers.ts';

/** The number of files on a page. */
const FILES_PER_PAGE = 50;
const RETENTION_MILLIS = 7 * 86_400_000;

export const isOver = ({ status }: Pick<Download, 'status'>): boolean => status !== 'STARTED';

/** Returns whether the files of a download have expired. */
export const isPastExpiry = ({ progressedAt }: Pick<Download, 'progressedAt'>, now: number): boolean =>
  Date.parse(progressedAt) + RETENTION_MILLIS <= now;

interface FilePage {
  readonly files: readonly DownloadFile[];
  /** The number after which the next page begins; undefined on the last page. */
  readonly nextAfter: number | undefined;
}

/** Returns one page of the files, because the API lists more at once than fit on a screen. */
export function filePage({ files, moreFilesAfter }: Pick<DownloadDetails, 'files' | 'moreFilesAfter'>): FilePage {
  const page = files.slice(0, FILES_PER_PAGE);
  return { files: page, nextAfter: files.length > FILES_PER_PAGE ? page.at(-1)?.number : moreFilesAfter };
}
