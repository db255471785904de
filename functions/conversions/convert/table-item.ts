import * as z from 'zod';
import { CSV_FORMULAS } from '#shared/formats/csv-formulas';
import { isExactNumber, parseExactly } from '#shared/formats/exact-json';
import { ItemRefusal } from '../items/item-refusal.ts';
import { type Column, columnsOf, csvRows, csvText } from './csv-text.ts';
import { base } from './item-base.ts';
import { type FlatRow, flatRow, nested } from './table-paths.ts';

/**
 * Accepts any value, because a record of zod drops members named `__proto__`. Reading the table checks that a row is an
 * object.
 */
export const TableRow = z.unknown().meta({ type: 'object' });

const Format = z.enum(['json', 'csv', 'ndjson']);
const Path = z.string().min(1).max(200);

export const TableItem = z.strictObject({
  kind: z.literal('table'),
  value: z.union([z.string(), z.array(TableRow).max(10_000)]).meta({
    description: 'The rows: a text, or a list of objects where `from` is json.',
    examples: [[{ name: 'Acme', address: { city: 'Berlin' } }]],
  }),
  from: Format,
  to: Format,
  columns: z
    .union([z.array(Path).min(1).max(200), z.record(Path, Path)])
    .optional()
    .meta({
      description:
        'Which columns, in which order: a list of dotted paths, or an object from the name of a column to its dotted path. Default: all.',
      examples: [{ Name: 'name', City: 'address.city' }],
    }),
  delimiter: z.enum([',', ';', '\t', '|']).default(',').meta({ description: 'Between the cells of CSV.' }),
  csvFormulas: z.enum(CSV_FORMULAS).default('guarded').meta({
    description:
      'Cells that a spreadsheet would run as formulas begin with an apostrophe, or stay as they are for a program that reads them.',
  }),
  ...base,
});
type TableItem = z.output<typeof TableItem>;

export async function convertTableItem(item: TableItem) {
  const columns = item.columns && columnList(item.columns);
  const rows = await rowsOf(item, columns);
  if (item.to === 'csv') {
    const { text, guarded } = await csvText(rows, columns ?? columnsOf(rows), item);
    return { value: text, rows: rows.length, guarded };
  }
  const objects = rows.map((row) => nested(item.from === 'csv' || !columns ? row : picked(row, columns)));
  const value = item.to === 'json' ? objects : objects.map((each) => `${JSON.stringify(each)}\n`).join('');
  return { value, rows: rows.length };
}

const columnList = (columns: NonNullable<TableItem['columns']>): Column[] =>
  Array.isArray(columns)
    ? columns.map((path) => ({ name: path, path }))
    : Object.entries(columns).map(([name, path]) => ({ name, path }));

/** Renames the members of an object by the column map: the name of a column is the new path. */
const picked = (row: FlatRow, columns: readonly Column[]): FlatRow =>
  new Map(columns.filter(({ path }) => row.has(path)).map(({ name, path }) => [name, row.get(path)]));

async function rowsOf(
  { value, from, delimiter }: TableItem,
  columns: readonly Column[] | undefined,
): Promise<readonly FlatRow[]> {
  if (typeof value !== 'string') {
    if (from === 'json') return rowsOfList(value);
    throw new ItemRefusal('unparseable-value', `A table as ${from} is a text.`, { pointer: '/value' });
  }
  if (from === 'csv') return await csvRows(value, columns, delimiter);
  if (from === 'ndjson') {
    const lines = value.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line, index) => flatRow(objectOf(jsonOf(line, `Line ${index + 1}`), `Line ${index + 1}`)));
  }
  const list = jsonOf(value, 'The table');
  if (!Array.isArray(list)) throw new ItemRefusal('unparseable-value', 'A table as json is a list of objects.');
  return rowsOfList(list);
}

const rowsOfList = (list: readonly unknown[]): FlatRow[] =>
  list.map((each, index) => flatRow(objectOf(each, `Row ${index + 1}`)));

function jsonOf(text: string, what: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    throw new ItemRefusal('unparseable-value', `${what} is not JSON.`);
  }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)) {
    return value as Record<string, unknown>;
  }
  throw new ItemRefusal('unparseable-value', `${what} is not an object.`);
}
