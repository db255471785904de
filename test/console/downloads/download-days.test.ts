import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { downloadedDays } from '../../../functions/console/downloads/download-days.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const at = (hoursAgo: number, downloaded: number) => ({
  startedAt: new Date(NOW - hoursAgo * 3_600_000).toISOString(),
  downloaded,
});

describe('the records that were downloaded by day', () => {
  it('are those of the last thirty UTC days, today included', () => {
    const days = downloadedDays(
      [at(1, 5), at(12, 7), at(13, 11), at(29 * 24 + 12, 2), at(29 * 24 + 13, 99)],
      false,
      NOW,
    );
    expect(days).toHaveLength(30);
    expect([days.at(-1), days.at(-2), days[0]]).toEqual([
      { date: '2026-11-23', records: 12 },
      { date: '2026-11-22', records: 11 },
      { date: '2026-10-25', records: 2 },
    ]);
  });

  it('leave out a day that the list may not have whole', () => {
    expect(downloadedDays([at(1, 5), at(30, 7), at(31, 11)], true, NOW)).toEqual([{ date: '2026-11-23', records: 5 }]);
    expect(downloadedDays([], false, NOW)).toHaveLength(30);
  });

  it('are the sum of the downloads that were started in the days shown', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1_000), fc.nat(9))), fc.boolean(), (all, isMore) => {
        const downloads = all.toSorted(([a], [b]) => a - b).map(([hours, records]) => at(hours, records));
        const days = downloadedDays(downloads, isMore, NOW);
        const shown = new Set(days.map(({ date }) => date));
        const expected = downloads.filter(({ startedAt }) => shown.has(startedAt.slice(0, 10)));
        expect(days.reduce((sum, { records }) => sum + records, 0)).toBe(
          expected.reduce((sum, { downloaded }) => sum + downloaded, 0),
        );
      }),
    );
  });
});
