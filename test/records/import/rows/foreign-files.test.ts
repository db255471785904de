import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse as readCsv } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowConverter } from '../../../../functions/records/import/rows/convert-row.ts';
import { validateRecord } from '../../../../functions/records/import/rows/validate.ts';
import { bind } from '../../../../functions/records/query/bind.ts';
import { parse } from '../../../../functions/records/query/parse.ts';
import type { DataRecord } from '../../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../../functions/records/schemas/schemas.ts';
import { parseColumnMap } from '../../../../shared/import/rows/column-map.ts';
import { FOREIGN_FILES, type ForeignFile, importMapOf } from '../../../support/images/foreign-files.ts';
import { matches } from '../../query/naive-evaluator.ts';
import { queryTexts } from '../../query/query-arbitrary.ts';
import { runQuery } from '../../query/query-interpreter.ts';

function imported(source: ForeignFile, csv: Buffer | string): { records: DataRecord[]; refused: string[] } {
  const rows: string[][] = readCsv(csv, { bom: true, relax_column_count: true });
  const [header = [], ...body] = rows;
  const parsed = parseColumnMap(importMapOf(source, header));
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

describe.each([...FOREIGN_FILES])('a file like $file', (source) => {
  it('becomes records by its import map', () => {
    expect(imported(source, source.sample)).toEqual({ records: [source.expected], refused: [] });
  });
});

/** The files themselves are not part of the project: RECORDS_DIR names their folder. */
const FOLDER = process.env['RECORDS_DIR'];

for (const source of FOREIGN_FILES) {
  const path = FOLDER === undefined ? undefined : join(FOLDER, source.file);
  if (path === undefined || !existsSync(path)) continue;
  describe(`the whole of ${source.file}`, () => {
    const { records, refused } = imported(source, gunzipSync(readFileSync(path)));

    it('is imported, every row of it', () => {
      expect(records.length).toBeGreaterThan(4000);
      expect(refused).toEqual([]);
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
