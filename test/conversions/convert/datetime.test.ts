import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DATETIME_FORMATS } from '../../../functions/conversions/convert/datetime-formats.ts';
import { convert, refusal } from './converting.ts';

const time = (value: unknown, from: string, to: string, more = {}) => ({ kind: 'datetime', value, from, to, ...more });
const BERLIN = { timezone: 'Europe/Berlin' };

describe('times', () => {
  it.each([
    ['1700000000.123456789', 'unix', 'iso8601', {}, '2023-11-14T22:13:20.123456789Z'],
    ['1700000000', 'unix', 'iso8601', BERLIN, '2023-11-14T23:13:20+01:00'],
    ['2024-10-27T02:30:00.5+02:00', 'iso8601', 'unix-ms', {}, '1729989000500'],
    [
      '2024-10-27T02:30:00.123456+02:00',
      'iso8601',
      'iso8601',
      { timezone: 'America/New_York' },
      '2024-10-26T20:30:00.123456-04:00',
    ],
    ['2024-10-27T02:30:00-05:30', 'iso8601', 'iso8601', {}, '2024-10-27T02:30:00-05:30'],
    ['2024-06-01 12:00', 'sql', 'iso8601', BERLIN, '2024-06-01T12:00:00+02:00'],
    ['03/04/2024', 'dd/MM/yyyy', 'date', BERLIN, '2024-04-03'],
    ['03/04/2024', 'MM/dd/yyyy', 'date', BERLIN, '2024-03-04'],
    ['3.4.2024 7:05', 'd.M.yyyy H:mm', 'rfc2822', BERLIN, 'Wed, 03 Apr 2024 07:05:00 +0200'],
    ['2024-04-03T07:05:09Z', 'iso8601', 'dd.MM.yyyy HH:mm:ss ZZ', BERLIN, '03.04.2024 09:05:09 +02:00'],
    ['45292.5', 'excel', 'iso8601', { timezone: 'UTC' }, '2024-01-01T12:00:00Z'],
    ['2024-01-01T12:00:00Z', 'iso8601', 'excel', {}, '45292.5'],
    ['61', 'excel', 'date', { timezone: 'UTC' }, '1900-03-01'],
    ['Sun, 10 Mar 2024 12:00:00 +0100', 'rfc2822', 'http', {}, 'Sun, 10 Mar 2024 11:00:00 GMT'],
    ['Sun, 10 Mar 2024 11:00:00 GMT', 'http', 'sql', {}, '2024-03-10 11:00:00'],
    ['2024-01-01T00:00:00.9996Z', 'iso8601', 'iso8601', { precision: 3 }, '2024-01-01T00:00:01.000Z'],
    ['1969-12-31T23:59:59.9Z', 'iso8601', 'date', {}, '1969-12-31'],
    ['-0.1', 'unix', 'iso8601', { precision: 0, rounding: 'down' }, '1969-12-31T23:59:59Z'],
    ['0001-01-01T00:00:00Z', 'iso8601', 'unix', {}, '-62135596800'],
  ])('converts %s from %s to %s with %j', async (value, from, to, more, expected) => {
    expect(await convert(time(value, from, to, more))).toEqual({ value: expected });
  });

  it('asks for the zone of a time that names no offset', async () => {
    expect(await refusal(time('2024-10-27T02:30:00', 'iso8601', 'unix'))).toMatchObject({ code: 'ambiguous-value' });
    const item = time('2024-06-01T02:30:00', 'iso8601', 'unix');
    expect(await convert(item, BERLIN)).toEqual({ value: '1717201800' });
  });

  it('refuses a time that the clock skips', async () => {
    expect(await refusal(time('2024-03-31T02:30:00', 'iso8601', 'unix', BERLIN))).toMatchObject({
      code: 'unparseable-value',
      message: expect.stringContaining('does not exist in Europe/Berlin'),
    });
  });

  it('asks which of two hours is meant when the clock goes back', async () => {
    const { code, facts } = await refusal(time('2024-10-27T02:30:00', 'iso8601', 'unix', BERLIN));
    expect(code).toBe('ambiguous-value');
    expect(facts.candidates).toEqual(['2024-10-27T02:30:00+02:00', '2024-10-27T02:30:00+01:00']);
    const readings = facts.candidates?.map((each) => convert(time(each, 'iso8601', 'unix')));
    expect(await Promise.all(readings ?? [])).toEqual([{ value: '1729989000' }, { value: '1729992600' }]);
  });

  it.each([
    ['2024-02-30', 'date', 'unix', 'unparseable-value'],
    ['2023-02-29T00:00:00', 'iso8601', 'unix', 'unparseable-value'],
    ['0000-01-01', 'date', 'unix', 'unparseable-value'],
    ['2024-01-01T25:00', 'iso8601', 'unix', 'unparseable-value'],
    ['2024-01-01T00:00:00+99:00', 'iso8601', 'unix', 'unparseable-value'],
    ['yesterday', 'iso8601', 'unix', 'unparseable-value'],
    ['1e300', 'unix', 'iso8601', 'unparseable-value'],
    ['99999999999999', 'unix', 'iso8601', 'unparseable-value'],
    ['60', 'excel', 'iso8601', 'unsupported-conversion'],
    ['1850-01-01', 'date', 'excel', 'unsupported-conversion'],
    ['1', 'epoch', 'iso8601', 'unsupported-conversion'],
    ['1', 'unix', 'yyyy-QQ', 'unsupported-conversion'],
    ['1', 'unix', 'MM/yyyy', 'unsupported-conversion'],
    ['1', 'unix', 'yyyy-MM-MM-dd', 'unsupported-conversion'],
    ['03/04/24', 'dd/MM/yyyy', 'unix', 'unparseable-value'],
    ['03/04/2024 ', 'dd/MM/yyyy/', 'unix', 'unparseable-value'],
  ])('refuses %s from %s to %s', async (value, from, to, code) => {
    expect(await refusal(time(value, from, to, { timezone: 'UTC' }))).toMatchObject({ code });
  });

  it('suggests the format that is nearly written so', async () => {
    expect(await refusal(time('1', 'unix', 'iso8061'))).toMatchObject({ facts: { suggestion: 'iso8601' } });
  });

  it('returns to the same second through every format, in any zone', async () => {
    const seconds = fc.integer({ min: -2_000_000_000, max: 250_000_000_000 });
    const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Honolulu', 'Asia/Tokyo');
    const format = fc.constantFrom(...DATETIME_FORMATS.filter((each) => each !== 'date'), 'dd/MM/yyyy HH:mm:ss ZZ');
    await fc.assert(
      fc.asyncProperty(seconds, zone, format, async (second, timezone, format) => {
        const there = await convert(
          time(String(second), 'unix', format, { timezone, precision: format === 'excel' ? 12 : undefined }),
        );
        expect(await convert(time(there.value, format, 'unix', { timezone, precision: 0 }))).toEqual({
          value: String(second),
        });
      }),
    );
  });
});
