import { describe, expect, it } from 'vitest';
import { fieldAt, leafPaths, SCHEMAS } from '../../../functions/records/schemas/schemas.ts';

describe.each(Object.values(SCHEMAS))('the schema of $type', (schema) => {
  it('ends with id, a keyword', () => {
    expect(Object.entries(schema.fields).at(-1)).toEqual(['id', { kind: 'keyword' }]);
  });

  it('finds every leaf path and object by its path', () => {
    for (const { path, kind, list, parent } of leafPaths(schema)) {
      expect(fieldAt(schema, path)).toMatchObject(list ? { kind, list } : { kind });
      if (parent !== undefined) expect(fieldAt(schema, parent)?.kind).toBe('object');
    }
  });

  it('finds nothing else, whatever the path', () => {
    const strangers = [
      '',
      '.',
      'x',
      'name.x',
      'reviews.',
      'reviews.x',
      'reviews.date.x',
      '.date',
      'constructor',
      '__proto__',
    ];
    for (const path of [...strangers, 'reviews.constructor', 'reviews.__proto__']) {
      expect(fieldAt(schema, path)).toBeUndefined();
    }
  });

  it('searches only text by default, the description among it', () => {
    const defaults = leafPaths(schema).filter(({ searchedByDefault }) => searchedByDefault);
    expect(defaults.every(({ kind }) => kind === 'text')).toBe(true);
    expect(defaults.map(({ path }) => path)).toContain('descriptions.value');
  });

  it('gives the same name the same kind of source, date and amount everywhere', () => {
    for (const { path, kind, list } of leafPaths(schema)) {
      const name = path.split('.').at(-1);
      if (name === 'sourceURLs') expect([path, kind, list]).toEqual([path, 'keyword', true]);
      if (name === 'dateSeen') expect([path, kind, list]).toEqual([path, 'date', true]);
      if (name?.startsWith('amount') === true) expect([path, kind, list]).toEqual([path, 'number', false]);
    }
  });
});

it('a leaf path has its kind, whether it is a list, and the object around it', () => {
  const paths = new Map(leafPaths(SCHEMAS.products).map((leaf) => [leaf.path, leaf]));
  expect(paths.get('prices.amountMin')).toEqual({
    path: 'prices.amountMin',
    kind: 'number',
    list: false,
    searchedByDefault: false,
    weight: 1,
    parent: 'prices',
  });
  expect(paths.get('categories')).toEqual({
    path: 'categories',
    kind: 'text',
    list: true,
    searchedByDefault: true,
    weight: 1,
  });
  expect(paths.has('prices')).toBe(false);
});
