import * as fc from 'fast-check';
import type { GlobPart, Query } from '../../../functions/records/query/query.ts';
import type { DataRecord, RecordSchema, RecordValue } from '../../../functions/records/schemas/schema.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import type { Change } from './memory-index.ts';

/** Every kind of field once, alone, as a list and inside objects. */
export const SCHEMA: RecordSchema = {
  type: 'businesses',
  singular: 'business',
  fields: {
    city: { kind: 'text' },
    country: { kind: 'text' },
    dateAdded: { kind: 'date' },
    keys: { kind: 'keyword', list: true },
    name: { kind: 'text' },
    open: { kind: 'boolean' },
    prices: {
      kind: 'object',
      fields: {
        amount: { kind: 'number' },
        dateSeen: { kind: 'date', list: true },
        note: { kind: 'text' },
      },
    },
    province: { kind: 'text' },
    rooms: { kind: 'number' },
    tags: { kind: 'text', list: true },
    id: { kind: 'keyword' },
  },
};

/** Some share a beginning, some need two bytes, three, a pair; UTF-8 and UTF-16 sort the last two differently. */
const WORD = fc.constantFrom('a', 'ab', 'abc', 'b', 'new', 'york', 'größe', 'grö', '東京', 'i', '7', '12', '𝒜b', 'ﬀ');
const TEXT = fc
  .array(fc.oneof({ weight: 5, arbitrary: WORD }, { weight: 1, arbitrary: fc.constantFrom('New', 'YORK', '!', '-') }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));
const KEYWORD = fc.oneof(
  fc.constantFrom('x', 'X', 'x/y', 'x y', 'é', '\u{1F600}', '\uFB00', '\uD800', 'http://a.example/1', 'a\u0000', 'a'),
  fc.string({ minLength: 1, maxLength: 3, unit: CODE_POINT }),
);
const NUMBER = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.5, -0, 1e300, '7', '-2.5'));
const DATE = fc.constantFrom('2019-12-31T23:59:59Z', '2020-01-01T00:00:00Z', '2020-06-15T12:00:00Z', '2021-01-01');
const ID = fc.constantFrom(...Array.from({ length: 12 }, (_, i) => `Id${i}`), 'id1', 'ID1', 'ïd');
const PLACE = fc.constantFrom('US', 'DE', 'us', 'Ü');

const record: fc.Arbitrary<DataRecord> = fc
  .record(
    {
      id: ID,
      city: TEXT,
      country: PLACE,
      dateAdded: DATE,
      keys: fc.array(KEYWORD, { minLength: 1, maxLength: 3 }),
      name: TEXT,
      open: fc.constantFrom('true', 'false'),
      prices: fc.array(
        fc.record(
          { amount: NUMBER, dateSeen: fc.array(DATE, { minLength: 1, maxLength: 2 }), note: TEXT },
          { requiredKeys: ['amount'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      province: PLACE,
      rooms: NUMBER,
      tags: fc.array(TEXT, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['id'] },
  )
  .map(({ id, ...rest }) => ({ id, ...Object.fromEntries(Object.entries<RecordValue>(rest)) }));

/** The changes of one import. */
export const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: record }, { weight: 1, arbitrary: ID }),
  { maxLength: 14 },
);

const TEXT_PATH = fc.constantFrom('name', 'tags', 'prices.note', 'city', 'country');
const TERM_PATH = fc.oneof(TEXT_PATH, fc.constantFrom('keys', 'open', 'id'));
const TERM = fc.oneof(
  WORD,
  KEYWORD.map((text) => text.toLowerCase()),
  ID.map((id) => id.toLowerCase()),
  fc.constant('true'),
);
const START = TERM.chain((term) => fc.nat(term.length).map((end) => term.slice(0, end)));
const GLOB: fc.Arbitrary<GlobPart[]> = fc.array(
  fc.oneof(
    fc.constantFrom<GlobPart[]>({ any: 'one' }, { any: 'run' }),
    fc.constantFrom('a', 'b', 'ö', 'x', 'id', '\u{1F600}', 'ew').map((literal) => ({ literal })),
  ),
  { minLength: 1, maxLength: 5 },
);
const BOUND = fc.option(fc.record({ term: TERM, inclusive: fc.boolean() }), { nil: undefined });
const LIMIT = fc.oneof(
  fc.integer({ min: -6, max: 8 }),
  fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Date.UTC(2020, 0), Date.UTC(2020, 5, 15, 12)),
);

/** A query bound to `SCHEMA`. */
export const query: fc.Arbitrary<Query> = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 4,
      arbitrary: fc.oneof<fc.Arbitrary<Query>[]>(
        fc.record({ kind: fc.constant('term'), path: TERM_PATH, term: TERM }),
        fc.record({ kind: fc.constant('prefix'), path: TERM_PATH, prefix: START }),
        fc.record({ kind: fc.constant('wildcard'), path: TERM_PATH, pattern: GLOB }),
        fc.record({ kind: fc.constant('termRange'), path: TERM_PATH, from: BOUND, to: BOUND }),
        fc.record({
          kind: fc.constant('phrase'),
          path: TEXT_PATH,
          terms: fc.array(WORD, { minLength: 2, maxLength: 3 }),
        }),
        fc.record({
          kind: fc.constant('numberRange'),
          path: fc.constantFrom('rooms', 'prices.amount', 'dateAdded', 'prices.dateSeen'),
          from: LIMIT,
          fromInclusive: fc.boolean(),
          to: LIMIT,
          toInclusive: fc.boolean(),
        }),
        fc.record({
          kind: fc.constant('exists'),
          path: fc.oneof(TERM_PATH, fc.constantFrom('prices', 'rooms', 'prices.dateSeen')),
        }),
        fc.constantFrom<Query[]>({ kind: 'all' }, { kind: 'none' }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('and', 'or'),
        of: fc.array(tie('query'), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('not'), of: tie('query') }) },
  ),
})).query;
