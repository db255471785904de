import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS, type Kind } from '../../../functions/conversions/fields/field.ts';
import { MEMBERS } from '../../../functions/conversions/fields/fields.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { NormalizeResult, normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const COUNTRIES = ['Deutschland', 'DE', 'US', 'usa', 'Korea', 'Mexico', 'AR', 'gb', 'JP', 'Nowhere', 'Kuwait', 'CH'];
const FORMS = ['GmbH', 'G.m.b.H.', 'Inc.', 'AG', 'AS', 'a.s.', 'Ltd', 'Co., Ltd.', '株式会社', 'SA', ''];

const DATES = fc.oneof(
  fc.stringMatching(/^[0-3]?[0-9][./-][01]?[0-9][./-](20[0-2][0-9]|[0-9]{2})$/),
  fc.constantFrom<unknown>(
    '2024',
    2024,
    20240403,
    '5 May 2024',
    '2024-02-30',
    '03/04/2024 2:30 pm',
    '27.10.2024 02:30',
    '2024-05-05T10:00:00Z',
  ),
);
const NUMBERS = fc.oneof(
  fc.stringMatching(/^[0-9]{1,4}([.,'][0-9]{1,3}){0,2}$/),
  fc.double(),
  fc.constantFrom('1e3', ' 12', '-48.125', '１２'),
);
const TRADE_NUMBERS = fc.oneof(fc.stringMatching(/^[0-9-]{8,14}X?$/), fc.constantFrom('4006381333931', 36000291452));
const TEXTS = fc.string({ unit: CODE_POINT, maxLength: 12 });

/** What people write into members of each kind, more or less. */
const WRITTEN: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  phone: fc.oneof(fc.stringMatching(/^[+0(]{0,2}[0-9 ()/.-]{3,14}( ?x[0-9]{1,3})?$/), fc.nat()),
  email: fc.stringMatching(/^(mailto:)?[A-Za-z.]{1,5}@[A-Za-zäöß.-]{1,8}\.(com|DE|co\.uk)$/),
  web: fc.stringMatching(/^(HTTPS?:\/\/|http:\/\/)?[A-Za-zäöß.-]{1,8}\.(com|DE)(:80)?(\/[A-Z]{0,3})?$/),
  host: fc.stringMatching(/^[A-Za-zäöß.-]{1,8}\.(com|DE|co\.uk)\.?$/),
  country: fc.constantFrom(...COUNTRIES),
  past: DATES,
  date: DATES,
  gtin: fc.oneof(
    fc.stringMatching(/^[0-9 -]{7,15}$/),
    fc.nat(),
    fc.constantFrom('4006381333931', '036000291452', '04252614', '0306406152', '0-306-40615-2'),
  ),
  'trade-number': TRADE_NUMBERS,
  isbn: TRADE_NUMBERS,
  baths: fc.stringMatching(/^[0-9]([.,][05]|½| 1\/2)?( ?ba| baths)?$/),
  beds: fc.stringMatching(/^[0-9]( ?bd| beds)?$/),
  rooms: fc.stringMatching(/^[0-9]( Zimmer| ba)?$/),
  currency: fc.constantFrom('EUR', 'usd', '€', '$', 'kr', 'KWD', 'JPY', 'ZZZ'),
  'measure-value': NUMBERS,
  latitude: NUMBERS,
  longitude: NUMBERS,
  year: NUMBERS,
  count: NUMBERS,
  number: NUMBERS,
  postcode: fc.oneof(fc.stringMatching(/^([A-Z]{1,2}-?)?[0-9]{3,5}[ -]?[0-9A-Za-z]{0,3}$/), fc.nat(99_999)),
  'legal-form': fc.constantFrom(...FORMS),
  text: TEXTS,
  verbatim: TEXTS,
  link: TEXTS,
  any: TEXTS,
  objects: TEXTS,
  flag: fc.boolean(),
  amount: fc.oneof(
    fc.stringMatching(/^(€|\$|US\$|kr|KWD|-)? ?[0-9]{1,4}([.,' ][0-9]{1,3}){0,2}( ?(€|EUR|KWD|,-))?$/),
    fc.double(),
    fc.nat(),
  ),
  measure: fc.oneof(
    fc.stringMatching(/^[0-9]{1,4}([.,][0-9]{1,3})? ?(kg|lbs|oz|m2|sq ft|tons|cm|ft|')( [0-9] (oz|in|mm))?$/),
    fc.record({
      value: fc.stringMatching(/^[0-9]{1,3}([.,][0-9]{3})?$/),
      unit: fc.constantFrom('sq. ft.', 'kg', 'm²', 'x'),
    }),
  ),
  unit: fc.constantFrom('sq ft', 'm²', 'kg', 'lbs', 'foo', 'tons'),
  name: fc
    .tuple(
      fc.constantFrom(...FORMS),
      fc.constantFrom('ACME', ' Foo  Bar', '日立', 'Cafe\u0301,'),
      fc.constantFrom(...FORMS),
      fc.constantFrom(...FORMS),
    )
    .map((parts) => parts.join(' ')),
  address: fc
    .tuple(
      fc.constantFrom(
        'Hauptstr. 5',
        '1 Main St',
        '10 Downing  Street\nFlat 2',
        '10115 Berlin',
        '1005 N Gravenstein Hwy',
      ),
      fc.constantFrom('10115 Berlin', 'London, SW1A 2AA', 'Austin, TX 78701', 'Austin TX 78701', 'CH-8001 Zürich', ''),
      fc.constantFrom('', 'Germany', 'USA', 'CA', 'Korea', '10115 Berlin'),
    )
    .map((parts) => parts.filter((part) => part !== '').join(', ')),
};

const members = KINDS.flatMap((kind) =>
  [...MEMBERS].flatMap(([name, member]) => (member.kind === kind ? [{ name, value: WRITTEN[kind] }] : [])),
);
const CONTAINERS = [...MEMBERS].flatMap(([name, { inner }]) => (inner ? [name] : []));
const more = ['city', 'province', 'priceMinor', 'addressLines', 'unknown', '__proto__', 'constructor', ''].map(
  (name) => ({
    name,
    value: fc.constantFrom<unknown>('Berlin', 'TX', '500', ' x '),
  }),
);

/** Of every ten values one is of any type at all. */
function recordOf(hostile: fc.Arbitrary<unknown>, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const member = fc.constantFrom(...members, ...more).chain(({ name, value }) => {
    const values = fc.oneof(
      { arbitrary: value, weight: 8 },
      { arbitrary: fc.array(value, { maxLength: 2 }), weight: 1 },
      { arbitrary: hostile, weight: 1 },
    );
    return values.map((each): [string, unknown] => [name, each]);
  });
  const plain = fc.array(member, { maxLength: 9 }).map((entries) => Object.fromEntries(entries));
  if (depth === 0) return plain;
  const inner = recordOf(hostile, depth - 1);
  const container = fc.tuple(fc.constantFrom(...CONTAINERS), fc.oneof(inner, fc.array(inner, { maxLength: 2 })));
  return fc
    .tuple(plain, fc.array(container, { maxLength: 2 }))
    .map(([record, containers]) => Object.fromEntries([...Object.entries(record), ...containers]));
}

const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', ' ', '\ud800', 'x'.repeat(8_192), '1'.repeat(8_192), '1,'.repeat(4_096)),
);
const record = recordOf(hostileValue, 2);
const type = fc.constantFrom('business' as const, 'product' as const, 'property' as const);
const options = fc
  .record(
    {
      defaultCountry: fc.constantFrom('DE', 'US', 'AR'),
      locale: fc.constantFrom('de-DE', 'en-US', 'en', 'fr-CA', 'sv-SE'),
      currency: fc.constantFrom('EUR', 'USD', 'KWD'),
      precision: fc.nat(30),
      timezone: fc.constantFrom('Europe/Berlin', 'UTC'),
    },
    { requiredKeys: [] },
  )
  .map((given) => Options.parse(given));

function valueAt(value: unknown, path: string): unknown {
  const names = path.split('/').slice(1);
  let at: unknown = value;
  for (const name of names) at = (at as Record<string, unknown>)[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  return at;
}

describe('normalizing', () => {
  it('a normalized record changes nothing and leaves the same open', async () => {
    await fc.assert(
      fc.asyncProperty(type, record, options, async (type, record, options) => {
        const first = await normalizeItem({ type, record }, { options, now: 0 });
        const second = await normalizeItem({ type, record: first.record }, { options, now: 0 });
        expect(second.changes).toEqual([]);
        expect(JSON.stringify(second)).toBe(JSON.stringify({ ...first, changes: [] }));
      }),
      { numRuns: isThorough ? 2_000 : 300 },
    );
  });

  it('reports every change, and only what has changed', async () => {
    await fc.assert(
      fc.asyncProperty(type, record, options, async (type, record, options) => {
        const before = JSON.stringify(record);
        const result = await normalizeItem({ type, record }, { options, now: 0 });
        expect(JSON.stringify(record)).toBe(before);
        expect(NormalizeResult.safeParse(result).error).toBeUndefined();
        for (const { path, to } of result.changes) expect(valueAt(result.record, path)).toEqual(to);
        for (const { path, from } of result.changes) expect(valueAt(record, path)).toEqual(from);
        if (result.changes.length === 0) expect(JSON.stringify(result.record)).toBe(before);
        else expect(JSON.stringify(result.record)).not.toBe(before);
      }),
      { numRuns: isThorough ? 500 : 150 },
    );
  });
});
