import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EnrichItem, EnrichResult, enrichItem } from '../../../functions/conversions/enrich/enrich.ts';
import { FIELDS, type FieldName, placesOf, unitNameOf } from '../../../functions/conversions/fields/fields.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const KNOWN = (Object.keys(FIELDS) as FieldName[]).flatMap(placesOf).flatMap(([name = '']) => [name, unitNameOf(name)]);

/** Texts that are nearly what the fields expect, and numbers as they stand in JSON. */
const LIKELY = [
  '6 x 330 ml',
  '30 x 20 x 10 cm',
  '1,250 sq ft',
  '€1.299,00',
  'EUR',
  'USD',
  '030 123456',
  '+4930123456',
  'DE',
  'US',
  '4006381333931',
  '036000291452',
  'https://acme.de/',
  'info@acme.de',
  'ft2',
  'm2',
  'kg',
  'ml',
  '37.7749',
  '-122.4194',
  '91',
  '1e400',
  'NaN',
  'Infinity',
  '-0',
  '__proto__',
  'constructor',
  '\ud800',
  '\u0000',
  'x'.repeat(8_192),
  '1'.repeat(400),
  '9'.repeat(8_192),
  '1 x '.repeat(2_000),
  ' '.repeat(8_000),
  '(((((((((((',
  '.,.,.,.,',
  '½',
  '5\' 11"',
];
const NUMBERS = [
  '0',
  '-1',
  '1.10',
  '1e400',
  '1e-400',
  '9007199254740993',
  '1e999999',
  `0.${'0'.repeat(390)}1`,
  '450000',
];

const scalar = fc.oneof(
  fc.constantFrom(...LIKELY).map((text) => JSON.stringify(text)),
  fc.constantFrom(...NUMBERS, 'null', 'true', '[]', '{}'),
  fc.string({ unit: CODE_POINT }).map((text) => JSON.stringify(text)),
);
const members = fc.constantFrom(
  'value',
  'unit',
  'amount',
  'currency',
  'city',
  'lat',
  'lon',
  'length',
  'width',
  'height',
  '__proto__',
);
const object = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .array(fc.tuple(name, value), { maxLength })
    .map((pairs) => `{${pairs.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`);
const json = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: object(members, scalar, 5) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }).map((list) => `[${list.join()}]`) },
  { weight: 1, arbitrary: fc.array(object(members, scalar, 4), { maxLength: 2 }).map((list) => `[${list.join()}]`) },
);
const records = object(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...KNOWN) }, fc.string()), json, 12);
const types = fc.constantFrom('business', 'product', 'property');
const options = fc.record(
  {
    defaultCountry: fc.constantFrom('DE', 'US', 'ZZ'),
    locale: fc.constantFrom('de-DE', 'en-US', 'xx'),
    currency: fc.constantFrom('EUR', 'JPY', 'QQQ'),
    rounding: fc.constantFrom('half-even', 'half-up', 'down'),
    precision: fc.integer({ min: 0, max: 30 }),
  },
  { requiredKeys: [] },
);

const enrich = (text: string, chosen: object) =>
  enrichItem(EnrichItem.parse(parseExactly(text)), { options: Options.parse(chosen), now: 0 });

describe('enrichment, whatever a record holds,', () => {
  it('answers by its schema, leaves the record as it was, and says the same again', async () => {
    await fc.assert(
      fc.asyncProperty(types, records, options, async (type, record, chosen) => {
        const text = `{"type":"${type}","record":${record}}`;
        const result = await enrich(text, chosen);
        EnrichResult.parse(result);
        expect(JSON.stringify(result.record)).toBe(JSON.stringify(parseExactly(record)));
        expect(JSON.stringify(await enrich(text, chosen))).toBe(JSON.stringify(result));
      }),
      { numRuns: isThorough ? 400 : 120 },
    );
  });

  it('gives the same members for a group alone as for all groups', async () => {
    const groups = fc.constantFrom('unit', 'phone', 'country', 'gtin', 'web', 'geo', 'cells', 'quality', 'match');
    await fc.assert(
      fc.asyncProperty(types, records, groups, async (type, record, group) => {
        const all = await enrich(`{"type":"${type}","record":${record}}`, {});
        const alone = await enrich(`{"type":"${type}","record":${record},"include":["${group}"]}`, {});
        expect(all.enrichment).toMatchObject(alone.enrichment);
        expect(all.sources).toMatchObject(alone.sources);
      }),
    );
  });

  it('names a member as source only where it derived it', async () => {
    await fc.assert(
      fc.asyncProperty(types, records, async (type, record) => {
        const { enrichment, sources } = await enrich(`{"type":"${type}","record":${record}}`, {});
        for (const path of Object.keys(sources)) {
          const [, member = '', below] = path.split('/');
          const value = (enrichment as Record<string, Record<string, unknown> | undefined>)[member];
          expect(below === undefined ? value : value?.[below], path).toBeDefined();
        }
      }),
    );
  });

  it('counts more as complete when a field is added, and never above 100', async () => {
    const fields = fc.subarray([
      'name',
      'gtin',
      'brand',
      'price',
      'currency',
      'categories',
      'description',
      'imageURLs',
    ]);
    await fc.assert(
      fc.asyncProperty(fields, async (names) => {
        const quality = async (held: readonly string[]) => {
          const record = JSON.stringify(Object.fromEntries(held.map((name) => [name, 'x'])));
          return (await enrich(`{"type":"product","record":${record},"include":["quality"]}`, {})).enrichment.quality;
        };
        const [fewer, more] = [await quality(names.slice(1)), await quality(names)];
        if (names.length > 0) expect(more?.completeness).toBeGreaterThan(fewer?.completeness ?? 0);
        expect(more?.missing).toHaveLength(8 - names.length);
        expect(more?.completeness === 100).toBe(names.length === 8);
      }),
    );
  });

  it.each(['null', '""', '"  "', '[]', '{}', '[null, ""]', '{"a": [{}]}'])('takes %s for nothing', async (empty) => {
    const { enrichment } = await enrich(`{"type":"product","record":{"name":${empty}},"include":["quality"]}`, {});
    expect(enrichment.quality?.completeness).toBe(0);
  });

  it.each(['0', 'false', '"0"', '[0]'])('takes %s for something', async (value) => {
    const { enrichment } = await enrich(`{"type":"product","record":{"price":${value}},"include":["quality"]}`, {});
    expect(enrichment.quality?.completeness).toBe(10);
  });
});
