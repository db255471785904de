import { describe, expect, it } from 'vitest';
import { facetsOf } from '../../../functions/records/search/facets.ts';

const record = (id: string, members: object) => ({ id, ...members });
const ALL = ['city', 'province', 'categories', 'country'];

describe('the facets of records', () => {
  it('are the commonest values of a few fields, each counted once per record', () => {
    const records = [
      record('a', { city: 'Austin', categories: ['Hotel', 'Hotel', 'Spa'], country: 'US' }),
      record('b', { city: 'Boston', categories: ['Hotel'], country: 'US' }),
      record('c', { city: 'Austin', categories: [], country: 'US' }),
    ];
    expect(facetsOf('businesses', ALL, records)).toEqual([
      {
        field: 'categories',
        values: [
          { value: 'Hotel', count: 2 },
          { value: 'Spa', count: 1 },
        ],
      },
      {
        field: 'city',
        values: [
          { value: 'Austin', count: 2 },
          { value: 'Boston', count: 1 },
        ],
      },
    ]);
  });

  it('have no other fields than the view, at most five values, and none that are very long', () => {
    const records = Array.from({ length: 9 }, (_, n) =>
      record(`${n}`, { city: `City ${n}`, province: 'x'.repeat(81) }),
    );
    const [cities, ...others] = facetsOf('businesses', ALL, records);
    expect([cities?.values.map(({ value }) => value), others]).toEqual([
      ['City 0', 'City 1', 'City 2', 'City 3', 'City 4'],
      [],
    ]);
    expect(facetsOf('businesses', ['province'], records)).toEqual([]);
    expect(facetsOf('products', ALL, [])).toEqual([]);
  });
});
