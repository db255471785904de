import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXAMPLES, queryOfId, searchIn, withField } from '../../../functions/console/search/search-query.ts';
import { parse } from '../../../functions/records/query/parse.ts';
import { readQuery } from '../../../functions/records/query/read-query.ts';
import { isRecordType } from '../../../functions/records/schemas/schema.ts';

const TYPES = ['businesses', 'products'];

describe('a search in an address', () => {
  it('falls back to the first record type where it names one that does not exist', () => {
    expect(searchIn(new URLSearchParams('type=people&q=%20a%20'), TYPES)).toMatchObject({ type: 'businesses', q: 'a' });
    expect(searchIn(new URLSearchParams('type=products&view=v'), TYPES)).toMatchObject({ type: 'products', view: 'v' });
  });

  it('goes on with a field as one more condition', () => {
    expect(withField('', 'city')).toBe('city:');
    expect(withField('name:a', 'city')).toBe('name:a AND city:');
  });
});

describe('the query for one record', () => {
  it('finds any id to the letter, whatever characters it has', () => {
    assert(
      property(string({ minLength: 1 }), (id) => {
        const read = parse(queryOfId(id));
        expect(JSON.stringify(read)).toContain(JSON.stringify(id).slice(1, -1));
      }),
    );
  });
});

describe('the examples', () => {
  it.each(Object.entries(EXAMPLES))('of %s are queries that the service accepts', (type, queries) => {
    if (!isRecordType(type)) throw new Error(`There is no type ${type}.`);
    for (const query of queries) expect(readQuery(query, type), query).toMatchObject({ ok: true });
  });
});
