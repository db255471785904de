import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberConverter, rowConverter } from '../../../../functions/records/import/rows/convert-row.ts';
import { validateBody } from '../../../../functions/records/import/rows/validate.ts';
import { SCHEMAS } from '../../../../functions/records/schemas/schemas.ts';
import { NO_IMPORT_MAP, parseImportMap } from '../../../../shared/import/rows/parse-import-map.ts';

const { products: SCHEMA } = SCHEMAS;

function mapOf(json: unknown) {
  const parsed = parseImportMap(json);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.map;
}

/** What one row with these cells becomes, or the reasons. */
function converted(row: Record<string, string>, map: unknown = {}, schema = SCHEMA): unknown {
  const result = rowConverter(schema, mapOf(map), Object.keys(row))(Object.values(row));
  return result.ok ? result.input : result.reasons;
}

describe('a cell', () => {
  it('is one value of the field its column is named after', () => {
    expect(converted({ name: 'Hammer', sizes: 'L, XL', upc: '00123' })).toEqual({
      name: 'Hammer',
      sizes: ['L, XL'],
      upc: '00123',
    });
  });

  it('is JSON when it begins with [ or {', () => {
    const row = { sizes: '["L","XL"]', prices: '[{"amountMin":1}]', skus: '{"value":"a"}' };
    expect(converted(row)).toEqual({ sizes: ['L', 'XL'], prices: [{ amountMin: 1 }], skus: [{ value: 'a' }] });
  });

  it('that begins like JSON but is not gives a reason and no exception', () => {
    expect(converted({ prices: '[Sealed] Hammer', 'prices.amountMin': '{', brand: 'ok' })).toEqual([
      'column "prices" looks like JSON but is not valid JSON',
      'column "prices.amountMin" looks like JSON but is not valid JSON',
    ]);
  });

  it('that begins like JSON stays a text in a text field where no object could be meant', () => {
    const row = { name: '[Water Bottle] still', sizes: '{', brand: '{"a":1}', upc: '[0' };
    expect(converted(row)).toEqual({ name: '[Water Bottle] still', sizes: ['{'], brand: '{"a":1}', upc: '[0' });
  });

  it('without a value, or with blanks alone, gives none', () => {
    expect(converted({ name: '', brand: '   ', sizes: '' })).toEqual({});
  });

  it('loses the blanks around it', () => {
    expect(converted({ name: ' Claw  hammer\t', 'prices.amountMin': ' 5 ' })).toEqual({
      name: 'Claw  hammer',
      prices: [{ amountMin: 5 }],
    });
  });

  it('of a number field becomes a number when it is one', () => {
    const { properties } = SCHEMAS;
    const row = {
      numBedroom: '3',
      numBathroom: '2.50',
      latitude: '-97.7',
      lotSizeValue: 'large',
      postalCode: '098001',
    };
    expect(converted(row, {}, properties)).toEqual({
      numBedroom: 3,
      numBathroom: 2.5,
      latitude: -97.7,
      lotSizeValue: 'large',
      postalCode: '098001',
    });
  });

  it.each([
    ['10/13/2014', '2014-10-13'],
    ['1/2/2015', '2015-01-02'],
    ['2015-01-02', '2015-01-02'],
    ['13/1/15', '13/1/15'],
    ['1/2/2015/3', '1/2/2015/3'],
    ['1//2015', '1//2015'],
  ])('of a date field may be written as in a spreadsheet: %s', (cell, date) => {
    expect(converted({ dateAdded: cell, name: cell })).toEqual({ dateAdded: date, name: cell });
  });

  it('of a boolean field is judged by validation, in any case', () => {
    const input = converted({ 'prices.isSale': 'TRUE' });
    expect(validateBody(SCHEMA, input)).toMatchObject({ ok: true, body: { prices: [{ isSale: 'true' }] } });
  });

  it('too many or too few refuse the row', () => {
    const convert = rowConverter(SCHEMA, NO_IMPORT_MAP, ['name', 'brand']);
    expect(convert(['a'])).toEqual({ ok: false, reasons: ['the row has 1 cells, the header 2'] });
    expect(convert(['a', 'b', 'c'])).toEqual({ ok: false, reasons: ['the row has 3 cells, the header 2'] });
  });
});

describe('a column', () => {
  it('takes the field that the map names, several fields, or is dropped', () => {
    const map = { columns: { GTIN: ['id', 'upc', 'ean'], Title: 'name', Notes: null } };
    expect(converted({ GTIN: '0012', Title: 'Hammer', Notes: 'x' }, map)).toEqual({
      id: '0012',
      upc: '0012',
      ean: ['0012'],
      name: 'Hammer',
    });
  });

  it('with a dotted path joins the one element that the row makes', () => {
    const map = { columns: { Price: ['prices.amountMin', 'prices.amountMax'], Currency: 'prices.currency' } };
    expect(converted({ Price: '5', Currency: 'USD', 'prices.size': 'L' }, map)).toEqual({
      prices: [{ amountMin: 5, amountMax: 5, currency: 'USD', size: 'L' }],
    });
  });

  it('adds its element to those that another column gives as JSON', () => {
    expect(converted({ prices: '[{"amountMin":1}]', 'prices.amountMax': '2' })).toEqual({
      prices: [{ amountMin: 1 }, { amountMax: 2 }],
    });
  });

  it('below an object of keys and values that is not one of its fields becomes such a pair', () => {
    const row = { 'features.Fat (g)': '1.5', 'features.Serving. Size': '["1 cup","2 cups"]', 'features.Empty': '' };
    expect(converted(row)).toEqual({
      features: [
        { key: 'Fat (g)', value: ['1.5'] },
        { key: 'Serving. Size', value: ['1 cup', '2 cups'] },
      ],
    });
    expect(converted({ 'features.key': 'a', 'features.value': 'b' })).toEqual({
      features: [{ key: 'a', value: ['b'] }],
    });
  });

  it.each(['foo', 'prices.foo', 'name.foo', 'foo.bar', 'prices.', 'constructor'])(
    'that is not a field refuses every row, even where the cell is empty: %s',
    (name) => {
      for (const cell of ['x', '']) {
        const validated = validateBody(SCHEMA, converted({ [name]: cell }));
        expect(validated).toEqual({ ok: false, reasons: [`${name} does not exist in product schema`] });
      }
    },
  );

  it('may be named __proto__ without harm', () => {
    const convert = rowConverter(SCHEMA, NO_IMPORT_MAP, ['__proto__']);
    const result = convert(['x']);
    expect(validateBody(SCHEMA, result.ok && result.input)).toEqual({
      ok: false,
      reasons: ['__proto__ does not exist in product schema'],
    });
  });

  it('beside another for the same field adds to a list, and is refused for a single value', () => {
    const map = { columns: { A: 'sizes', B: 'sizes', C: 'name', D: 'name' } };
    expect(converted({ A: 'L', B: 'XL', C: 'x', D: '' }, map)).toEqual({ sizes: ['L', 'XL'], name: 'x' });
    expect(validateBody(SCHEMA, converted({ A: '', B: '', C: 'x', D: 'y' }, map))).toEqual({
      ok: false,
      reasons: ['name must be one value, not a list'],
    });
  });
});

describe('a constant', () => {
  it('fills what the row leaves open', () => {
    const map = {
      constants: { brand: 'Acme', sizes: ['L', 'XL'], 'features.Source': 'CMS', merchants: { name: 'Shop' } },
    };
    const constants = {
      sizes: ['L', 'XL'],
      features: [{ key: 'Source', value: ['CMS'] }],
      merchants: [{ name: 'Shop' }],
    };
    expect(converted({ name: 'x', brand: '' }, map)).toEqual({ name: 'x', brand: 'Acme', ...constants });
    expect(converted({ name: 'x', brand: 'Own' }, map)).toEqual({ name: 'x', brand: 'Own', ...constants });
  });

  it('below an object joins the element of the row, and makes one only where no column could', () => {
    const map = {
      columns: { Price: 'prices.amountMin' },
      constants: { 'prices.currency': 'USD', 'quantities.value': '1' },
    };
    expect(converted({ Price: '5' }, map)).toEqual({
      prices: [{ amountMin: 5, currency: 'USD' }],
      quantities: [{ value: '1' }],
    });
    expect(converted({ Price: '' }, map)).toEqual({ quantities: [{ value: '1' }] });
    expect(converted({ Price: '5', 'prices.currency': 'EUR' }, map)).toMatchObject({
      prices: [{ amountMin: 5, currency: 'EUR' }],
    });
  });
});

describe('a record that is JSON already', () => {
  const convert = (record: unknown, map: unknown) => memberConverter(SCHEMA, mapOf(map))(record);

  it('has its members renamed, dropped, moved below objects, and gets the constants', () => {
    const map = { columns: { title: 'name', junk: null, price: 'prices.amountMin' }, constants: { brand: 'Acme' } };
    expect(convert({ title: 'Hammer', junk: 1, price: 5, sizes: ['L'] }, map)).toEqual({
      ok: true,
      input: { name: 'Hammer', prices: [{ amountMin: 5 }], sizes: ['L'], brand: 'Acme' },
    });
  });

  it('keeps its values as they are', () => {
    const record = { name: ['a'], dateAdded: '10/13/2014', brand: '[x', 'prices.amountMin': 1, foo: [1], upc: 5 };
    expect(convert(record, {})).toEqual({ ok: true, input: record });
  });

  it('that is not an object is left to validation', () => {
    for (const record of [null, 5, 'x', [1]]) expect(convert(record, {})).toEqual({ ok: true, input: record });
  });
});

it('no row makes the converter or the validation throw', () => {
  const paths = [
    'name',
    'sizes',
    'prices',
    'prices.amountMin',
    'features.X',
    'features',
    'id',
    'x',
    '__proto__',
    'prices.x',
    '',
  ];
  const cells = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{', '[', '[[]]', '[null]', '{}', '1/1/2020'));
  const row = fc.array(fc.tuple(fc.constantFrom(...paths), cells), { maxLength: 8 });
  fc.assert(
    fc.property(row, fc.dictionary(fc.constantFrom(...paths.slice(0, -1)), fc.jsonValue()), (row, constants) => {
      const header = row.map(([name]) => name);
      const result = rowConverter(SCHEMA, mapOf({ constants }), header)(row.map(([, cell]) => cell));
      const validated = result.ok ? validateBody(SCHEMA, result.input) : result;
      if (!validated.ok) expect(validated.reasons.length).toBeGreaterThan(0);
    }),
  );
});
