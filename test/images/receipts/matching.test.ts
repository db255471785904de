import { describe, expect, it } from 'vitest';
import { matchProduct, matchStore } from '../../../functions/images/receipts/matching.ts';

const STORES = [
  'SETIA HARDWARE SDN BHD',
  'MR D.I.Y. (M) SDN BHD',
  '99 SPEED MART S/B',
  'PASARAYA PINTAR',
  'PASARAYA PINTAR UTAMA',
];
const PRODUCTS = [
  { name: 'Roasted Coffee 250g', upc: '0012345678905' },
  { name: 'Whole Milk', upc: '4006381333931' },
  { name: 'Tea' },
];

describe('a store of the campaign', () => {
  it.each([
    [['T A X', 'SETlA HARDWAFE SDN BHD', 'NO 12 JALAN PERMAS'], 'SETIA HARDWARE SDN BHD'],
    [['SETIA HARDWARE'], 'SETIA HARDWARE SDN BHD'],
    [['SETIA', 'HARDWARE', 'SDN BHD'], 'SETIA HARDWARE SDN BHD'],
    [['logo', '99 SPEED MART S/B (519537-X)'], '99 SPEED MART S/B'],
    [['PASARAYA PINTAR UTAMA'], 'PASARAYA PINTAR UTAMA'],
    [['PASARAYA PINTAR'], 'PASARAYA PINTAR'],
    [['SETIA STATIONERY SDN BHD'], undefined],
    [['SDN BHD'], undefined],
    [[], undefined],
  ])('is found in the head %j as %s', (head, store) => {
    expect(matchStore({ head }, STORES)).toBe(store);
  });

  it('is the one with the printed legal form among companies of one group', () => {
    const group = ['MR. D.I.Y. (M) SDN BHD', 'MR. D.I.Y. SDN BHD'];
    for (const stores of [group, group.toReversed()]) {
      expect(matchStore({ head: ['MR.D.I.Y.SDNBHD'] }, stores)).toBe('MR. D.I.Y. SDN BHD');
      expect(matchStore({ head: ['MR. D.I.Y.(M)SDN BHD'] }, stores)).toBe('MR. D.I.Y. (M) SDN BHD');
    }
  });

  it('is found by the elected name even if the head lacks it', () => {
    expect(matchStore({ store: 'PASARAYA PINTAR', head: ['05/03/2018'] }, STORES)).toBe('PASARAYA PINTAR');
  });
});

describe('a product of the campaign', () => {
  it('is found by its code, with any number of leading zeros', () => {
    expect(matchProduct({ name: 'XX', code: '12345678905' }, PRODUCTS)?.name).toBe('Roasted Coffee 250g');
    expect(matchProduct({ name: 'XX', code: '12345678906' }, PRODUCTS)).toBeUndefined();
  });

  it.each([
    ['WH0LE MILK 1L', 'Whole Milk'],
    ['R0ASTED COFFFE 250G', 'Roasted Coffee 250g'],
    ['TEA', undefined],
    ['WHITE BREAD', undefined],
    ['', undefined],
  ])('is found by the name %j as %s', (name, result) => {
    expect(matchProduct({ name }, PRODUCTS)?.name).toBe(result);
  });
});
