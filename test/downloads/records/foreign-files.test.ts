import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse as readCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../functions/downloads/query/bind.ts';
import { parse } from '../../../functions/downloads/query/parse.ts';
import { parseColumnMap } from '../../../functions/downloads/records/column-map.ts';
import { rowConverter } from '../../../functions/downloads/records/convert-row.ts';
import type { DataRecord, RecordType } from '../../../functions/downloads/records/schema.ts';
import { SCHEMAS } from '../../../functions/downloads/records/schemas.ts';
import { validateRecord } from '../../../functions/downloads/records/validate.ts';
import { matches } from '../query/naive-evaluator.ts';
import { queryTexts } from '../query/query-arbitrary.ts';
import { runQuery } from '../query/query-interpreter.ts';

interface Source {
  readonly file: string;
  readonly type: RecordType;
  /** A header and a row as such files have them. */
  readonly sample: string;
  readonly expected: DataRecord;
  readonly columns: Readonly<Record<string, string | readonly string[] | null>>;
  readonly constants?: Readonly<Record<string, unknown>>;
  /** What becomes of the columns that `columns` does not name. */
  readonly others: (column: string) => string | null;
  /** Rows that may be refused, of the whole file. */
  readonly refusedMax: number;
}

const SOURCES: readonly Source[] = [
  {
    file: 'cms-hospitals.csv.gz',
    type: 'businesses',
    sample:
      'Provider ID,Hospital Name,City,State,ZIP Code,Phone Number,Hospital Type,Emergency Services,Footnote\n' +
      '010005,"ST. MARY\'S, SOUTH",BOAZ,AL,35957,2565938310,Acute Care Hospitals,TRUE,\n',
    expected: {
      categories: ['Acute Care Hospitals'],
      city: 'BOAZ',
      country: 'US',
      features: [{ key: 'Emergency services', value: ['TRUE'] }],
      name: "ST. MARY'S, SOUTH",
      phones: ['2565938310'],
      postalCode: '35957',
      province: 'AL',
      id: '010005',
    },
    columns: {
      'Provider ID': 'id',
      'Hospital Name': 'name',
      Address: 'address',
      City: 'city',
      State: 'province',
      'ZIP Code': 'postalCode',
      'Phone Number': 'phones',
      'Hospital Type': 'categories',
      'Emergency Services': 'features.Emergency services',
    },
    constants: { country: 'US' },
    others: () => null,
    refusedMax: 0,
  },
  {
    file: 'datakick-products.csv.gz',
    type: 'products',
    sample:
      'GTIN-14,Brand Name,Name,Size,Fat (g),Sodium (mg),Images\n00000000959742,Joe\'s,Turkey Jerky,4 oz,1.5,,""\n',
    expected: {
      brand: "Joe's",
      ean: ['00000000959742'],
      features: [{ key: 'Fat (g)', value: ['1.5'] }],
      name: 'Turkey Jerky',
      sizes: ['4 oz'],
      upc: '00000000959742',
      id: '00000000959742',
    },
    columns: {
      'GTIN-14': ['id', 'upc', 'ean'],
      'Brand Name': 'brand',
      Name: 'name',
      Size: 'sizes',
      Images: 'imageURLs',
    },
    others: (column) => `features.${column}`,
    // Names such as "[Sealed] …" begin like JSON.
    refusedMax: 10,
  },
  {
    file: 'king-county-house-sales.csv.gz',
    type: 'properties',
    sample:
      'id,date,price,bedrooms,bathrooms,zipcode,lat,long,grade\n7129300520,10/13/2014,221900.0,3,2.25,98178,47.5112,-122.257,7\n',
    expected: {
      country: 'US',
      latitude: 47.5112,
      longitude: -122.257,
      numBathroom: 2.25,
      numBedroom: 3,
      postalCode: '98178',
      prices: [{ amountMin: 221900, amountMax: 221900, currency: 'USD', date: '2014-10-13T00:00:00Z', isSale: 'true' }],
      id: '7129300520',
    },
    columns: {
      id: 'id',
      date: 'prices.date',
      price: ['prices.amountMin', 'prices.amountMax'],
      bedrooms: 'numBedroom',
      bathrooms: 'numBathroom',
      sqft_living: 'floorSizeValue',
      sqft_lot: 'lotSizeValue',
      floors: 'numFloor',
      zipcode: 'postalCode',
      lat: 'latitude',
      long: 'longitude',
    },
    constants: { country: 'US', 'prices.currency': 'USD', 'prices.isSale': true },
    others: () => null,
    refusedMax: 0,
  },
];

function imported(source: Source, csv: Buffer | string): { records: DataRecord[]; refused: string[] } {
  const rows: string[][] = readCsv(csv, { bom: true, relax_column_count: true });
  const [header = [], ...body] = rows;
  const others = header.filter((name) => source.columns[name] === undefined);
  const columns = { ...source.columns, ...Object.fromEntries(others.map((name) => [name, source.others(name)])) };
  const parsed = parseColumnMap({ columns, constants: source.constants });
  if (!parsed.ok) throw new Error(parsed.message);
  const convert = rowConverter(SCHEMAS[source.type], parsed.map, header);
  const records: DataRecord[] = [];
  const refused: string[] = [];
  for (const row of body) {
    const converted = convert(row);
    const validated = converted.ok ? validateRecord(SCHEMAS[source.type], converted.input) : converted;
    if (validated.ok) records.push(validated.record);
    else refused.push(...validated.reasons);
  }
  return { records, refused };
}

describe.each([...SOURCES])('a file like $file', (source) => {
  it('becomes records by its import map', () => {
    expect(imported(source, source.sample)).toEqual({ records: [source.expected], refused: [] });
  });
});

/** The files themselves are no part of the project: RECORDS_DIR names the folder that has them. */
const FOLDER = process.env['RECORDS_DIR'];

for (const source of SOURCES) {
  const path = FOLDER === undefined ? undefined : join(FOLDER, source.file);
  if (path === undefined || !existsSync(path)) continue;
  describe(`the whole of ${source.file}`, () => {
    const { records, refused } = imported(source, gunzipSync(readFileSync(path)));

    it('goes in but for a few rows, each refused with its reason', () => {
      expect(records.length).toBeGreaterThan(4000);
      expect(refused.length).toBeLessThanOrEqual(source.refusedMax);
    });

    it('is searched as the naive evaluator searches it', () => {
      const schema = SCHEMAS[source.type];
      const sample = records.filter((_, at) => at % Math.ceil(records.length / 500) === 0);
      fc.assert(
        fc.property(queryTexts(schema, sample), (text) => {
          const parsed = parse(text);
          if (!parsed.ok) throw new Error(parsed.message);
          const bound = bind(parsed.level, schema);
          if (!bound.ok) throw new Error(bound.message);
          const found = sample.filter((record) => runQuery(bound.query, record, schema));
          expect(found).toEqual(sample.filter((record) => matches(parsed.level, record, schema)));
        }),
        { numRuns: 200 },
      );
    });
  });
}
