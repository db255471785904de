import { expect, it } from 'vitest';
import { suggestionFor } from '../../../../shared/import/uploads/suggest-field.ts';

const names = [
  'id',
  'name',
  'latitude',
  'longitude',
  'postalCode',
  'points',
  'phones',
  'prices.amountMin',
  'city',
  'descriptions.value',
];
const fields = {
  names,
  has: (name: string) => names.includes(name) || name.startsWith('features.'),
};

it.each([
  ['name', 'name'],
  ['features.Wifi', 'features.Wifi'],
  ['Postal Code', 'postalCode'],
  ['LATITUDE', 'latitude'],
  ['lat', 'latitude'],
  ['Prices_AmountMin', 'prices.amountMin'],
  ['po', undefined],
  ['p', undefined],
  ['pri', undefined],
  ['Title', 'name'],
  ['Shop Title', 'name'],
  ['Store', 'name'],
  ['Town', 'city'],
  ['ZIP code', 'postalCode'],
  ['Tel. No.', 'phones'],
  ['Business Phone', 'phones'],
  ['Long', 'longitude'],
  ['Product description', 'descriptions.value'],
  ['State', undefined],
  ['Opening', undefined],
  ['', undefined],
  ['–', undefined],
])('a column "%s" is likely to fill %s', (column, field) => {
  expect(suggestionFor(column, fields)).toBe(field);
});
