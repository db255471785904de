import { describe, expect, it } from 'vitest';
import { timestamp } from '../../../shared/formats/timestamp.ts';

describe('a timestamp of the interfaces', () => {
  it.each([
    ['2026-01-02T03:04:05.678Z', '2026-1-2 03:04:05'],
    ['2026-11-25T23:59:59.999Z', '2026-11-25 23:59:59'],
    ['2028-02-29T00:00:00.000Z', '2028-2-29 00:00:00'],
  ])('has no zeros before month and day, and two digits for hour, minute and second', (at, text) => {
    expect(timestamp(new Date(at))).toBe(text);
  });
});
