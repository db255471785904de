import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { parseReceipt } from '../../../functions/images/receipts/parse-receipt.ts';
import { AMERICAN, MALAYSIAN, readWords } from '../drawn-receipts.ts';

const score = (rows: readonly string[], country = 'US') => parseReceipt(readWords(rows), LOCALES[country]!).score;

describe('the receipt score', () => {
  it('is more than 10 for receipts', () => {
    expect(score(AMERICAN)).toBeGreaterThan(10);
    expect(score(MALAYSIAN, 'MY')).toBeGreaterThan(10);
  });

  it('is 0 for a letter and a poster', () => {
    expect(score(['DEAR SIR OR MADAM', 'WE THANK YOU FOR YOUR LETTER', 'AND REMAIN YOURS SINCERELY'])).toBe(0);
    expect(score(['SPRING FAIR', 'THIS SUNDAY', 'ALL ARE WELCOME'])).toBe(0);
  });

  it('is a point for each row with money, so that a menu stays below 10', () => {
    const menu = ['OUR KITCHEN', 'SOUP OF THE DAY|4.50', 'FRIED FISH|9.80', 'PLUM CAKE|3.90', 'COFFEE|2.50'];
    expect(score(menu)).toBe(4);
    expect(score([...menu, 'TEA 2.00|3.00'])).toBe(5);
  });

  it('is two more for each label, and three for a date however often it stands there', () => {
    expect(score(['SUBTOTAL|4.50', 'TOTAL|4.50'])).toBe(6);
    expect(score(['THE FAIR OPENS', '03/05/2018'])).toBe(3);
    expect(score(['03/05/2018', '03/06/2018'])).toBe(3);
  });
});
