import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../../functions/records/query/bind.ts';
import { parse } from '../../../../functions/records/query/parse.ts';
import { SCHEMAS } from '../../../../functions/records/schemas/schemas.ts';
import { FOREIGN_FILES, imported } from '../../../support/records/foreign-files.ts';
import { matches } from '../../query/naive-evaluator.ts';
import { queryTexts } from '../../query/query-arbitrary.ts';
import { runQuery } from '../../query/query-interpreter.ts';

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
          const bound = bind(parsed.expression, schema);
          if (!bound.ok) throw new Error(bound.message);
          const results = sample.filter((record) => runQuery(bound.query, record, schema));
          expect(results).toEqual(sample.filter((record) => matches(parsed.expression, record, schema)));
        }),
        { numRuns: 200 },
      );
    });
  });
}
