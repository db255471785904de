import { describe, expect, it } from 'vitest';
import { INVALID_CODES, isCodeFor } from '../../../shared/loyalty/invalid-codes.ts';

describe('an invalid code', () => {
  it('applies to receipts, to other images, or to both', () => {
    const of = (type: 'receipt' | 'image') => INVALID_CODES.filter((code) => isCodeFor(type, code));
    expect(of('receipt')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18]);
    expect(of('image')).toEqual([0, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18]);
  });

  it('is one of the existing ones', () => {
    for (const code of [-1, 19, 1.5, Number.NaN]) {
      expect([code, isCodeFor('receipt', code), isCodeFor('image', code)]).toEqual([code, false, false]);
    }
  });
});
