import { type CsvFormulas, guardedCell } from '#shared/formats/csv-formulas';
import type { DataRecord, RecordValue, Scalar } from './schema.ts';
import type { Column, Layout, View } from './view.ts';

type Element = Readonly<Record<string, Scalar | readonly Scalar[]>>;
type Elements = readonly Scalar[] | readonly Element[];
/** Writes a text as a cell. */
type QuoteCell = (text: string) => string;

/** The first line, without its end. */
export function csvHeader(view: View): string {
  return ['id', ...view.columns.map(({ header }) => header)].join(',');
}

/** The lines of one record, at least one, without their end, which is `\n`. Cells may hold line ends, in quotes. */
export function csvRows(record: DataRecord, view: View, formulas: CsvFormulas): string[] {
  const quoted = formulas === 'raw' ? asText : (text: string) => asText(guardedCell(text));
  switch (view.layout.kind) {
    case 'nested':
      return [quoted(record.id) + cells(record, view.columns, { from: 0, until: view.columns.length }, quoted)];
    case 'flat':
      return flatRows(record, view.columns, view.layout, quoted);
    default:
      return spreadRows(record, view.columns, quoted);
  }
}

/** Cells of a run of columns, each with the comma before it. */
function cells(
  record: DataRecord,
  columns: readonly Column[],
  { from, until }: { readonly from: number; readonly until: number },
  quoted: QuoteCell,
): string {
  let row = '';
  for (let at = from; at < until; at++) {
    const value = record[columns[at]!.field];
    // Most cells are empty.
    row += value === undefined ? ',' : `,${cell(value, quoted)}`;
  }
  return row;
}

function flatRows(
  record: DataRecord,
  columns: readonly Column[],
  { field, from, until }: Extract<Layout, { kind: 'flat' }>,
  quoted: QuoteCell,
): string[] {
  const before = quoted(record.id) + cells(record, columns, { from: 0, until: from }, quoted);
  const after = cells(record, columns, { from: until, until: columns.length }, quoted);
  const value = record[field];
  // A record without an element keeps its one row, with empty cells.
  if (value === undefined) return [before + ','.repeat(until - from) + after];
  return listOf(value).map((element) => {
    let row = before;
    for (let at = from; at < until; at++) row += `,${elementCell(element, columns[at]?.sub, quoted)}`;
    return row + after;
  });
}

function spreadRows(record: DataRecord, columns: readonly Column[], quoted: QuoteCell): string[] {
  let height = 1;
  for (const { field } of columns) {
    const value = record[field];
    if (typeof value === 'object' && value.length > height) height = value.length;
  }
  const rows = Array.from({ length: height }, () => quoted(record.id));
  for (const { field, sub } of columns) {
    const value = record[field];
    const repeated = typeof value === 'object' ? '' : `,${cell(value, quoted)}`;
    for (let row = 0; row < height; row++) {
      rows[row] += typeof value === 'object' ? `,${elementCell(value[row], sub, quoted)}` : repeated;
    }
  }
  return rows;
}

function listOf(value: RecordValue): Elements {
  return typeof value === 'object' ? value : [value];
}

/** A cell of one element; empty past the end of its array. */
function elementCell(element: Scalar | Element | undefined, sub: string | undefined, quoted: QuoteCell): string {
  if (typeof element !== 'object') return cell(element, quoted);
  return sub === undefined ? '' : cell(element[sub], quoted);
}

/** Formats a cell: strings in quotes and numbers bare, several values joined by commas, objects as JSON text. */
function cell(value: RecordValue | undefined, quoted: QuoteCell): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return String(value);
  if (value === undefined) return '';
  return quoted(areScalars(value) ? value.join(',') : JSON.stringify(value));
}

function areScalars(list: Elements): list is readonly Scalar[] {
  return typeof list[0] !== 'object';
}

function asText(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}
