import { describe, expect, it } from 'vitest';
import { durationText } from '../../../functions/console/components/durations.ts';
import { bytesText, countOf, countText } from '../../../functions/console/components/quantities.ts';
import { timeText, utcText } from '../../../functions/console/components/times.ts';

const NOW = Date.UTC(2026, 10, 21, 15, 2, 5);

describe('a time', () => {
  const shown = (millis: number, timeZone = 'UTC', more = {}) => timeText(millis, { timeZone, now: NOW, ...more });

  it('is that of the time zone', () => {
    expect(shown(NOW)).toBe('21 Nov 15:02:05');
    expect(shown(NOW, 'Asia/Tokyo')).toBe('22 Nov 00:02:05');
    expect(utcText(NOW)).toBe('2026-11-21 15:02:05.000 UTC');
  });

  it('has a year only where it is another one', () => {
    expect(shown(Date.UTC(2025, 11, 31, 23, 30))).toBe('31 Dec 2025 23:30:00');
    expect(shown(Date.UTC(2025, 11, 31, 23, 30), 'Asia/Tokyo')).toBe('1 Jan 08:30:00');
  });

  it('leaves out a day that is known', () => {
    expect(shown(NOW, 'UTC', { sameDayAs: NOW - 60_000 })).toBe('15:02:05');
    expect(shown(NOW, 'UTC', { sameDayAs: NOW - 86_400_000 })).toBe('21 Nov 15:02:05');
    expect(shown(NOW, 'UTC', { only: 'day' })).toBe('21 Nov');
  });
});

describe('quantities', () => {
  it.each([
    [0, '0 ms'],
    [257.4, '257 ms'],
    [42_200, '42.2 s'],
    [5_000, '5 s'],
    [59_900, '59.9 s'],
    [180_000, '3 min'],
    [5 * 3_600_000, '5 h'],
    [50 * 3_600_000, '2 d'],
  ])('%d milliseconds are %s', (millis, text) => {
    expect(durationText(millis)).toBe(text);
  });

  it.each([
    [0, '0 bytes'],
    [812, '812 bytes'],
    [4_150, '4.2 KB'],
    [123_456, '123 KB'],
    [5_000_000_000, '5.0 GB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(bytesText(bytes)).toBe(text);
  });

  it('count in words', () => {
    expect(countText(12_345)).toBe('12,345');
    expect(countOf(1, 'run')).toBe('1 run');
    expect(countOf(2, 'run')).toBe('2 runs');
    expect(countOf(0, 'entry', 'entries')).toBe('0 entries');
  });
});
