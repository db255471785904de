import { parse as readCsv } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { DataRecord, RecordType, RecordValue } from '../../../functions/records/schemas/schema.ts';
import { VIEWS } from '../../../functions/records/schemas/view.ts';
import type { DownloadDesk } from '../records/download-desk.ts';

/**
 * Downloads everything of a type in every view and format, reads the files with readers that are not the writer's, and
 * compares every value with the records. Returns how many records were compared.
 */
export async function proveReadBack(desk: DownloadDesk, type: RecordType, records: readonly DataRecord[]) {
  let compared = 0;
  for (const { name } of VIEWS.filter((view) => view.type === type)) {
    const csv = await download(desk, type, { view: name, format: 'csv' });
    const header = csv[0]?.slice(0, csv[0].indexOf('\n')).split(',') ?? [];
    const rows = csv.flatMap((text) => readCsv(text, { from_line: 2 }));
    compareCsv(name, records, header, rows);

    const lines = (await download(desk, type, { view: name, format: 'json' })).flatMap((text) =>
      text.split('\n').slice(0, -1),
    );
    const fields = new Set(header.map((column) => column.split('.')[0] ?? ''));
    compareJson(name, records, [...fields], lines);
    compared += 2 * records.length;
  }
  return compared;
}

let tokens = 0;
async function download(desk: DownloadDesk, type: RecordType, parameters: Record<string, string>): Promise<string[]> {
  tokens += 1;
  const tokenId = `tok_reader_${tokens}`;
  await desk.account(tokenId, 10_000_000);
  const { sent } = await desk.start(tokenId, { q: '*:*', ...parameters }, { type });
  await desk.runAll(sent);
  const files = [...(await desk.files(tokenId))];
  const numberOf = (name: string) => Number(/_(\d+)\./.exec(name)?.[1]);
  return files.toSorted(([a], [b]) => numberOf(a) - numberOf(b)).map(([, text]) => text);
}

/** Fields in the order of the view, `id` last. */
function compareJson(
  view: string,
  records: readonly DataRecord[],
  fields: readonly string[],
  lines: readonly string[],
) {
  expect(lines.length, view).toBe(records.length);
  for (const [i, record] of records.entries()) {
    const { id: _, ...others } = record;
    const members = fields.filter((field) => field in others).map((field) => [field, record[field]] as const);
    const expected = JSON.stringify(Object.fromEntries([...members, ['id', record.id]]));
    if (lines[i] !== expected) expect(lines[i], `${view}, record ${i}`).toBe(expected);
  }
}

function compareCsv(
  view: string,
  records: readonly DataRecord[],
  header: readonly string[],
  rows: readonly string[][],
) {
  const opened = openedBy(view);
  let row = 0;
  for (const [i, record] of records.entries()) {
    const height = Math.max(1, ...header.map((column) => (opened(column) ? lengthOf(record[fieldOf(column)]) : 1)));
    for (let element = 0; element < height; element += 1, row += 1) {
      const expected = header.map((column) => {
        const value = record[fieldOf(column)];
        return textOf(opened(column) && Array.isArray(value) ? subValue(value[element], column) : value);
      });
      const same = rows[row]?.length === expected.length && expected.every((cell, at) => cell === rows[row]?.[at]);
      if (!same) expect(rows[row], `${view}, record ${i}, row ${row}`).toEqual(expected);
    }
  }
  expect(rows.length, view).toBe(row);
}

const fieldOf = (column: string) => column.split('.')[0] ?? '';
const lengthOf = (value: RecordValue | undefined) => (Array.isArray(value) ? value.length : 1);

/** Which columns have a row for each element, by the name of the view. */
function openedBy(view: string): (column: string) => boolean {
  const flat = /_(\w+)Flat$/.exec(view)?.[1] ?? (view === 'products_basicFields' ? 'sourceURLs' : undefined);
  if (flat !== undefined) return (column) => fieldOf(column) === flat.replace(/^all_/, '');
  return () => /^[a-z]+_all$/.test(view);
}

function subValue(element: unknown, column: string): unknown {
  const sub = column.split('.')[1];
  if (sub === undefined) return typeof element === 'object' ? undefined : element;
  return typeof element === 'object' && element !== null ? (element as Record<string, unknown>)[sub] : undefined;
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return Array.isArray(value) && typeof value[0] !== 'object' ? value.join(',') : JSON.stringify(value);
}
