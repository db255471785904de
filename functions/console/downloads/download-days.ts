import type { Download } from './download-answers.ts';

const DAY_MILLIS = 86_400_000;
/** The most days of the chart, today included. */
const DAYS_MAX = 30;

interface DownloadedDay {
  readonly date: string;
  readonly records: number;
}

const dateOf = (millis: number) => new Date(millis).toISOString().slice(0, 10);

/**
 * The records that downloads have delivered, by the UTC day on which they were started, until today. A day that the list may
 * not have whole is left out.
 * @param downloads the newest first
 * @param isMore whether there are older ones
 */
export function downloadedDays(
  downloads: readonly Pick<Download, 'startedAt' | 'downloaded'>[],
  isMore: boolean,
  now: number,
): readonly DownloadedDay[] {
  const oldest = downloads.at(-1);
  const partial = isMore && oldest ? dateOf(Date.parse(oldest.startedAt)) : '';
  const counts = new Map<string, number>();
  for (const { startedAt, downloaded } of downloads) {
    const date = dateOf(Date.parse(startedAt));
    counts.set(date, (counts.get(date) ?? 0) + downloaded);
  }
  return Array.from({ length: DAYS_MAX }, (_, n) => dateOf(now - (DAYS_MAX - 1 - n) * DAY_MILLIS))
    .filter((date) => date > partial)
    .map((date) => ({ date, records: counts.get(date) ?? 0 }));
}
