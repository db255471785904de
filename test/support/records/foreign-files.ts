import { parse as readCsv } from 'csv-parse/sync';
import { rowConverter } from '../../../functions/records/import/rows/convert-row.ts';
import { validateRecord } from '../../../functions/records/import/rows/validate.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { parseImportMap } from '../../../shared/import/rows/parse-import-map.ts';

/** A public file of records, and the fields for its columns. */
export interface ForeignFile {
  readonly file: string;
  readonly type: RecordType;
  /** A header and a row as such files have them. */
  readonly sample: string;
  readonly expected: DataRecord;
  readonly columns: Readonly<Record<string, string | readonly string[] | null>>;
  readonly constants?: Readonly<Record<string, unknown>>;
  /** What becomes of the columns that `columns` does not name. */
  readonly others: (column: string) => string | null;
}

export const FOREIGN_FILES: readonly ForeignFile[] = [
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
      // Houses were sold more than once: with this map a later sale replaces an earlier one.
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
  },
];

/** The import map for a file with this header. */
export function importMapOf({ columns, constants, others }: ForeignFile, header: readonly string[]) {
  const unnamed = header.filter((name) => columns[name] === undefined);
  return { columns: { ...columns, ...Object.fromEntries(unnamed.map((name) => [name, others(name)])) }, constants };
}

/** The records of such a file, as an import makes them, and why the others were refused. */
export function imported(source: ForeignFile, csv: Buffer | string): { records: DataRecord[]; refused: string[] } {
  const rows: string[][] = readCsv(csv, { bom: true, relax_column_count: true });
  const [header = [], ...body] = rows;
  const parsed = parseImportMap(importMapOf(source, header));
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
