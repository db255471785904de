import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EXAMPLES,
  narrowed,
  narrowingsOf,
  plainWords,
  queryOfId,
  searchIn,
  sentQuery,
  withField,
} from '../../../functions/console/search/search-query.ts';
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

describe('a search that is narrowed down', () => {
  it('requires the value beside what it required before', () => {
    expect(narrowed('hotel', 'city', 'Austin')).toBe('hotel AND city:"Austin"');
    expect(narrowed('golden hotel', 'city', 'Austin')).toBe('golden AND hotel AND city:"Austin"');
    expect(narrowed('golden hotel AND city:"Austin"', 'name', 'x')).toBe(
      'golden AND hotel AND city:"Austin" AND name:"x"',
    );
    expect(narrowed('a OR b AND city:"Austin"', 'name', 'x')).toBe('(a OR b AND city:"Austin") AND name:"x"');
    expect(narrowed('(a) OR (b)', 'name', 'x')).toBe('((a) OR (b)) AND name:"x"');
    expect(narrowed('a OR b', 'brand', 'A "B" \\\\')).toBe('(a OR b) AND brand:"A \\"B\\" \\\\\\\\"');
  });

  it.each(['hotel', 'golden hotel', 'a OR b', '(a) OR (b)', 'a NOT b', '"a (" x', 'city:"A" OR b AND city:"B"'])(
    'in %s is taken back value by value, and is then what it was',
    (q) => {
      assert(
        property(string(), string(), (one, other) => {
          const twice = narrowed(narrowed(q, 'city', one), 'name', other);
          const [first, second] = narrowingsOf(twice).slice(-2);
          expect([first?.field, first?.value, second?.field, second?.value]).toEqual(['city', one, 'name', other]);
          expect(readQuery(second?.without ?? '', 'businesses')).toEqual(
            readQuery(narrowed(q, 'city', one), 'businesses'),
          );
          const [last] = narrowingsOf(first?.without ?? '').slice(-1);
          expect(readQuery(last?.without ?? '', 'businesses')).toEqual(readQuery(sentQuery(q), 'businesses'));
        }),
      );
    },
  );

  it.each(['hotel', 'city:"Austin"', 'a OR b AND city:"Austin"', 'a AND NOT city:"Austin"', 'a -city:"Austin"'])(
    'names no value in %s, which requires none beside others',
    (q) => expect(narrowingsOf(q)).toEqual([]),
  );

  it('is a query for any value', () => {
    assert(
      property(string(), (value) => {
        parse(narrowed('golden hotel', 'city', value));
      }),
    );
  });
});

describe('words in the search box', () => {
  it('are all required', () => {
    expect(sentQuery('golden hotel austin')).toBe('golden AND hotel AND austin');
    expect(plainWords("joe's  café")).toEqual(["joe's", 'café']);
    expect(sentQuery('golden')).toBe('golden');
  });

  it.each([
    'golden OR hotel',
    '"golden hotel"',
    'not NOT',
    '(a b)',
    'name:(a b) c',
    'a && b',
    'a || b',
    '+a b',
    '!a b',
    'city: austin',
    'a "b',
    'prices.amountMin:[1 TO 20]',
  ])('stay as they are in %s, which says itself how they are joined', (q) => expect(sentQuery(q)).toBe(q));

  it.each([
    ['province:TX hotel', 'province:TX AND hotel'],
    ['name:hotel austin', 'name:hotel AND austin'],
    ['gold* inn', 'gold* AND inn'],
    ['a -b', 'a AND -b'],
    ['"golden hotel" city:"New York" x', '"golden hotel" AND city:"New York" AND x'],
    ['garden prices.amountMin:[1 TO 20]', 'garden AND prices.amountMin:[1 TO 20]'],
    ['garden prices.amountMin:>=20', 'garden AND prices.amountMin:>=20'],
    ['golden hotel AND city:"Austin"', 'golden AND hotel AND city:"Austin"'],
  ])('are all required in %s, as are fields and phrases', (q, sent) => {
    expect(sentQuery(q)).toBe(sent);
    expect(() => readQuery(sent, 'products')).not.toThrow();
  });

  it('find what a query with AND finds, whatever they are', () => {
    assert(
      property(string({ minLength: 1 }), string({ minLength: 1 }), (one, other) => {
        const words = plainWords(`${one} ${other}`);
        if (words === undefined) return;
        expect(readQuery(sentQuery(words.join(' ')), 'businesses')).toEqual(
          readQuery(words.map((word) => `(${word})`).join(' AND '), 'businesses'),
        );
      }),
    );
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
