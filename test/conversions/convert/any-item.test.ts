import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConvertItem, ConvertResult, convertItem } from '../../../functions/conversions/convert/convert.ts';
import { ItemRefusal } from '../../../functions/conversions/items/item-refusal.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { COORDINATE_FORMATS } from '../../../functions/conversions/values/coordinates/coordinate-formats.ts';
import { GTIN_KINDS } from '../../../functions/conversions/values/identifiers/gtin.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

describe('any item', () => {
  it('has schemas that OpenAPI can express', () => {
    expect(z.toJSONSchema(ConvertItem, { io: 'input' }).oneOf).toHaveLength(8);
    expect(z.toJSONSchema(ConvertResult, { io: 'output' })).toMatchObject({ additionalProperties: false });
  });

  it('ends in an answer of the published form or in a refusal', async () => {
    const options = Options.parse({});
    const text = fc.oneof(
      fc.string({ unit: CODE_POINT, maxLength: 80 }),
      fc.constantFrom(
        '',
        '0',
        '-1',
        '1e399',
        '2024-03-31T02:30:00',
        '12345678',
        '__proto__',
        '\ud800',
        'a,b\n1,2',
        '[{"a":1}]',
        'm',
        'EUR',
      ),
      fc.double().map(String),
      fc.nat().map(String),
    );
    const of = (...each: readonly string[]) => fc.constantFrom(...each);
    const common = { precision: fc.option(fc.integer({ min: -2, max: 40 }), { nil: undefined }) };
    const dates = fc.oneof(
      of('iso8601', 'unix', 'unix-ms', 'excel', 'date', 'sql', 'http', 'rfc2822', 'dd/MM/yyyy', 'yyyy'),
      text,
    );
    const forms = of('json', 'csv', 'ndjson');
    const item = fc.oneof(
      fc.record({ kind: of('quantity'), value: text, from: text, to: text, ...common }),
      fc.record({
        kind: of('quantity'),
        value: text,
        from: of('m', 'ft', 'degF'),
        to: of('mi', 'Cel', 'in'),
        ...common,
      }),
      fc.record({ kind: of('money'), value: text, from: of('EUR', 'USD'), to: of('JPY'), rate: text, ...common }),
      fc.record({
        kind: of('coordinate'),
        value: text,
        from: of(...COORDINATE_FORMATS),
        to: of(...COORDINATE_FORMATS),
        ...common,
      }),
      fc.record({ kind: of('gtin'), value: text, from: of(...GTIN_KINDS), to: of(...GTIN_KINDS) }),
      fc.record({
        kind: of('datetime'),
        value: text,
        from: dates,
        to: dates,
        timezone: of('UTC', 'Asia/Kolkata'),
        ...common,
      }),
      fc.record({ kind: of('country'), value: text, from: of('name', 'alpha2', 'numeric'), to: of('name', 'alpha3') }),
      fc.record({
        kind: of('table'),
        value: fc.oneof(text, fc.array(fc.object({ maxDepth: 3 }), { maxLength: 3 })),
        from: forms,
        to: forms,
      }),
    );
    const outcomes = { answers: 0, refusals: 0 };
    await fc.assert(
      fc.asyncProperty(item, async (each) => {
        const sent = ConvertItem.safeParse(each);
        if (!sent.success) return;
        try {
          ConvertResult.parse(await convertItem(sent.data, { options, now: 0 }));
          outcomes.answers++;
        } catch (error) {
          expect(error).toBeInstanceOf(ItemRefusal);
          outcomes.refusals++;
        }
      }),
      { numRuns: isThorough ? 2_000 : 600 },
    );
    expect(outcomes.answers).toBeGreaterThan(isThorough ? 100 : 10);
    expect(outcomes.refusals).toBeGreaterThan(isThorough ? 100 : 10);
  });
});
