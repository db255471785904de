import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../functions/conversions/fields/field.ts';
import { MEMBERS_OF, type Members } from '../../../functions/conversions/fields/fields.ts';
import { RECORD_TYPES, type RecordType } from '../../../functions/conversions/items/caller-record.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';
import { validateItem } from '../../../functions/conversions/validate/validate.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

const DATES = ['3 April 2024', '03/04/2024', '2024', 20240403, '3 April 2024 9:00', '27.10.2024 02:30', '31.12.1999'];
const NUMBERS = ['1,250', '1.250', '12', '1e3', ' 48,85 ', '１２', "1'000", 7, '-3', 'many'];
const TRADE_NUMBERS = ['4006381333932', '4006381333931', 36000291452, '36000291452', '0-306-40615-3', '04252614'];
const TEXTS = ['half \ud800 ', ' Foo  Bar ', '', 12];

/** What people write into members of each kind, with the faults that have a remedy. */
const WRITTEN: Readonly<Record<Kind, readonly unknown[]>> = {
  phone: ['0179 12345', '+49 179 12345', '030 123456', '(213) 373-4253 x12', '00000', '12345', 4930123456],
  email: ['A@EXAMPLE.COM', 'x', 'a\ud800@example.com'],
  web: ['EXAMPLE.com/A', 'not a site', 'http://münchen.de'],
  link: ['EXAMPLE.com/A', '\ud800'],
  host: ['Example.COM', '-'],
  country: ['DE', 'Germny', ' germny', 'Korea', 'USA', '\udfff', 276],
  past: DATES,
  date: DATES,
  gtin: TRADE_NUMBERS,
  'trade-number': TRADE_NUMBERS,
  isbn: TRADE_NUMBERS,
  baths: ['2.5 ba', '1,250', 'two', '2½', 3],
  beds: ['3 bd', '1,250', "1'250", '2.5', 3],
  rooms: ['3 rooms', '1,250', '-1'],
  currency: ['EUR', 'eur', ' usd', '€', '$', 'kr', 'ZZZ', '\ud800'],
  amount: ['€1.299,00', '1.299', '$5', 'US$ 6', '1 299 kr', 'USD 7', '-3', '1,5', 12.5, '1e3', '\ud800'],
  measure: ['1,250', '2 lbs 3 oz', '1,250 sq ft', '12', 12, '5 tons'],
  unit: ['sq ft', 'kg', 'Pounds', '', null, '\ud800'],
  'measure-value': NUMBERS,
  latitude: NUMBERS,
  longitude: NUMBERS,
  year: NUMBERS,
  count: NUMBERS,
  number: NUMBERS,
  flag: [true, 'false', 'perhaps'],
  postcode: ['1067', 1067, '501', 'sw1a1aa', '10115', 'x'],
  'legal-form': ['G.m.b.H.', '\ud800'],
  text: TEXTS,
  verbatim: TEXTS,
  name: [...TEXTS, 'ACME G.m.b.H.'],
  address: ['Hauptstr. 5, 10115 Berlin', '1 Main St\ud800'],
  objects: ['x'],
  any: ['\ud800', '6 x 330 ml'],
};

/** A value, a list of values, or the object that such a member may hold. */
function valueOf(kind: Kind): fc.Arbitrary<unknown> {
  const value = fc.constantFrom(...WRITTEN[kind]);
  const more = [
    ...(kind === 'amount' ? [fc.record({ amount: value, currency: fc.constantFrom(...WRITTEN.currency) })] : []),
    ...(kind === 'amount' ? [fc.record({ value, priceCurrency: fc.constantFrom(...WRITTEN.currency) })] : []),
    ...(kind === 'measure' ? [fc.record({ value, unit: fc.constantFrom(...WRITTEN.unit) })] : []),
  ];
  return fc.oneof({ arbitrary: value, weight: 6 }, fc.array(value, { maxLength: 3 }), ...more);
}

function recordOf(members: Members, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const member = fc.constantFrom(...members).chain(([name, { kind, inner }]) => {
    const value =
      inner === undefined || depth === 0 || kind === 'amount'
        ? valueOf(kind)
        : fc.oneof(recordOf(inner.members, depth - 1), fc.array(recordOf(inner.members, depth - 1), { maxLength: 2 }));
    return value.map((each): [string, unknown] => [name, each]);
  });
  return fc
    .array(member, { minLength: 1, maxLength: depth === 0 ? 4 : 8 })
    .map((entries) => Object.fromEntries(entries));
}

const options = fc
  .record(
    {
      locale: fc.constantFrom('de-DE', 'en-US', 'sv-SE'),
      defaultCountry: fc.constantFrom('DE', 'US', 'GB'),
      currency: fc.constantFrom('EUR', 'USD'),
      timezone: fc.constantFrom('Europe/Berlin'),
    },
    { requiredKeys: [] },
  )
  .map((given) => Options.parse(given));

const stepsOf = (path: string): string[] => path.split('/').slice(1);
const at = (value: unknown, path: string): unknown =>
  stepsOf(path).reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], value);

function put(record: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const copy = structuredClone(record);
  const last = path.lastIndexOf('/');
  (at(copy, path.slice(0, last)) as Record<string, unknown>)[path.slice(last + 1)] = value;
  return copy;
}

/** The amounts and measures that normalize takes apart stand a level deeper. */
const canonical = (value: unknown): unknown => (typeof value === 'string' ? value : JSON.stringify(value));

describe.each(RECORD_TYPES)('the suggestions of validate for a %s', (type: RecordType) => {
  const record = recordOf(MEMBERS_OF[type], 1);
  const numRuns = isThorough ? 3_000 : 150;

  it('is what normalize writes there, or names as a candidate', async () => {
    await fc.assert(
      fc.asyncProperty(record, options, async (record, options) => {
        const context = { options, now: NOW };
        const { issues } = await validateItem({ type, record }, context);
        const normalized = await normalizeItem({ type, record }, context);
        for (const { path, suggestion } of issues) {
          if (suggestion === undefined) continue;
          const candidates = normalized.unresolved.flatMap((each) =>
            each.path === path ? (each.candidates ?? []) : [],
          );
          const accepted = [canonical(at(normalized.record, path)), ...candidates];
          if (accepted.includes(suggestion)) continue;
          // A number may be suggested as its kind writes it, and kept as a GTIN-14.
          const again = await normalizeItem({ type, record: put(record, path, suggestion) }, context);
          expect(accepted, `${path} ${suggestion} ${JSON.stringify({ record, options })}`).toContain(
            canonical(at(again.record, path)),
          );
        }
      }),
      { numRuns },
    );
  });

  it('leaves no suggestion once it is applied', async () => {
    await fc.assert(
      fc.asyncProperty(record, options, async (record, options) => {
        const context = { options, now: NOW };
        const { issues } = await validateItem({ type, record }, context);
        const suggested = issues.filter(({ suggestion }) => suggestion !== undefined);
        const applied = suggested.reduce((mended, { path, suggestion }) => put(mended, path, suggestion), record);
        const after = await validateItem({ type, record: applied }, context);
        const repeated = after.issues.filter(
          ({ path, suggestion }) => suggestion !== undefined && suggested.some((each) => each.path === path),
        );
        expect(repeated, JSON.stringify({ record, applied, options })).toEqual([]);
      }),
      { numRuns },
    );
  });
});
