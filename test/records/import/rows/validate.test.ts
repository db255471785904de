import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateBody, validateRecord, withId } from '../../../../functions/records/import/rows/validate.ts';
import { SCHEMAS } from '../../../../functions/records/schemas/schemas.ts';
import { MAX_REASONS } from '../../../../shared/import/rows/reasons.ts';
import { recordOf } from '../../schemas/record-arbitrary.ts';

const { businesses: BUSINESS, products: PRODUCT } = SCHEMAS;

/** The record as kept, or the reasons. */
function resultOf(input: object, schema = BUSINESS): unknown {
  const validated = validateRecord(schema, { id: 'x', ...input });
  return validated.ok ? validated.record : validated.reasons;
}

describe('a valid record', () => {
  it.each(Object.values(SCHEMAS))('of $type stays as it is', (schema) => {
    fc.assert(
      fc.property(recordOf(schema), (record) => {
        const validated = validateRecord(schema, record);
        expect(validated).toEqual({ ok: true, record });
        expect(validated.ok && JSON.stringify(validated.record)).toBe(JSON.stringify(record));
      }),
    );
  });

  it('takes the order of the schema, id last, whatever order it came in', () => {
    const input = { id: 'x', name: 'n', prices: [{ currency: 'USD', amountMax: 2, amountMin: 1 }], brand: 'b' };
    expect(JSON.stringify(resultOf(input, PRODUCT))).toBe(
      '{"brand":"b","name":"n","prices":[{"amountMin":1,"amountMax":2,"currency":"USD"}],"id":"x"}',
    );
  });

  it('loses what is empty', () => {
    const input = {
      name: '',
      city: null,
      categories: [],
      phones: ['', null, '1'],
      reviews: [{}, { text: '' }],
      menus: {},
      hours: [{ day: 'mon', hour: null }],
    };
    expect(resultOf(input)).toEqual({ hours: [{ day: 'mon' }], phones: ['1'], id: 'x' });
  });

  it('may give a single value for a list, and a single object for an object field', () => {
    expect(resultOf({ categories: 'a', reviews: { text: 't', sourceURLs: 'u' } })).toEqual({
      categories: ['a'],
      reviews: [{ sourceURLs: ['u'], text: 't' }],
      id: 'x',
    });
  });

  it('keeps numbers as they came, also as text', () => {
    expect(resultOf({ latitude: '30.250', longitude: -97.7, numRoom: '1e3' })).toEqual({
      latitude: '30.250',
      longitude: -97.7,
      numRoom: '1e3',
      id: 'x',
    });
  });

  it.each([
    [true, 'true'],
    [false, 'false'],
    ['TRUE', 'true'],
    ['False', 'false'],
  ])('keeps the boolean %j as %j', (given, stored) => {
    expect(resultOf({ isClosed: given })).toEqual({ isClosed: stored, id: 'x' });
  });

  it.each([
    ['2020', '2020-01-01T00:00:00Z'],
    ['2020-03', '2020-03-01T00:00:00Z'],
    ['2020-03-04', '2020-03-04T00:00:00Z'],
    ['2020-03-04T05', '2020-03-04T05:00:00Z'],
    ['2020-03-04 05:06', '2020-03-04T05:06:00Z'],
    ['2020-03-04T05:06:07Z', '2020-03-04T05:06:07Z'],
    ['2020-03-04T05:06:07.999Z', '2020-03-04T05:06:07Z'],
    ['2020-03-04T05:06:07+02:00', '2020-03-04T03:06:07Z'],
  ])('keeps the date %s as %s', (given, stored) => {
    expect(resultOf({ dateAdded: given })).toEqual({ dateAdded: stored, id: 'x' });
  });
});

describe('an invalid record is refused', () => {
  it.each([
    [{ foo: 1 }, ['foo does not exist in business schema']],
    [{ foo: null }, ['foo does not exist in business schema']],
    [{ Name: 'x' }, ['Name does not exist in business schema']],
    [{ constructor: 1 }, ['constructor does not exist in business schema']],
    [{ 'reviews.text': 'x' }, ['reviews.text does not exist in business schema']],
    [{ reviews: [{ foo: 1 }] }, ['reviews.foo does not exist in business schema']],
    [{ name: 5 }, ['name must be a string, not 5']],
    [{ name: true }, ['name must be a string, not true']],
    [{ name: ['a'] }, ['name must be one value, not a list']],
    [{ name: { a: 1 } }, ['name must be a string, not an object']],
    [{ phones: [5125550100] }, ['phones must be a string, not 5125550100']],
    [{ phones: [['a']] }, ['phones must be a string, not a list']],
    [{ latitude: 90.1 }, ['latitude must be a number from -90 to 90, not 90.1']],
    [{ longitude: '-999' }, ['longitude must be a number from -180 to 180, not "-999"']],
    [{ latitude: 'north' }, ['latitude must be a number from -90 to 90, not "north"']],
    [{ latitude: ' 5' }, ['latitude must be a number from -90 to 90, not " 5"']],
    [{ latitude: Number.POSITIVE_INFINITY }, ['latitude must be a number from -90 to 90, not Infinity']],
    [{ latitude: Number.NaN }, ['latitude must be a number from -90 to 90, not NaN']],
    [{ latitude: '1e999' }, ['latitude must be a number from -90 to 90, not "1e999"']],
    [{ latitude: true }, ['latitude must be a number from -90 to 90, not true']],
    [{ isClosed: 'yes' }, ['isClosed must be true or false, not "yes"']],
    [{ isClosed: 1 }, ['isClosed must be true or false, not 1']],
    [{ dateAdded: 'today' }, ['dateAdded must be a date such as 2020-03-04T05:06:07Z, not "today"']],
    [{ dateAdded: 1577836800 }, ['dateAdded must be a date such as 2020-03-04T05:06:07Z, not 1577836800']],
    [{ dateAdded: '10/13/2014' }, ['dateAdded must be a date such as 2020-03-04T05:06:07Z, not "10/13/2014"']],
    [
      { dateAdded: '9999-12-31T23:59:59-01:00' },
      ['dateAdded must be a date such as 2020-03-04T05:06:07Z, not "9999-12-31T23:59:59-01:00"'],
    ],
    [{ reviews: 'good' }, ['reviews must contain objects']],
    [{ reviews: ['good', [{ text: 'x' }]] }, ['reviews must contain objects', 'reviews must contain objects']],
    [
      { reviews: [{ rating: 'x', text: 5 }] },
      ['reviews.rating must be a number, not "x"', 'reviews.text must be a string, not 5'],
    ],
    [{ reviews: [{ text: { a: 1 } }] }, ['reviews.text must be a string, not an object']],
    [
      { name: 'x'.repeat(100), latitude: 'y'.repeat(100) },
      [`latitude must be a number from -90 to 90, not "${'y'.repeat(40)}"`],
    ],
  ])('with every reason: %j', (input, reasons) => {
    expect(resultOf(input)).toEqual(reasons);
  });

  it.each([null, undefined, 5, 'text', true, [], [{}]].map((input) => [input]))(
    'because %j is not an object',
    (input) => {
      expect(validateRecord(BUSINESS, input)).toEqual({ ok: false, reasons: ['a record must be a JSON object'] });
    },
  );

  it('for a member named __proto__ as for any other', () => {
    expect(validateBody(BUSINESS, JSON.parse('{"__proto__": {"name": "x"}}'))).toEqual({
      ok: false,
      reasons: ['__proto__ does not exist in business schema'],
    });
  });

  it('with ten reasons at most, each of them short', () => {
    const strangers = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${at}${'x'.repeat(5000)}`, at]));
    const validated = validateRecord(BUSINESS, { id: 'x', ...strangers });
    expect(validated.ok ? [] : validated.reasons).toHaveLength(MAX_REASONS);
    expect(JSON.stringify(validated).length).toBeLessThan(2000);
  });

  it('without an exception, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(BUSINESS.fields)), (value, name) => {
        for (const input of [value, { id: 'x', [name]: value }, { id: 'x', [name]: [{ text: value }] }]) {
          const validated = validateRecord(BUSINESS, input);
          if (!validated.ok) expect(validated.reasons.length).toBeGreaterThan(0);
          else expect(validateRecord(BUSINESS, validated.record)).toEqual(validated);
        }
      }),
    );
  });
});

describe('the id', () => {
  it.each(['a', 'AVwc_9KhIN2L1WUfm9sP', '-_-', 'x'.repeat(64)])('may be %s', (id) => {
    expect(validateRecord(BUSINESS, { id })).toEqual({ ok: true, record: { id } });
  });

  it.each(['a b', 'a/b', 'é', 'a.b', 'x'.repeat(65), 'a\n', 5, ['a'], true])('may not be %j', (id) => {
    expect(validateRecord(BUSINESS, { id })).toEqual({ ok: false, reasons: ['id is 1 to 64 letters, digits, - or _'] });
  });

  it.each([{}, { id: '' }, { id: null }])('may be left to the import, as in %j', (input) => {
    expect(validateRecord(BUSINESS, { name: 'n', ...input })).toEqual({ ok: false, reasons: ['id is missing'] });
    const validated = validateBody(BUSINESS, { name: 'n', ...input });
    expect(validated).toEqual({ ok: true, id: undefined, body: { name: 'n' } });
    expect(JSON.stringify(validated.ok && withId(validated.body, 'derived'))).toBe('{"name":"n","id":"derived"}');
  });

  it('is returned beside the body', () => {
    expect(validateBody(BUSINESS, { id: 'x', name: 'n' })).toEqual({ ok: true, id: 'x', body: { name: 'n' } });
  });
});
