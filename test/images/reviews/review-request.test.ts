import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Amount, amountText } from '../../../functions/images/reviews/amount.ts';
import { ListQuery, ReviewRequest } from '../../../functions/images/reviews/review-request.ts';

describe('an amount', () => {
  it.each([
    ['0', 0],
    ['0.5', 50],
    ['3.05', 305],
    ['003.50', 350],
    [3.5, 350],
    [0.07, 7],
    [19.99, 1_999],
    [1_000_000_000, 100_000_000_000],
    ['1000000000.00', 100_000_000_000],
  ])('%j is %d hundredths', (input, cents) => {
    expect(Amount.parse(input)).toBe(cents);
  });

  it.each(['', ' 1', '1.', '.5', '-1', '+1', '1,50', '1.005', '1e3', '0x10', '$1', '١', '1000000000.01', 0.1 + 0.2])(
    '%j is no amount',
    (input) => {
      expect(Amount.safeParse(input).success).toBe(false);
    },
  );

  it.each([-1, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, null, true, [1], {}, '1'.repeat(400)])(
    '%j is no amount either',
    (input) => {
      expect(Amount.safeParse(input).success).toBe(false);
    },
  );

  it('equals its own text, and the number of that text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        expect(amountText(cents)).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
        expect(Amount.parse(amountText(cents))).toBe(cents);
        expect(Amount.parse(Number(amountText(cents)))).toBe(cents);
      }),
    );
    expect([amountText(-5), amountText(-1_234), amountText(0)]).toEqual(['-0.05', '-12.34', '0.00']);
  });
});

describe('a review', () => {
  const issuesOf = (input: object) => {
    const { error } = ReviewRequest.safeParse(input);
    return error?.issues.map(({ path }) => path.join('.')) ?? [];
  };
  const line = { name: 'Tea', description: 'GREEN TEA 20', price: '3.50', quantity: 2, points: 10 };

  it('with status valid may state what was bought, where and when', () => {
    const fields = { storeName: 'Walmart', receiptDate: '2026-03-05' };
    expect(ReviewRequest.parse({ status: 'valid', ...fields, results: [line], revision: 4 })).toEqual({
      revision: 4,
      verdict: { status: 'valid', ...fields, results: [{ ...line, price: 350 }] },
    });
    expect(ReviewRequest.parse({ status: 'valid' })).toEqual({ verdict: { status: 'valid' } });
    const { verdict } = ReviewRequest.parse({ status: 'valid', results: [{ name: 'Tea', price: 1 }] });
    expect(verdict).toEqual({
      status: 'valid',
      results: [{ name: 'Tea', description: '', price: 100, quantity: 1, points: 0 }],
    });
  });

  it('with status invalid states the reason', () => {
    const parsed = ReviewRequest.parse({ status: 'invalid', invalidCode: 0, revision: 1 });
    expect(parsed).toEqual({ revision: 1, verdict: { status: 'invalid', invalidCode: 0 } });
  });

  it.each([
    [{}, ['status']],
    [{ status: 'pending' }, ['status']],
    [{ status: 'invalid' }, ['invalidCode']],
    [{ status: 'invalid', invalidCode: '5' }, ['invalidCode']],
    [{ status: 'invalid', invalidCode: 1.5 }, ['invalidCode']],
    [{ status: 'valid', invalidCode: 5 }, ['invalidCode']],
    [{ status: 'invalid', invalidCode: 5, results: [] }, ['results']],
    [{ status: 'invalid', invalidCode: 5, storeName: 'x', receiptDate: '2026-03-05' }, ['storeName', 'receiptDate']],
    [{ status: 'valid', receiptDate: '2026-02-30' }, ['receiptDate']],
    [{ status: 'valid', receiptDate: '5/3/2026' }, ['receiptDate']],
    [{ status: 'valid', storeName: ' ' }, ['storeName']],
    [{ status: 'valid', revision: '1' }, ['revision']],
    [{ status: 'valid', by: 'me' }, ['']],
    [{ status: 'valid', results: [{ ...line, price: '3.505' }] }, ['results.0.price']],
    [{ status: 'valid', results: [{ ...line, quantity: 0 }] }, ['results.0.quantity']],
    [{ status: 'valid', results: [{ ...line, points: -1 }] }, ['results.0.points']],
    [{ status: 'valid', results: [{ ...line, id: 'x-1' }] }, ['results.0']],
    [{ status: 'valid', results: Array.from({ length: 51 }, () => line) }, ['results']],
  ])('%j is refused for %j', (input, paths) => {
    expect(issuesOf(input)).toEqual(paths);
  });

  it('may have fifty lines', () => {
    expect(issuesOf({ status: 'valid', results: Array.from({ length: 50 }, () => line) })).toEqual([]);
  });
});

describe('a list of validations', () => {
  const takes = (query: object) => ListQuery.safeParse(query).success;

  it('contains all, those of a status, those to review, or those of a customer', () => {
    for (const query of [
      {},
      { status: 'valid' },
      { needsReview: 'true' },
      { status: 'pending', needsReview: 'true' },
      { customer: 'cus_1' },
      { campaign: 'autumn' },
      { status: 'incomplete', limit: '3', cursor: 'x', tenant: 'acme' },
    ]) {
      expect([query, takes(query)]).toEqual([query, true]);
    }
  });

  it('refuses contradictory filters and unknown values', () => {
    for (const query of [
      { status: 'done' },
      { needsReview: 'false' },
      { needsReview: '' },
      { status: 'valid', needsReview: 'true' },
      { customer: '' },
      { customer: 'x'.repeat(101) },
      { campaign: '' },
      { campaign: 'autumn', status: 'valid' },
      { campaign: 'autumn', customer: 'cus_1' },
      { campaign: 'autumn', needsReview: 'true' },
      { customer: 'cus_1', status: 'pending' },
      { customer: 'cus_1', needsReview: 'true' },
      { limit: '101' },
    ]) {
      expect([query, takes(query)]).toEqual([query, false]);
    }
  });
});
