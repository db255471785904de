import { Refusal } from '#shared/errors';
import { TooManyTerms } from '../query/query.ts';
import type { DataRecord } from '../schemas/schema.ts';
import { projectJson } from '../schemas/view.ts';
import type { Search } from './read-search.ts';

/** Refuses a query whose wildcard matches too many terms, which only reading the index can show. */
export async function refusingTooManyTerms<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof TooManyTerms ? new Refusal(400, 'bad-request', error.message) : error;
  }
}

/**
 * The body of a preview. The name of the count holds a blank, as clients of this interface expect; the records of a
 * CSV preview are one text.
 */
export async function presentPreview({ view, format }: Search, found: { total: number; records: readonly string[] }) {
  const records = found.records.map((text) => JSON.parse(text) as DataRecord);
  return {
    'estimated total': found.total,
    records: format === 'csv' ? await asCsv() : records.map((record) => projectJson(record, view)),
  };

  async function asCsv(): Promise<string> {
    const { csvHeader, csvRows } = await import('../schemas/csv.ts');
    const lines = [csvHeader(view), ...records.flatMap((record) => csvRows(record, view))];
    return lines.map((line) => `${line}\n`).join('');
  }
}
