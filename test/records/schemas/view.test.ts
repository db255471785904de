import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { defaultView, projectJson, VIEWS, viewNamed } from '../../../functions/records/schemas/view.ts';
import { recordOf } from './record-arbitrary.ts';

describe('views', () => {
  it.each([
    ['businesses', ['businesses_all', 'businesses_all_nested', 'businesses_all_nested_no_reviews']],
    ['businesses', ['businesses_all_menusFlat', 'businesses_all_reviewsFlat', 'businesses_basic']],
    ['products', ['products_all', 'products_all_nested', 'products_multiValuedFieldsNested', 'products_basicFields']],
    ['products', ['products_pricesFlat', 'products_reviewsFlat', 'products_keysSourceURLs']],
    ['properties', ['properties_all', 'properties_all_nested']],
  ] as const)('of %s are found by name: %j', (type, names) => {
    for (const name of names) expect(viewNamed(type, name)).toMatchObject({ type, name });
  });

  it.each(['', 'all', 'products', 'products_ALL', 'constructor', '__proto__', 'businesses_all'])(
    'of products do not include %j',
    (name) => {
      expect(viewNamed('products', name)).toBeUndefined();
    },
  );

  it('have the full one as default', () => {
    for (const type of ['businesses', 'products', 'properties'] as const) {
      expect(defaultView(type).name).toBe(`${type}_all`);
      expect(defaultView(type).keepsAll).toBe(true);
    }
  });

  it('know two names of the nested product view', () => {
    const { name: _older, ...older } = viewNamed('products', 'products_multiValuedFieldsNested') ?? {};
    expect(viewNamed('products', 'products_all_nested')).toMatchObject(older);
  });

  it('choose fields', () => {
    const basics = 'address,city,country,keys,latitude,longitude,name,postalCode,province,sourceURLs,websites';
    expect(viewNamed('businesses', 'businesses_basic')?.fields.join(',')).toBe(basics);
    expect(viewNamed('products', 'products_basicFields')?.fields.join(',')).toBe(
      'brand,categories,manufacturer,name,sourceURLs',
    );
    expect(viewNamed('products', 'products_keysSourceURLs')?.fields.join(',')).toBe('keys,sourceURLs');
    const full = viewNamed('businesses', 'businesses_all')?.fields ?? [];
    expect(viewNamed('businesses', 'businesses_all_nested_no_reviews')?.fields).toEqual(
      full.filter((name) => name !== 'reviews'),
    );
  });
});

describe.each([...VIEWS])('$name in JSON', (view) => {
  it('has the members of the view that the record has, in view order, id last and nothing empty', () => {
    fc.assert(
      fc.property(recordOf(SCHEMAS[view.type]), (record) => {
        const projected = projectJson(record, view);
        expect(Object.keys(projected)).toEqual([...view.fields.filter((name) => name in record), 'id']);
        for (const [name, value] of Object.entries(projected)) expect(value).toBe(record[name]);
      }),
    );
  });

  it('has its fields in the order in which records are stored', () => {
    const stored = Object.keys(SCHEMAS[view.type].fields).filter((name) => view.fields.includes(name));
    expect(view.fields).toEqual(stored);
  });

  it('keeps whole records exactly when it says so', () => {
    fc.assert(
      fc.property(recordOf(SCHEMAS[view.type]), (record) => {
        if (view.keepsAll) expect(JSON.stringify(projectJson(record, view))).toBe(JSON.stringify(record));
      }),
    );
    const missing = Object.keys(SCHEMAS[view.type].fields).filter(
      (name) => name !== 'id' && !view.fields.includes(name),
    );
    expect(view.keepsAll).toBe(missing.length === 0);
  });
});
