import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultyColumns, fixableRow, fixedFile, rowText } from '../../../functions/console/imports/rejected-rows.ts';
import { Form } from '../../../functions/console/pages/form.ts';
import { entriesOf } from '../../../shared/import/rows/entries.ts';
import { FILE_START } from '../../../shared/import/rows/lines.ts';

const formOf = (fields: readonly (readonly [string, string])[]) =>
  new Form(new URLSearchParams(fields.map(([name, value]) => [name, value])).toString());

/** The cells of each row, as the importer reads them. */
async function rowsIn(text: string): Promise<readonly (readonly string[])[]> {
  async function* chunks() {
    yield new TextEncoder().encode(text);
  }
  const reader = {
    fromJson: () => ({ kind: 'rejected', reason: 'no JSON' }) as const,
    fromRows: () => (cells: readonly string[]) => ({ kind: 'item', item: cells }) as const,
  };
  const rows: (readonly string[])[] = [];
  for await (const entry of entriesOf(chunks(), { file: { name: 'a.csv', checkpoint: FILE_START }, reader })) {
    if (entry.kind === 'item') rows.push(entry.item);
    else if (entry.kind !== 'columns') throw new Error(JSON.stringify(entry));
  }
  return rows;
}

describe('a rejected row', () => {
  it('is mended in its cells if the file has as many columns, else as one text', () => {
    const rejection = { line: 3, reason: 'no' };
    expect(fixableRow({ ...rejection, cells: ['a', ''] }, ['x', 'y'])).toMatchObject({ kind: 'cells' });
    expect(fixableRow({ ...rejection, cells: ['a, "b"', 'c', 'd'] }, ['x', 'y'])).toMatchObject({
      kind: 'text',
      text: '"a, ""b""",c,d',
    });
    expect(fixableRow({ ...rejection, text: '{' }, undefined)).toMatchObject({ kind: 'text', text: '{' });
    expect(fixableRow(rejection, ['x'])).toMatchObject({ kind: 'missing' });
    expect(rowText({})).toBeUndefined();
  });

  it('names the columns that its reason is about, by the fields that they fill', () => {
    const columns = ['Lat', 'name', 'Note', 'All'];
    const map = { columns: { Lat: 'latitude', Note: null, All: ['brand', 'city'] } };
    const of = (reason: string) => faultyColumns(reason, { columns, map });
    expect(of('latitude must be a number from -90 to 90, not "north"; name is missing')).toEqual(['Lat', 'name']);
    expect(of('city must be text of at most 200 characters')).toEqual(['All']);
    expect(of('Note does not exist in place schema')).toEqual([]);
    expect(faultyColumns('name is missing', {})).toEqual([]);
  });
});

describe('the file of mended rows', () => {
  const job = { name: 'stores.csv.gz', columns: ['id', 'name'] };

  it('has the columns of the file it comes from, and the rows that are not left out', () => {
    const form = formOf([
      ['row', '0'],
      ['text-0', 's5,Short'],
      ['row', '1'],
      ['cell-1', 's2'],
      ['cell-1', 'North, "new"\r\ntown'],
      ['row', '2'],
      ['cell-2', 's3'],
      ['cell-2', 'South'],
      ['without-2', 'on'],
    ]);
    expect(fixedFile(form, job)).toEqual({
      name: 'stores-fixed.csv',
      rows: 2,
      text: 'id,name\ns2,"North, ""new""\ntown"\ns5,Short\n',
    });
  });

  it('of JSON or GeoJSON has one line for each row', () => {
    const form = formOf([
      ['row', '0'],
      ['text-0', '{"id": "a",\r\n  "name": "A"}\r\n'],
    ]);
    expect(fixedFile(form, { name: 'places-fixed.geojson' })).toEqual({
      name: 'places-fixed.ndjson',
      rows: 1,
      text: '{"id": "a", "name": "A"} \n',
    });
  });

  it('is none if all rows are left out', () => {
    expect(fixedFile(formOf([]), job)).toBeUndefined();
    expect(
      fixedFile(
        formOf([
          ['row', '0'],
          ['cell-0', 'a'],
          ['without-0', 'on'],
        ]),
        job,
      ),
    ).toBeUndefined();
  });

  it('is read by the importer with the cells that were entered', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ' ', 'é', "'"), maxLength: 8 });
    const rows = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const fields = cells.flatMap((row, index) => [
          ['row', String(index)] as const,
          ...row.map((text) => [`cell-${index}`, text] as const),
        ]);
        expect(await rowsIn(fixedFile(formOf(fields), job)?.text ?? '')).toEqual(cells);
      }),
    );
  });
});
