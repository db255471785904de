import type { Form } from '../pages/form.ts';
import type { ImportDetails, Rejection } from './import-answers.ts';

/** A rejected row in the form that fixes it: its cells under the columns of the file, or its text. */
export type FixableRow = Pick<Rejection, 'line' | 'reason'> & { readonly isLeftOut?: boolean } & (
    | { readonly kind: 'cells'; readonly cells: readonly string[] }
    | { readonly kind: 'text'; readonly text: string }
    /** The report has no text of it. */
    | { readonly kind: 'missing' }
  );

/** A cell of CSV (RFC 4180). */
const csvCell = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csvRow = (cells: readonly string[]): string => cells.map(csvCell).join(',');

/** The row in one line, as the file has it. */
export const rowText = ({ text, cells }: Pick<Rejection, 'text' | 'cells'>): string | undefined =>
  cells ? csvRow(cells) : text;

/** A row as a form has it that was refused. */
export function typedRow(row: FixableRow, index: number, form: Form): FixableRow {
  if (row.kind === 'missing' || !form.all('row').includes(String(index))) return row;
  const typed = { ...row, isLeftOut: form.isChecked(`without-${index}`) };
  if (typed.kind === 'text') return { ...typed, text: form.text(`text-${index}`) };
  return { ...typed, cells: form.all(`cell-${index}`).map(withLf) };
}

export function fixableRow(rejection: Rejection, columns: readonly string[] | undefined): FixableRow {
  const { line, reason, cells } = rejection;
  if (cells && columns && cells.length === columns.length) return { line, reason, kind: 'cells', cells };
  const text = rowText(rejection);
  return text === undefined ? { line, reason, kind: 'missing' } : { line, reason, kind: 'text', text };
}

/** The columns whose values the reason is about, by the fields that they fill. */
export function faultyColumns(reason: string, { columns = [], map }: Pick<ImportDetails, 'columns' | 'map'>): string[] {
  const words = new Set(reason.split(/[^\p{L}\p{N}_.-]+/u));
  return columns.filter((column) => {
    const fields = map?.columns?.[column];
    return [fields === undefined ? column : fields].flat().some((field) => field !== null && words.has(field));
  });
}

/** The file of the fixed rows, in the form of the one that they come from. Undefined if all rows are left out. */
export function fixedFile(
  form: Form,
  { name, columns }: Pick<ImportDetails, 'name' | 'columns'>,
): { readonly name: string; readonly text: string; readonly rows: number } | undefined {
  const rows = form.all('row').filter((row) => !form.isChecked(`without-${row}`));
  const inCells = rows.filter((row) => form.all(`cell-${row}`).length > 0);
  const texts = rows.filter((row) => form.all(`cell-${row}`).length === 0).map((row) => form.text(`text-${row}`));
  const lines = columns
    ? // A quote that is not closed takes other rows with it, so rows in one text come last.
      [csvRow(columns), ...inCells.map((row) => csvRow(form.all(`cell-${row}`).map(withLf))), ...texts]
    : texts.map((text) => text.replaceAll(/\s*\n\s*/g, ' '));
  if (rows.length === 0) return undefined;
  return {
    name: fixedName(name, columns !== undefined),
    text: `${lines.join('\n')}\n`,
    rows: rows.length,
  };
}

const withLf = (text: string): string => text.replaceAll('\r\n', '\n');

const BASE_MAX = 150;
const FIXED = '-fixed';

/** The name without its ends, which the file and those with its fixed rows share. */
export const baseName = (name: string): string =>
  name
    .replace(/\.gz$/i, '')
    .replace(/\.[a-z]+$/i, '')
    .slice(0, BASE_MAX + FIXED.length)
    .replace(/-fixed$/, '');

const fixedName = (name: string, isCsv: boolean): string =>
  `${baseName(name).slice(0, BASE_MAX)}${FIXED}.${isCsv ? 'csv' : 'ndjson'}`;
