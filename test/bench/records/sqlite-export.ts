/** The files of a download as SQLite would write them: SQL that makes the very same lines from a column of JSON. */
import type { ObjectField, ValueField } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import type { Column, View } from '../../../functions/records/schemas/view.ts';

/**
 * Records in their order: the JSON text, and JSONB, SQLite's own form of it, from which members come in half the time.
 * Beside them the numbers that the rows of one record count by.
 */
export const EXPORT_SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE TABLE records (n INTEGER PRIMARY KEY, text TEXT, record BLOB);
  CREATE TABLE numbers (at INTEGER PRIMARY KEY);
  INSERT INTO numbers SELECT value FROM json_each('[${Array.from({ length: 1000 }, (_, at) => at).join(',')}]');`;

export const INSERT_SQL = 'INSERT INTO records VALUES (?1, ?2, jsonb(?2))';

/**
 * Gives the bytes of the lines, as `bytes`, of the records from the first parameter to before the second. SQLite joins
 * them itself: returning every line takes longer.
 */
export function exportSql(view: View, format: 'json' | 'csv'): string {
  const { line, source } = format === 'csv' ? csv(view) : json(view);
  const lines = `SELECT ${line} AS line FROM ${source} WHERE n >= ? AND n < ?`;
  return `SELECT CAST(group_concat(line, char(10)) || char(10) AS BLOB) AS bytes FROM (${lines})`;
}

interface Lines {
  readonly line: string;
  readonly source: string;
}

function json(view: View): Lines {
  if (view.keepsAll) return { line: 'text', source: 'records' };
  const members = view.fields.map((field) => `ifnull('"${field}":' || (record -> '$.${field}') || ',', '')`);
  return { line: `concat('{', ${members.join(', ')}, '"id":', record -> '$.id', '}')`, source: 'records' };
}

function csv(view: View): Lines {
  const line = (cellOf: (column: Column, at: number) => string) =>
    `concat_ws(',', ${[stringCell('record', `'$.id'`), ...view.columns.map(cellOf)].join(', ')})`;
  switch (view.layout.kind) {
    case 'nested':
      return { line: line(wholeCell), source: 'records' };
    case 'flat': {
      const { field, from, until } = view.layout;
      return {
        line: line((column, at) => (at >= from && at < until ? flatCell(column) : wholeCell(column))),
        source: `records LEFT JOIN json_each(record, '$.${field}') AS element`,
      };
    }
    default:
      return { line: line(spreadCell), source: `records JOIN numbers ON at < ${heightOf(view.columns)}` };
  }
}

/** All of a field. */
function wholeCell({ field }: Column): string {
  const definition = definitionOf(field);
  if (definition.kind === 'object') return quoted(`record -> '$.${field}'`);
  return valueCell(definition, 'record', `'$.${field}'`);
}

/** Of the element that the row is for. */
function flatCell({ field, sub }: Column): string {
  return valueCell(subOf(field, sub), 'element.value', `'$.${sub}'`);
}

/** Of the element with the number of the row; of a single value in every row. */
function spreadCell(column: Column): string {
  const { field, sub } = column;
  if (!isList(field)) return wholeCell(column);
  const element = `'$.${field}[' || at || ']`;
  if (sub !== undefined) return valueCell(subOf(field, sub), 'record', `(${element}.${sub}')`);
  return stringCell('record', `(${element}')`);
}

function heightOf(columns: readonly Column[]): string {
  const fields = new Set(columns.map(({ field }) => field).filter(isList));
  return `max(1, ${[...fields].map((field) => `ifnull(json_array_length(record, '$.${field}'), 0)`).join(', ')})`;
}

function valueCell({ kind, list }: ValueField, source: string, path: string): string {
  if (list) return quoted(`(SELECT group_concat(value, ',') FROM json_each(${source}, ${path}))`);
  return kind === 'number' ? `ifnull(${source} -> ${path}, '')` : stringCell(source, path);
}

const stringCell = (source: string, path: string) => quoted(`${source} ->> ${path}`);

const quoted = (value: string) => `ifnull('"' || replace(${value}, '"', '""') || '"', '')`;

const definitionOf = (field: string): ValueField | ObjectField => {
  const definition = SCHEMAS.businesses.fields[field];
  if (!definition) throw new Error(`There is no ${field}.`);
  return definition;
};

function subOf(field: string, sub = ''): ValueField {
  const definition = definitionOf(field);
  const member = definition.kind === 'object' ? definition.fields[sub] : undefined;
  if (!member) throw new Error(`There is no ${field}.${sub}.`);
  return member;
}

function isList(field: string): boolean {
  const definition = definitionOf(field);
  return definition.kind === 'object' || definition.list === true;
}
