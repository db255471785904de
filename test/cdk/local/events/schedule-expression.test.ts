import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCron } from '../../../../cdk/local/events/cron.ts';
import { parseSchedule } from '../../../../cdk/local/events/schedule-expression.ts';

const next = (expression: string, after: string) => parseSchedule(expression)(new Date(after))?.toISOString();

describe('a rate', () => {
  it('runs after each interval', () => {
    expect(next('rate(1 minute)', '2026-03-01T00:00:00Z')).toBe('2026-03-01T00:01:00.000Z');
    expect(next('rate(5 hours)', '2026-03-01T00:00:00Z')).toBe('2026-03-01T05:00:00.000Z');
    expect(next('rate(2 days)', '2026-03-01T00:00:00Z')).toBe('2026-03-03T00:00:00.000Z');
  });

  it.each([
    'rate(1 minutes)',
    'rate(2 minute)',
    'rate(0 minutes)',
    'rate(5 weeks)',
    'rate(minute)',
    'every(1 minute)',
    'at(2026-12-24T18:00:00)',
  ])('is refused when it is none: %s', (expression) => {
    expect(() => parseSchedule(expression)).toThrow(/is no (rate|schedule)/);
  });
});

describe('a cron expression', () => {
  it.each([
    ['0 3 * * ? *', '2026-03-01T03:00:00Z', '2026-03-02T03:00:00.000Z'],
    ['17 3 * * ? *', '2026-12-31T04:00:00Z', '2027-01-01T03:17:00.000Z'],
    ['0 * * * ? *', '2026-03-01T00:00:00Z', '2026-03-01T01:00:00.000Z'],
    ['30,0 8 ? * * *', '2026-03-01T08:00:00Z', '2026-03-01T08:30:00.000Z'],
  ])('%s runs after %s at %s', (expression, after, expected) => {
    expect(next(`cron(${expression})`, after)).toBe(expected);
  });

  it.each([
    '0 3 * * ?',
    '60 * * * ? *',
    '* 24 * * ? *',
    'a * * * ? *',
    '0/15 * * * ? *',
    '0 8 ? * MON-FRI *',
    '0 0 1 * ? *',
    '0 12 * * ? 2030',
  ])('is refused when it is none, or one that the local cloud does not have: %s', (expression) => {
    expect(() => parseCron(expression)).toThrow();
  });

  it('of any minutes and hours runs next at the first of them after now', () => {
    const someOf = (most: number) => fc.uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 4 });
    const instants = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(someOf(59), someOf(23), instants, (minutes, hours, after) => {
        const actual = parseSchedule(`cron(${minutes.join(',')} ${hours.join(',')} * * ? *)`)(after);
        let expected = new Date(Math.floor(after.getTime() / 60_000) * 60_000 + 60_000);
        while (!minutes.includes(expected.getUTCMinutes()) || !hours.includes(expected.getUTCHours())) {
          expected = new Date(expected.getTime() + 60_000);
        }
        expect(actual).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
