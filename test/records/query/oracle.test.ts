import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bind } from '../../../functions/records/query/bind.ts';
import { parse } from '../../../functions/records/query/parse.ts';
import type { DataRecord, RecordSchema } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';
import { recordOf } from '../schemas/record-arbitrary.ts';
import { matches } from './naive-evaluator.ts';
import { hostileTexts, queryTexts } from './query-arbitrary.ts';
import { runQuery } from './query-interpreter.ts';

const RUNS = isThorough ? 400 : 100;

/** Records and a query whose words come from them. */
function cases(
  schema: RecordSchema,
  texts: (schema: RecordSchema, records: readonly DataRecord[]) => fc.Arbitrary<string>,
): fc.Arbitrary<{ records: DataRecord[]; text: string }> {
  return fc
    .array(recordOf(schema), { minLength: 1, maxLength: 8 })
    .chain((records) => texts(schema, records).map((text) => ({ records, text })));
}

describe.each(Object.values(SCHEMAS))('queries on $type', (schema) => {
  it('find exactly the records that the naive evaluator finds', () => {
    fc.assert(
      fc.property(cases(schema, queryTexts), ({ records, text }) => {
        const parsed = parse(text);
        if (!parsed.ok) throw new Error(parsed.message);
        const bound = bind(parsed.expression, schema);
        if (!bound.ok) throw new Error(bound.message);
        const results = records.map((record) => runQuery(bound.query, record, schema));
        expect(results).toEqual(records.map((record) => matches(parsed.expression, record, schema)));
      }),
      { numRuns: RUNS },
    );
  });

  it('return a result whatever the text is, and agree with the naive evaluator on every query that they accept', () => {
    fc.assert(
      fc.property(cases(schema, hostileTexts), ({ records, text }) => {
        const parsed = parse(text);
        const bound = parsed.ok ? bind(parsed.expression, schema) : parsed;
        if (!bound.ok || !parsed.ok) {
          expect(!bound.ok && bound.message).toMatch(
            /^invalid query: | does not exist in (business|product|property) schema$/,
          );
          return;
        }
        const results = records.map((record) => runQuery(bound.query, record, schema));
        expect(results).toEqual(records.map((record) => matches(parsed.expression, record, schema)));
      }),
      { numRuns: RUNS },
    );
  });
});
