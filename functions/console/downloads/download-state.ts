import type { Download, DownloadDetails, DownloadFile } from './download-answers.ts';

/** Files of one page. */
const FILES_SHOWN = 50;
const KEPT_MILLIS = 7 * 86_400_000;

export const isOver = ({ status }: Pick<Download, 'status'>): boolean => status !== 'STARTED';

/** Files are removed that many days after they were written. */
export const isPastExpiry = ({ progressedAt }: Pick<Download, 'progressedAt'>, now: number): boolean =>
  Date.parse(progressedAt) + KEPT_MILLIS <= now;

interface ShownFiles {
  readonly shown: readonly DownloadFile[];
  /** The number after which the next page begins; undefined on the last page. */
  readonly nextAfter: number | undefined;
}

/** The API lists more files at once than a page can bear. */
export function filesShown({ files, moreFilesAfter }: Pick<DownloadDetails, 'files' | 'moreFilesAfter'>): ShownFiles {
  const shown = files.slice(0, FILES_SHOWN);
  return { shown, nextAfter: files.length > FILES_SHOWN ? shown.at(-1)?.number : moreFilesAfter };
}
