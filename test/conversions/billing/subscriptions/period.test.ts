import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText, microsIn } from '../../../../functions/conversions/billing/subscriptions/amount.ts';
import { billingPeriodOf, monthOf } from '../../../../functions/conversions/billing/subscriptions/period.ts';

const at = (time: string) => Date.parse(time);
const view = ({ id, start, end }: { id: string; start: number; end: number }) => [
  id,
  new Date(start).toISOString(),
  new Date(end).toISOString(),
];

describe('the month of Free', () => {
  it.each([
    ['2026-11-01T00:00:00.000Z', 'm202611', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-11-30T23:59:59.999Z', 'm202611', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'm202612', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 'm202802', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['2026-11-01T00:30:00.000+01:00', 'm202610', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ])('that holds %s is the UTC month %s', (time, ...expected) => {
    expect(view(monthOf(at(time)))).toEqual(expected);
  });

  it('of an account whose payments failed has another counter', () => {
    expect(monthOf(at('2026-03-05T00:00:00Z'), 'b').id).toBe('b202603');
  });
});

describe('a paid period', () => {
  it.each([
    ['begins at the anchor', '2026-11-15T10:30:00.000Z', '2026-11-15T10:30:00.000Z', 'p20261115', '2026-12-15'],
    ['holds its last millisecond', '2026-11-15T10:30:00.000Z', '2026-12-15T10:29:59.999Z', 'p20261115', '2026-12-15'],
    ['does not hold its end', '2026-11-15T10:30:00.000Z', '2026-12-15T10:30:00.000Z', 'p20261215', '2027-01-15'],
    [
      'ends on the last day of a short month',
      '2027-01-31T10:30:00.000Z',
      '2027-02-01T00:00:00Z',
      'p20270131',
      '2027-02-28',
    ],
    ['returns to the day of the anchor', '2027-01-31T10:30:00.000Z', '2027-03-01T00:00:00Z', 'p20270228', '2027-03-31'],
    ['has the 29th in a leap year', '2028-01-30T10:30:00.000Z', '2028-02-10T00:00:00Z', 'p20280130', '2028-02-29'],
    [
      'returns to the 29th of February after four years',
      '2028-02-29T10:30:00.000Z',
      '2032-02-29T10:30:00.000Z',
      'p20320229',
      '2032-03-29',
    ],
    ['has the 28th in between', '2028-02-29T10:30:00.000Z', '2029-03-01T00:00:00Z', 'p20290228', '2029-03-29'],
    ['crosses the year', '2026-12-31T10:30:00.000Z', '2027-02-10T00:00:00Z', 'p20270131', '2027-02-28'],
    ['was there before the anchor, too', '2026-11-15T10:30:00.000Z', '2026-10-20T00:00:00Z', 'p20261015', '2026-11-15'],
  ])('%s', (_what, anchor, now, id, end) => {
    const period = billingPeriodOf(at(anchor), at(now));
    expect(period.id).toBe(id);
    expect(new Date(period.end).toISOString()).toBe(`${end}T10:30:00.000Z`);
  });

  const times = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2045-01-01T00:00:00Z') });

  it('holds its time, has the next one right behind it, and keeps day and time of the anchor where a month has them', () => {
    fc.assert(
      fc.property(times, times, (anchor, now) => {
        const period = billingPeriodOf(anchor, now);
        expect(period.start <= now && now < period.end).toBe(true);
        const next = billingPeriodOf(anchor, period.end);
        expect(next.start).toBe(period.end);
        expect(next.id).not.toBe(period.id);
        for (const boundary of [period.start, period.end]) {
          const [day, anchorDay] = [new Date(boundary), new Date(anchor)];
          expect(day.toISOString().slice(11)).toBe(anchorDay.toISOString().slice(11));
          const isLast = new Date(boundary + 86_400_000).getUTCDate() === 1;
          expect(
            day.getUTCDate() === anchorDay.getUTCDate() || (isLast && day.getUTCDate() < anchorDay.getUTCDate()),
          ).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('amounts', () => {
  it.each([
    [70_000_000, '70.00'],
    [0, '0.00'],
    [4_000, '0.004'],
    [12_500_000, '12.50'],
    [1_500, '0.0015'],
    [-29_000_000, '-29.00'],
    [1, '0.000001'],
    [-1_500, '-0.0015'],
  ])('of %i micro-units are written %s', (micros, text) => {
    expect(amountText(micros)).toBe(text);
  });

  it.each(['', '-1', '+1', '1.', '.5', '1,5', '1e3', '1.0000000', '1234567890', ' 1', '1 ', 'NaN', '0x1', '١'])(
    'are not read from %j',
    (text) => {
      expect(microsIn(text)).toBeUndefined();
    },
  );

  it('are read again as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (micros) => {
        expect(microsIn(amountText(micros))).toBe(micros);
      }),
    );
    expect(microsIn('25')).toBe(25_000_000);
    expect(microsIn('25.5')).toBe(25_500_000);
  });
});
