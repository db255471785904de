import * as fc from 'fast-check';
import { expect } from 'vitest';
import { bind } from '../../../functions/records/query/bind.ts';
import { parse } from '../../../functions/records/query/parse.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { matches } from '../../records/query/naive-evaluator.ts';
import { queryTexts } from '../../records/query/query-arbitrary.ts';
import type { RecordIndex } from './record-index.ts';

/**
 * Sends generated queries through parser, binding, index and record store, and compares count and records with a look
 * at every record. Returns how many queries found something, so that a proof over nothing is noticed.
 */
export async function proveSearch(
  index: RecordIndex,
  {
    type,
    records,
    queries,
    seed,
  }: { type: RecordType; records: readonly DataRecord[]; queries: number; seed?: number },
): Promise<number> {
  const schema = SCHEMAS[type];
  const searcher = await index.searcher(type);
  const texts = records.map((record) => JSON.stringify(record));
  const sample = records.filter((_, at) => at % Math.ceil(records.length / 400) === 0);
  let fruitful = 0;
  await fc.assert(
    fc.asyncProperty(queryTexts(schema, sample), async (text) => {
      const parsed = parse(text);
      if (!parsed.ok) throw new Error(parsed.message);
      const bound = bind(parsed.expression, schema);
      if (!bound.ok) throw new Error(bound.message);
      const result = await searcher(bound.query);
      const expected = new Set(texts.filter((_, i) => matches(parsed.expression, records[i]!, schema)));
      expect([result.total, result.texts.length, new Set(result.texts).size]).toEqual(Array(3).fill(expected.size));
      expect(result.texts.filter((text) => !expected.has(text))).toEqual([]);
      if (expected.size > 0) fruitful += 1;
    }),
    { numRuns: queries, ...(seed !== undefined && { seed }) },
  );
  return fruitful;
}
