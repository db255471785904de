import { describe, expect, it } from 'vitest';
import { enrichItem } from '../../../functions/conversions/enrich/enrich.ts';
import type { Kind } from '../../../functions/conversions/fields/field.ts';
import {
  FIELDS,
  type FieldName,
  MEMBERS_OF,
  namesOf,
  placesOf,
  WEIGHTS,
} from '../../../functions/conversions/fields/fields.ts';
import { RECORD_TYPES, type RecordType } from '../../../functions/conversions/items/caller-record.ts';
import { Options } from '../../../functions/conversions/items/options.ts';
import { normalizeItem } from '../../../functions/conversions/normalize/normalize.ts';
import { validateItem } from '../../../functions/conversions/validate/validate.ts';

const context = { options: Options.parse({ locale: 'en-US', defaultCountry: 'US' }), now: 0 };

/** A value that normalize rewrites and validate looks at. */
const UNTIDY: Readonly<Partial<Record<Kind, unknown>>> = {
  phone: '(213) 373-4253',
  email: 'info@EXAMPLE.com',
  web: 'HTTP://EXAMPLE.com',
  host: 'EXAMPLE.com',
  country: 'Germany',
  past: 'March 5, 2024',
  date: 'March 5, 2024',
  gtin: '4 006381 333931',
  'trade-number': '4 006381 333931',
  isbn: '3-16-148410-X',
  baths: '2.5 ba',
  beds: '3 bd',
  rooms: '3 rooms',
  currency: 'eur',
  amount: 'EUR 1,299.00',
  unit: { area: 'sq ft', mass: 'lbs', length: 'feet', volume: 'Litre' },
  measure: { area: '1,250 sq ft', mass: '2 lbs 3 oz', length: '3 ft', volume: '5 litres' },
  'measure-value': '1,250.5',
  latitude: '1,250',
  longitude: '1,250',
  year: '1,250',
  count: '1,250',
  number: '1,250',
  postcode: '941031234',
  'legal-form': 'G.m.b.H.',
  text: ' a  b ',
  name: ' a  b ',
  address: ' 1  Main St',
};
/** Kinds that are judged, but stay as they are written. */
const JUDGED_ONLY: Readonly<Partial<Record<Kind, unknown>>> = { link: 'x', verbatim: 12, flag: 'x', objects: 'x' };

const fields = Object.keys(FIELDS) as FieldName[];

describe.each(RECORD_TYPES)('the fields of a %s', (type: RecordType) => {
  const members = [...MEMBERS_OF[type]].filter(([, { kind }]) => kind !== 'any');
  const values = members.map(([name, { kind, dimensions }]) => {
    const value = UNTIDY[kind] ?? JUDGED_ONLY[kind];
    const written =
      kind === 'unit' || kind === 'measure' ? (value as Record<string, unknown>)[dimensions[0] ?? ''] : value;
    return { name, kind, written };
  });

  it.each(values)(
    'are judged by validate, and normalized, under every name: $name',
    async ({ name, kind, written }) => {
      const record = { [name]: written };
      const { fields, issues } = await validateItem({ type, record }, context);
      expect([...Object.keys(fields), ...issues.map(({ path }) => path)]).toContain(`/${name}`);
      const { changes } = await normalizeItem({ type, record }, context);
      if (!(kind in JUDGED_ONLY)) expect(changes.map(({ path }) => path)).toContain(`/${name}`);
      else expect(changes).toEqual([]);
    },
  );

  it('hold in their containers what they hold in the record', async () => {
    const containers = members.filter(([, { kind, inner }]) => inner !== undefined && kind !== 'amount');
    const inside = { phone: '(213) 373-4253' };
    expect(containers.length).toBeGreaterThan(5);
    for (const [name] of containers) {
      const record = { [name]: inside };
      expect((await validateItem({ type, record }, context)).fields).toHaveProperty([`/${name}/phone`]);
      expect((await normalizeItem({ type, record }, context)).record).toEqual({ [name]: { phone: '+12133734253' } });
    }
  });

  it('count as held under every name', async () => {
    const weighed = Object.keys(WEIGHTS[type]) as FieldName[];
    const simple = weighed.filter((field) => field !== 'address' && field !== 'lat');
    for (const field of simple) {
      for (const name of namesOf(field)) {
        const { enrichment } = await enrichItem({ type, record: { [name]: 'x' }, include: ['quality'] }, context);
        expect(enrichment.quality?.missing, name).not.toContain(`/${field}`);
      }
    }
  });
});

describe('enrichment derives from a field under every name, and in every container:', () => {
  const derived: readonly (readonly [FieldName, unknown, string])[] = [
    ['phone', '+49 30 12345678', 'phone'],
    ['country', 'Germany', 'country'],
    ['gtin', '4006381333931', 'gtin'],
    ['website', 'acme.de', 'web'],
    ['email', 'info@acme.de', 'web'],
    ['area', '85 m2', 'area'],
    ['quantity', '500 g', 'pack'],
    ['dimensions', '30 x 20 x 10 cm', 'volumetricWeight'],
  ];

  it.each(derived)('%s', async (field, value, member) => {
    const type = field === 'area' ? 'property' : 'product';
    for (const place of placesOf(field)) {
      const record = place.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
      const { enrichment } = await enrichItem({ type, record }, context);
      expect(enrichment, place.join('/')).toHaveProperty(member);
    }
  });
});

it('every name belongs to one field', () => {
  const names = fields.flatMap(namesOf);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

it('fields refer to fields and containers that exist', () => {
  for (const field of fields) {
    const { within = [], or = [], currencies = [] } = FIELDS[field];
    const all = new Set(fields.flatMap(namesOf));
    for (const name of [...within.filter((each) => each !== ''), ...or, ...currencies]) expect(all).toContain(name);
    for (const name of within.filter((each) => each !== '')) expect(FIELDS[name as FieldName].container).toBeDefined();
  }
  for (const weights of Object.values(WEIGHTS))
    for (const field of Object.keys(weights)) expect(fields).toContain(field);
});
