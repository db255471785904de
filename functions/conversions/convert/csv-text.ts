import { type CsvFormulas, guardedCell } from '#shared/formats/csv-formulas';
import { numberText } from '#shared/formats/exact-json';
import { ItemRefusal, quoteForMessage } from '../items/item-refusal.ts';
import type { FlatRow } from './table-paths.ts';

/** The most columns. Rows with different members can make a table with many more cells than values. */
const COLUMNS_MAX = 200;
const CELLS_MAX = 100_000;

export interface CsvText {
  readonly text: string;
  /** The number of cells that would have been formulas and now begin with an apostrophe. */
  readonly guarded: number;
}

export interface Column {
  readonly name: string;
  /** The dotted path. */
  readonly path: string;
}

export function columnsOf(rows: readonly FlatRow[]): Column[] {
  const paths = new Set<string>();
  for (const row of rows) {
    for (const path of row.keys()) paths.add(path);
    if (paths.size > COLUMNS_MAX) break;
  }
  return [...paths].map((path) => ({ name: path, path }));
}

export async function csvText(
  rows: readonly FlatRow[],
  columns: readonly Column[],
  { delimiter, csvFormulas: formulas }: { readonly delimiter: string; readonly csvFormulas: CsvFormulas },
): Promise<CsvText> {
  if (columns.length > COLUMNS_MAX || columns.length * rows.length > CELLS_MAX) {
    throw new ItemRefusal(
      'unparseable-value',
      `A table has at most ${COLUMNS_MAX} columns and ${CELLS_MAX} cells. Name the columns that you need.`,
    );
  }
  const { stringify } = await import('csv-stringify/sync');
  let guarded = 0;
  const cell = (text: string) => {
    const safe = formulas === 'raw' ? text : guardedCell(text);
    if (safe !== text) guarded++;
    return safe;
  };
  const header = columns.map(({ name }) => cell(name));
  const body = rows.map((row) => columns.map(({ path }) => mapText(cellText(row.get(path)), cell)));
  // An empty text is quoted, so that it differs from a missing member.
  const text = columns.length === 0 ? '' : stringify([header, ...body], { delimiter, quoted_match: /^$/ });
  return { text, guarded };
}

const mapText = (text: string | null, change: (text: string) => string): string | null =>
  text === null ? null : change(text);

function cellText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  return numberText(value) ?? JSON.stringify(value);
}

/** Reads a table from text; its first line names the columns. */
export async function csvRows(
  text: string,
  columns: readonly Column[] | undefined,
  delimiter: string,
): Promise<FlatRow[]> {
  const { parse } = await import('csv-parse/sync');
  const [header = [], ...lines] = linesOf(parse, text, delimiter);
  const names = header.map((name) => name ?? '');
  if (names.length > COLUMNS_MAX)
    throw new ItemRefusal('unparseable-value', `A table has at most ${COLUMNS_MAX} columns.`);
  if (new Set(names).size < names.length) {
    throw new ItemRefusal('unparseable-value', 'Two columns of the table have the same name.');
  }
  const selection = columns ?? names.map((name) => ({ name, path: name }));
  const places = selection.map(({ name, path }) => ({ path, index: placeOf(name, names) }));
  return lines.map((line) => {
    const cells = places.map(({ path, index }): [string, string | null | undefined] => [path, line[index]]);
    return new Map(cells.filter(([, cell]) => cell !== null && cell !== undefined));
  });
}

function placeOf(name: string, names: readonly string[]): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  throw new ItemRefusal('unparseable-value', `The table has no column ${quoteForMessage(name)}.`, {
    pointer: '/columns',
  });
}

type Parse = typeof import('csv-parse/sync').parse;

/** An empty cell is null; an empty cell in quotes is an empty text. */
function linesOf(parse: Parse, text: string, delimiter: string): (string | null)[][] {
  try {
    const lines: unknown = parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    return lines as (string | null)[][];
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it is no CSV';
    throw new ItemRefusal('unparseable-value', `The table cannot be read: ${reason}`);
  }
}
