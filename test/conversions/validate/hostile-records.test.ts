import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '#shared/formats/exact-json';
import { MEMBERS_OF, type Members } from '../../../functions/conversions/fields/fields.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { ValidateItem, ValidateResult, validateItem } from '../../../functions/conversions/validate/validate.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

async function validated(text: string, options: object = {}): Promise<ValidateResult> {
  const item = ValidateItem.parse(parseExactly(text));
  return ValidateResult.parse(await validateItem(item, { options: Options.parse(options), now: NOW }));
}

const types = Object.keys(MEMBERS_OF) as (keyof typeof MEMBERS_OF)[];

/** Containers hold the members of a record, and a few more. */
const namesIn = (members: Members): string[] => [
  ...new Set([...members].flatMap(([name, { inner }]) => [name, ...(inner?.members.keys() ?? [])])),
];

/** Numbers as their text, so that those beyond a double arrive as such. */
const numberTexts = [
  '0',
  '-0',
  '1e400',
  '-1e400',
  '1e-400',
  `1${'0'.repeat(399)}`,
  `0.${'1'.repeat(400)}`,
  '1e999999',
  '12345678901234567890',
  '1.10',
];

const scalarTexts = fc.oneof(
  fc.constantFrom(...numberTexts, 'null', 'true', 'false'),
  fc
    .oneof(
      fc.string({ unit: CODE_POINT }),
      fc.constantFrom(
        'NaN',
        'Infinity',
        '\ud800',
        '１２',
        '+49 30 1',
        '€1,2',
        '2 lbs 3',
        'DE',
        '03/04/05',
        '4006381333932',
        '',
        ' ',
        '1/0',
        '10%',
        '½',
        '__proto__',
      ),
    )
    .map((text) => JSON.stringify(text)),
  fc.double().map((number) => JSON.stringify(number)),
);

const valueTexts = (names: readonly string[]) =>
  fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'medium' },
      scalarTexts,
      fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
      fc
        .array(
          fc.tuple(
            fc.constantFrom(...names, '__proto__', 'constructor', 'value', 'unit', 'amount', 'x/~'),
            tie('value'),
          ),
          { maxLength: 4 },
        )
        .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
    ),
  })).value;

describe('hostile records', () => {
  it.each(types)('of a %s get an answer, whatever stands in whichever field', async (type) => {
    const names = namesIn(MEMBERS_OF[type]);
    const record = fc
      .array(fc.tuple(fc.constantFrom(...names), valueTexts(names)), { minLength: 1, maxLength: 8 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
    const options = fc.constantFrom({}, { locale: 'de-DE', defaultCountry: 'DE' }, { currency: 'JPY', locale: 'ja' });
    await fc.assert(
      fc.asyncProperty(record, options, async (record, options) => {
        const { valid, verdict, summary, issues, fields } = await validated(
          `{"type":"${type}","record":${record}}`,
          options,
        );
        expect(valid).toBe(summary.errors === 0);
        expect(verdict).toBe(summary.errors > 0 ? 'fix' : summary.warnings > 0 ? 'confirm' : 'accept');
        for (const { path, severity } of issues) {
          expect(fields[path]).toMatch(severity === 'error' ? /^invalid$/ : /^(?:invalid|suspect)$/);
        }
      }),
      { numRuns: isThorough ? 250 : 100 },
    );
  });

  it('says of numbers that are too large for the service that they are', async () => {
    const { issues } = await validated(
      '{"type":"product","record":{"price":1e400,"weight":{"value":"1e999999","unit":"kg"}}}',
    );
    expect(issues.map(({ path, code }) => `${path} ${code}`)).toEqual([
      '/price number.digits',
      '/weight/value number.digits',
    ]);
    expect((await validated(`{"type":"product","record":{"price":${'1'.repeat(400)}}}`)).valid).toBe(true);
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e', '0x10', '1_000'])('takes %s for no number', async (text) => {
    expect((await validated(JSON.stringify({ type: 'property', record: { beds: text } }))).valid).toBe(false);
  });

  it('keeps out of prototypes', async () => {
    const { fields } = await validated(
      '{"type":"business","record":{"__proto__":{"phone":"x"},"constructor":{"name":1}}}',
    );
    expect(fields).toEqual({});
    const part = await validated('{"type":"business","record":{"address":{"__proto__":{"postcode":1}}}}');
    expect(part.issues).toEqual([]);
  });

  it('looks at the first thousand values of a record, and says so', async () => {
    const phones = Array.from({ length: 5_000 }, () => 'x');
    const { issues, summary } = await validated(JSON.stringify({ type: 'business', record: { phones } }));
    expect(summary).toEqual({ errors: 1_000, warnings: 1 });
    expect(issues).toHaveLength(200);
    const none = await validated(JSON.stringify({ type: 'business', record: { people: phones } }));
    expect(none.summary).toEqual({ errors: 1_000, warnings: 1 });
    const people = Array.from({ length: 5_000 }, () => ({ phone: 'x', country: 'y' }));
    expect(
      (await validated(JSON.stringify({ type: 'business', record: { people } }))).summary.errors,
    ).toBeLessThanOrEqual(1_000);
  });
});
