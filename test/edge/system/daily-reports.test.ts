import { expect, it } from 'vitest';
import { dailyReports } from '../../../functions/edge/system/daily-reports.ts';

const HOUR = 3_600_000;

it('a name is reported once a day, and a new one at once', () => {
  const due = dailyReports();
  expect(due(['pages'], 0)).toEqual(['pages']);
  expect(due(['pages', 'tickets'], HOUR)).toEqual(['tickets']);
  expect(due(['pages', 'tickets'], 23 * HOUR)).toEqual([]);
  expect(due(['pages', 'tickets'], 24 * HOUR)).toEqual(['pages']);
});
