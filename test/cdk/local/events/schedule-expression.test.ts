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
    ['0/15 * * * ? *', '2026-03-01T00:07:30Z', '2026-03-01T00:15:00.000Z'],
    ['10-12 * * * ? *', '2026-03-01T00:12:00Z', '2026-03-01T01:10:00.000Z'],
    ['0 8 ? * MON-FRI *', '2026-03-06T09:00:00Z', '2026-03-09T08:00:00.000Z'],
    ['0 8 ? * 1 *', '2026-03-02T00:00:00Z', '2026-03-08T08:00:00.000Z'],
    ['0 0 L * ? *', '2026-02-01T00:00:00Z', '2026-02-28T00:00:00.000Z'],
    ['0 0 15W * ? *', '2026-03-01T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['0 0 1W * ? *', '2026-07-31T00:00:00Z', '2026-08-03T00:00:00.000Z'],
    ['0 0 ? * 6L *', '2026-03-01T00:00:00Z', '2026-03-27T00:00:00.000Z'],
    ['0 0 ? * TUE#2 *', '2026-03-01T00:00:00Z', '2026-03-10T00:00:00.000Z'],
    ['0 0 1 JAN,JUL ? *', '2026-03-01T00:00:00Z', '2026-07-01T00:00:00.000Z'],
    ['0 0 29 2 ? *', '2026-03-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0 12 1 1 ? 2030', '2026-03-01T00:00:00Z', '2030-01-01T12:00:00.000Z'],
  ])('%s runs after %s at %s', (expression, after, expected) => {
    expect(next(`cron(${expression})`, after)).toBe(expected);
  });

  it('that is over never runs again', () => {
    expect(next('cron(0 0 1 1 ? 2020)', '2026-03-01T00:00:00Z')).toBeUndefined();
  });

  it.each([
    '* * * * * *',
    '* * ? * ? *',
    '0 3 * * ?',
    '60 * * * ? *',
    '* 24 * * ? *',
    '* * 0 * ? *',
    '* * * 13 ? *',
    '* * ? * 8 *',
    '* * * * ? 1969',
    '5-1 * * * ? *',
    '*/0 * * * ? *',
    'a * * * ? *',
    '* * ? * MON#6 *',
  ])('is refused when it is none: %s', (expression) => {
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
        const found = parseSchedule(`cron(${minutes.join(',')} ${hours.join(',')} * * ? *)`)(after);
        let expected = new Date(Math.floor(after.getTime() / 60_000) * 60_000 + 60_000);
        while (!minutes.includes(expected.getUTCMinutes()) || !hours.includes(expected.getUTCHours())) {
          expected = new Date(expected.getTime() + 60_000);
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});
