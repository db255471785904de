import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataCredit, renewed, renewsAt } from '../../../shared/auth/data-credit.ts';

const at = (date: string) => Date.parse(`${date}Z`);
const credit: DataCredit = {
  availableDownloads: 700,
  monthlyDownloads: 1_000,
  extraDownloads: 0,
  creditMonth: '2026-01',
};

describe('the credit of a data token', () => {
  it.each([
    ['2026-01-31T23:59:59.999', 700],
    ['2026-02-01T00:00:00.000', 1_000],
    ['2027-06-15T12:00:00.000', 1_000],
    ['2025-12-31T00:00:00.000', 700],
  ])('at %s is %d', (time, available) => {
    expect(renewed(credit, at(time)).availableDownloads).toBe(available);
  });

  it('is renewed at the first moment of each calendar month', () => {
    expect(new Date(renewsAt(at('2026-12-31T23:59:59.999'))).toISOString()).toBe('2027-01-01T00:00:00.000Z');
    expect(new Date(renewsAt(at('2028-02-01T00:00:00.000'))).toISOString()).toBe('2028-03-01T00:00:00.000Z');
  });

  it('that is not renewed stays for ever', () => {
    expect(renewed({ availableDownloads: 5 }, at('2030-01-01T00:00:00'))).toEqual({ availableDownloads: 5 });
  });

  it('keeps what was granted beside the monthly one, which is used first, and never more than is left', () => {
    const amount = fc.nat(10_000);
    fc.assert(
      fc.property(amount, amount, fc.double({ min: 0, max: 1, noNaN: true }), (monthly, extra, share) => {
        const used = Math.floor((monthly + extra) * share);
        const stored = { monthlyDownloads: monthly, extraDownloads: extra, creditMonth: '2026-01' };
        const next = renewed({ ...stored, availableDownloads: monthly + extra - used }, at('2026-02-01T00:00:00'));
        const remainder = extra - Math.max(0, used - monthly);
        expect(next).toMatchObject({ availableDownloads: monthly + remainder, extraDownloads: remainder });
      }),
    );
  });
});
