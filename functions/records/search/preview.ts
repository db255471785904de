import { Refusal } from '#shared/errors';
import type { Manifest, Manifests } from '../index/manifest.ts';
import { TooManyTerms } from '../query/query.ts';
import type { DataRecord } from '../schemas/schema.ts';
import { projectJson } from '../schemas/view.ts';
import type { SegmentSearch } from '../segments/query/segment-search.ts';
import { rankingSettings } from './ranking-settings.ts';
import { PREVIEW_RECORDS, type Search } from './read-search.ts';

/** Refuses a query whose wildcard matches too many terms, which is known only when the index is read. */
export async function refusingTooManyTerms<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof TooManyTerms ? new Refusal(400, 'invalid-query', error.message) : error;
  }
}

export interface PreviewDeps {
  /** The current manifest, or one that was current a moment ago. */
  readonly recentIndex: Pick<Manifests, 'current'>;
  readonly segments: SegmentSearch;
}

/** Searches without starting a download: the number of matching records, and the first or the best of them. */
export function previewOf(
  { segments }: Pick<PreviewDeps, 'segments'>,
  { type, query, order, records = PREVIEW_RECORDS }: Search,
  { segments: searched }: Pick<Manifest, 'segments'>,
) {
  const ranking = order === 'relevance' ? rankingSettings(type) : undefined;
  return refusingTooManyTerms(segments.preview(query, records, searched, ranking));
}

interface Matches {
  readonly total: number;
  /** Records as JSON texts. */
  readonly records: readonly string[];
}

/** The records of a preview, each with the fields of the view. */
export const jsonRecords = ({ view }: Pick<Search, 'view'>, { records }: Matches) =>
  records.map((text) => projectJson(JSON.parse(text) as DataRecord, view));

/**
 * The body of a preview. The key of the count contains a space, as clients of this interface expect; the records of a
 * CSV preview are one text.
 */
export async function presentPreview({ view, format, csvFormulas }: Search, matches: Matches) {
  return {
    'estimated total': matches.total,
    records: format === 'csv' ? await asCsv() : jsonRecords({ view }, matches),
  };

  async function asCsv(): Promise<string> {
    const { csvHeader, csvRows } = await import('../schemas/csv.ts');
    const records = matches.records.map((text) => JSON.parse(text) as DataRecord);
    const lines = [csvHeader(view), ...records.flatMap((record) => csvRows(record, view, csvFormulas))];
    return lines.map((line) => `${line}\n`).join('');
  }
}
