import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minorUnits, readAmount } from '../../../../functions/conversions/values/texts/amounts.ts';

describe('reading an amount of money', () => {
  it.each([
    ['€1.299,00', {}, { amount: '1299.00', currency: 'EUR' }],
    ['1.299,00 EUR', {}, { amount: '1299.00', currency: 'EUR' }],
    ["CHF 1'299.-", {}, { amount: '1299', currency: 'CHF' }],
    ['1.299,– €', { decimalMark: ',' }, { amount: '1299', currency: 'EUR' }],
    ['₹1,29,900.00', {}, { amount: '129900.00', currency: 'INR' }],
    ['1 299 zł', {}, { amount: '1299', currency: 'PLN' }],
    ['US$ .50', {}, { amount: '0.50', currency: 'USD' }],
    ['-£5', {}, { amount: '-5', currency: 'GBP' }],
    ['£ -5', {}, { amount: '-5', currency: 'GBP' }],
    ['$5 USD', {}, { amount: '5', currency: 'USD' }],
    ['$5', { statedCurrency: 'CAD' }, { amount: '5', currency: 'CAD' }],
    ['$5', { assumedCurrency: 'AUD', localCurrency: 'USD' }, { amount: '5', currency: 'AUD' }],
    ['$5', { assumedCurrency: 'EUR', localCurrency: 'USD' }, { amount: '5', currency: 'USD' }],
    ['$5', { locale: 'en-CA' }, { amount: '5', currency: 'CAD' }],
    ['￥500', { locale: 'ja-JP' }, { amount: '500', currency: 'JPY' }],
    ['12.50', { assumedCurrency: 'EUR' }, { amount: '12.50', currency: 'EUR' }],
    ['12.50', { localCurrency: 'EUR' }, { amount: '12.50' }],
  ] as const)('reads %s with %j as %j', (text, context, value) => {
    expect(readAmount(text, context)).toMatchObject({ kind: 'read', value });
    expect(Object.hasOwn((readAmount(text, context) as { value: object }).value, 'currency')).toBe('currency' in value);
  });

  it.each([
    ['$5', {}, 'USD'],
    ['¥500', {}, 'CNY'],
    ['5 kr', {}, 'NOK'],
    ['€1.299', {}, '1299'],
    ['$01.000', { assumedCurrency: 'USD' }, '1000'],
    ['$5', { statedCurrency: 'EUR' }, 'EUR'],
    ['1,299', { decimalMark: ',' }, '1.299'],
  ] as const)('leaves %s with %j open, with %s among the candidates', (text, context, candidate) => {
    expect(readAmount(text, context)).toMatchObject({
      kind: 'ambiguous',
      candidates: expect.arrayContaining([candidate]) as string[],
    });
  });

  it.each([
    '',
    'free',
    '5 to 6 €',
    '€5-6',
    '5 €/kg',
    '5 quid',
    '€',
    '$5 EUR',
    '5k',
    '(5.00)',
    '5 EUR EUR USD',
    '9'.repeat(8_000),
    '€ '.repeat(200),
  ])('refuses %j', (text) => {
    expect(readAmount(text).kind).toBe('unreadable');
  });

  it('reads what it has written as the same amount, in every locale', () => {
    const number = fc.stringMatching(/^-?[0-9.,' ]{1,9}$/);
    const sign = fc.constantFrom('', '€', '$', 'EUR ', 'KWD ', '¥');
    const mark = fc.constantFrom('.' as const, ',' as const, undefined);
    fc.assert(
      fc.property(number, sign, mark, (text, before, decimalMark) => {
        const first = readAmount(before + text, { decimalMark, assumedCurrency: 'USD' });
        if (first.kind !== 'read') return;
        const again = readAmount(first.value.amount, {
          decimalMark,
          statedCurrency: first.value.currency,
          assumedCurrency: 'USD',
        });
        expect(again).toMatchObject({ kind: 'read', value: first.value });
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('minor units', () => {
  it.each([
    ['1299.00', 'EUR', '129900'],
    ['1299', 'EUR', '129900'],
    ['0.5', 'EUR', '50'],
    ['-0.05', 'USD', '-5'],
    ['0.00', 'USD', '0'],
    ['500', 'JPY', '500'],
    ['500.00', 'JPY', '500'],
    ['1.299', 'KWD', '1299'],
    ['1.2990', 'KWD', '1299'],
    ['1.299', 'EUR', undefined],
    ['1', 'ZZZ', undefined],
    ['1e3', 'EUR', undefined],
  ])('of %s %s are %s', (amount, currency, minor) => {
    expect(minorUnits(amount, currency)).toBe(minor);
  });
});
