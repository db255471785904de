import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { words } from '../../../functions/records/query/index-terms.ts';
import { readQuery } from '../../../functions/records/query/read-query.ts';
import type { DataRecord, RecordType } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { rankingSettings } from '../../../functions/records/search/ranking-settings.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { MemoryIndex } from '../../records/segments/memory-index.ts';
import { FOREIGN_FILES, imported } from '../../support/records/foreign-files.ts';

const SHOWN = 10;
const QUERIES_OF_A_FILE = 30;
const SEGMENTS = 3;

/** Text fields that SQLite ranks by, with the weights of the product's own. */
const COLUMNS: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  businesses: ['name', 'address', 'city', 'categories'],
  products: ['name', 'brand', 'categories'],
};

/**
 * The first ten of 60 queries over two public files (`RECORDS_DIR`), graded by rule: 4 for a name that is the query, 3 for
 * one that has all its words, 2 if name and city or brand have them together, 1 if the record has them anywhere.
 */
export async function benchRelevance(): Promise<void> {
  const folder = process.env['RECORDS_DIR'];
  if (folder === undefined) {
    console.log('\nRelevance: RECORDS_DIR names no folder of public files, so none are searched.');
    return;
  }
  const rows: Record<string, object> = {};
  for (const source of FOREIGN_FILES) {
    const columns = COLUMNS[source.type];
    if (columns === undefined) continue;
    const { records } = imported(source, gunzipSync(readFileSync(join(folder, source.file))));
    const searches = {
      'by relevance': await ranked(source.type, records),
      'SQLite bm25()': sqlite(source.type, records, columns),
      'in index order': await ranked(source.type, records, { inOrder: true }),
    };
    const queries = queriesOf(records);
    const grades = queries.map((query) => gradesOf(query, records));
    for (const [name, search] of Object.entries(searches)) {
      const gains = await Promise.all(queries.map(async (query, i) => gain(await search(query), grades[i]!)));
      const mean = gains.reduce((sum, one) => sum + one, 0) / gains.length;
      rows[name] = { ...rows[name], [source.type]: mean.toFixed(3) };
    }
  }
  console.log(`nDCG of the first ${SHOWN}, ${QUERIES_OF_A_FILE} queries a file`);
  console.table(rows);
}

type Search = (query: string) => Promise<readonly string[]> | readonly string[];

/** Names, two words of a name with the city or brand, pairs of words and single words of names, in turns. */
function queriesOf(records: readonly DataRecord[]): string[] {
  const named = records.filter(({ name }) => words(textOf({ name }, 'name')).length >= 2);
  const step = Math.floor(named.length / QUERIES_OF_A_FILE);
  return Array.from({ length: QUERIES_OF_A_FILE }, (_, i) => {
    const record = named[i * step]!;
    const [one = '', two = '', ...others] = words(textOf(record, 'name'));
    const place = words(textOf(record, 'city') || textOf(record, 'brand'))[0] ?? '';
    return [[one, two, ...others], [one, two, place], [two, one], [one]][i % 4]!.join(' ').trim();
  });
}

async function ranked(type: RecordType, records: readonly DataRecord[], { inOrder = false } = {}): Promise<Search> {
  const index = new MemoryIndex(SCHEMAS[type]);
  const size = Math.ceil(records.length / SEGMENTS);
  for (let at = 0; at < records.length; at += size) await index.import(records.slice(at, at + size));
  const search = segmentSearch(index.storage, new SegmentCache(256 << 20));
  const ranking = inOrder ? undefined : rankingSettings(type);
  return async (text) => {
    const read = readQuery(text, type);
    if (!read.ok) throw new Error(read.message);
    const preview = await search.preview(read.query, SHOWN, index.manifest.segments, ranking);
    return preview.records.map((record) => (JSON.parse(record) as DataRecord).id);
  };
}

function sqlite(type: RecordType, records: readonly DataRecord[], columns: readonly string[]): Search {
  const { weightOf } = rankingSettings(type);
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, ${columns.join(', ')}, tokenize = 'unicode61 remove_diacritics 0')`,
  );
  const add = database.prepare(`INSERT INTO texts VALUES (?${', ?'.repeat(columns.length)})`);
  for (const record of records) add.run(record.id, ...columns.map((column) => textOf(record, column)));
  const weights = columns.map(weightOf).join(', ');
  const best = database.prepare(
    `SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 0, ${weights}), rowid LIMIT ${SHOWN}`,
  );
  return (text) =>
    best
      .all(
        words(text)
          .map((word) => `"${word}"`)
          .join(' OR '),
      )
      .map(({ id }) => String(id));
}

const textOf = (record: Readonly<Partial<DataRecord>>, field: string): string =>
  [record[field] ?? []]
    .flat()
    .filter((value) => typeof value === 'string')
    .join(' ');

/** The grades of all records of which one is not 0. */
function gradesOf(query: string, records: readonly DataRecord[]): ReadonlyMap<string, number> {
  const queryWords = words(query);
  return new Map(
    records.flatMap((record) => {
      const grade = gradeOf(queryWords, record);
      return grade > 0 ? [[record.id, grade] as const] : [];
    }),
  );
}

function gradeOf(queryWords: readonly string[], record: DataRecord): number {
  const name = words(textOf(record, 'name'));
  if (name.join(' ') === queryWords.join(' ')) return 4;
  const hasAll = (texts: readonly string[]) => {
    const all = new Set(texts.flatMap(words));
    return queryWords.every((word) => all.has(word));
  };
  const place = [textOf(record, 'city'), textOf(record, 'brand')];
  if (hasAll([textOf(record, 'name')])) return 3;
  if (hasAll([textOf(record, 'name'), ...place])) return 2;
  return hasAll([JSON.stringify(record)]) ? 1 : 0;
}

/** Normalised discounted cumulative gain (Järvelin and Kekäläinen 2002), with gains of 2 to the grade less 1. */
function gain(ids: readonly string[], grades: ReadonlyMap<string, number>): number {
  const discounted = (list: readonly number[]) =>
    list.reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = discounted([...grades.values()].sort((one, other) => other - one).slice(0, SHOWN));
  return ideal === 0 ? 1 : discounted(ids.map((id) => grades.get(id) ?? 0)) / ideal;
}
