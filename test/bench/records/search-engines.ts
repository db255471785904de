import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import MiniSearch, { type Query as MiniSearchQuery } from 'minisearch';
import type { DataRecord, Scalar } from '../../../functions/records/schemas/schema.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { type BenchQuery, boundQuery, type TextQuery } from './search-queries.ts';
import { FolderStorage, SegmentFolder } from './segment-folder.ts';
import { TantivyProcess } from './tantivy.ts';

interface Answer {
  readonly total: number;
  readonly records: readonly string[];
}

/** An engine of the comparison, from empty to searchable. */
export interface Engine {
  add(record: DataRecord): void | Promise<void>;
  /** Makes all that was added searchable. */
  finish(): Promise<void>;
  /** The exact count and the first ten records; undefined when the engine cannot do this. */
  search(query: BenchQuery): Promise<Answer | undefined>;
  /** Reads and dependent rounds of a query that finds nothing cached. */
  cold?(query: BenchQuery): Promise<{ reads: number; rounds: number; bytes: number }>;
  /** Bytes on disk; 0 for an engine in memory. */
  diskBytes(): number | Promise<number>;
  /** Of an engine in a process of its own, which is all that counts then: what it has spent on the build, and memory. */
  own?(): { readonly cpuSeconds: number; readonly peakMegabytes: number; readonly residentMegabytes: number };
  close(): Promise<void>;
}

export const ENGINES = { segments, sqlite, tantivy, minisearch } as const;
export type EngineName = keyof typeof ENGINES;

const SHOWN = 10;
const TEXT_FIELDS = [
  'address',
  'categories',
  'city',
  'country',
  'descriptions.value',
  'name',
  'priceRangeCurrency',
  'province',
  'reviews.text',
  'reviews.title',
  'reviews.username',
] as const;
/** Searched as whole values; none of those that are made up has a blank in it. */
const KEYWORD_FIELDS = ['descriptions.sourceURLs', 'keys', 'phones', 'postalCode', 'sourceURLs', 'websites'] as const;
const NUMBER_FIELDS = [
  'dateAdded',
  'dateUpdated',
  'descriptions.dateSeen',
  'latitude',
  'longitude',
  'numRoom',
  'priceRangeMin',
  'reviews.date',
  'reviews.rating',
] as const;

async function segments(): Promise<Engine> {
  const path = await mkdtemp(join(tmpdir(), 'segments-'));
  const storage = new FolderStorage(path);
  const folder = new SegmentFolder(path);
  const warm = segmentSearch(storage, new SegmentCache(256 << 20));
  const { refs } = folder;
  return {
    add: (record) => folder.add(record),
    finish: () => folder.finish(),
    search: (query) => warm.preview(boundQuery(query), SHOWN, refs),
    async cold(query) {
      const figures = { reads: 0, rounds: 0, bytes: 0 };
      const engine = segmentSearch(storage, new SegmentCache(256 << 20), {
        onRound(reads) {
          figures.rounds++;
          figures.reads += reads.length;
          for (const { bytes } of reads) figures.bytes += bytes;
        },
      });
      await engine.preview(boundQuery(query), SHOWN, refs);
      return figures;
    },
    diskBytes: () => folder.refs.reduce((sum, { bytes, metaBytes }) => sum + bytes + metaBytes, 0),
    async close() {
      await storage.close();
      await rm(path, { recursive: true });
    },
  };
}

/**
 * A table of records with indexes on the number columns, beside full-text indexes without a copy of the texts: one of
 * words with their positions, one of whole values without. So it can search what the segments can, but for the values
 * of `id` in any case and which records have a value at all. Neither engine stores the lengths of texts, since neither
 * ranks, and neither waits for the disk.
 */
async function sqlite(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-'));
  const path = join(folder, 'records.db');
  const database = new DatabaseSync(path);
  const textColumns = TEXT_FIELDS.map(columnOf).join(', ');
  const keywordColumns = KEYWORD_FIELDS.map(columnOf).join(', ');
  const numberColumns = NUMBER_FIELDS.map(columnOf).join(', ');
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA cache_size = -262144;
    CREATE TABLE records (n INTEGER PRIMARY KEY, id TEXT UNIQUE, json TEXT, ${numberColumns});
    CREATE VIRTUAL TABLE texts USING fts5(
      ${textColumns}, content = '', columnsize = 0, tokenize = 'unicode61 remove_diacritics 0'
    );
    CREATE VIRTUAL TABLE keywords USING fts5(
      ${keywordColumns}, content = '', columnsize = 0, detail = column,
      tokenize = "unicode61 remove_diacritics 0 tokenchars ':/.-'"
    );
    BEGIN`);
  const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ');
  const addRecord = database.prepare(`INSERT INTO records VALUES (${marks(3 + NUMBER_FIELDS.length)})`);
  const addTexts = database.prepare(
    `INSERT INTO texts (rowid, ${textColumns}) VALUES (${marks(1 + TEXT_FIELDS.length)})`,
  );
  const addKeywords = database.prepare(
    `INSERT INTO keywords (rowid, ${keywordColumns}) VALUES (${marks(1 + KEYWORD_FIELDS.length)})`,
  );
  const textStatements = {
    count: database.prepare('SELECT count(*) AS total FROM texts WHERE texts MATCH ?'),
    first: database.prepare(
      `SELECT json FROM records WHERE n IN (SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid LIMIT ${SHOWN})`,
    ),
  };
  const rangeStatements = new Map<string, Record<'count' | 'first', StatementSync>>(
    NUMBER_FIELDS.map((field) => {
      const where = `FROM records WHERE ${columnOf(field)} BETWEEN ? AND ?`;
      const count = database.prepare(`SELECT count(*) AS total ${where}`);
      return [field, { count, first: database.prepare(`SELECT json ${where} LIMIT ${SHOWN}`) }];
    }),
  );
  let n = 0;

  return {
    add(record) {
      n++;
      addRecord.run(n, record.id, JSON.stringify(record), ...NUMBER_FIELDS.map((field) => numberOf(record, field)));
      addTexts.run(n, ...TEXT_FIELDS.map((field) => textOf(record, field)));
      addKeywords.run(n, ...KEYWORD_FIELDS.map((field) => valuesOf(record, field).join(' ')));
    },
    async finish() {
      for (const field of NUMBER_FIELDS)
        database.exec(`CREATE INDEX by_${columnOf(field)} ON records (${columnOf(field)})`);
      database.exec('COMMIT');
    },
    async search(query) {
      const { count, first } = query.kind === 'range' ? rangeStatements.get(query.field)! : textStatements;
      const values = query.kind === 'range' ? [query.from, query.to] : [ftsQuery(query)];
      const total = Number(count.get(...values)?.['total']);
      return { total, records: first.all(...values).map((row) => String(row['json'])) };
    },
    diskBytes: () => statSync(path).size,
    async close() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}

const columnOf = (field: string): string => field.replace('.', '_');

function ftsQuery(query: TextQuery): string {
  switch (query.kind) {
    case 'term':
      return `${columnOf(query.field)} : "${query.text}"`;
    case 'prefix':
      return `${columnOf(query.field)} : "${query.text}" *`;
    case 'phrase':
      return `${columnOf(query.field)} : "${query.words.join(' ')}"`;
    case 'and':
    case 'or':
      return query.of.map((part) => `(${ftsQuery(part)})`).join(` ${query.kind.toUpperCase()} `);
    default:
      return `(${ftsQuery(query.base)}) NOT (${ftsQuery(query.unwanted)})`;
  }
}

/** The fields of SQLite, numbers as columns, in one thread. It scores while it answers, which it cannot leave out. */
async function tantivy(): Promise<Engine> {
  const folder = await mkdtemp(join(tmpdir(), 'tantivy-'));
  const kinds = { text: TEXT_FIELDS, keyword: KEYWORD_FIELDS, number: NUMBER_FIELDS };
  const fields = Object.entries(kinds).flatMap(([kind, paths]) => paths.map((path) => [columnOf(path), kind]));
  const process = new TantivyProcess(folder, Object.fromEntries(fields));
  let spent = { cpuSeconds: 0, peakMegabytes: 0 };
  return {
    add(record) {
      const texts = TEXT_FIELDS.map((field) => [columnOf(field), textOf(record, field)]);
      const keywords = KEYWORD_FIELDS.map((field) => [columnOf(field), valuesOf(record, field).map(String)]);
      const numbers = NUMBER_FIELDS.map((field) => [columnOf(field), numberOf(record, field)]);
      const values = Object.fromEntries([...texts, ...keywords, ...numbers].filter(([, value]) => value !== null));
      return process.add({ ...values, json: JSON.stringify(record) });
    },
    async finish() {
      spent = await process.finish();
    },
    search: (query) => process.search(withColumns(query)),
    diskBytes: () => process.diskBytes(),
    own: () => ({ ...spent, residentMegabytes: process.residentMegabytes }),
    async close() {
      await process.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The query with the names of columns for paths. */
function withColumns<Q extends BenchQuery>(query: Q): Q {
  switch (query.kind) {
    case 'and':
    case 'or':
      return { ...query, of: query.of.map(withColumns) };
    case 'butNot':
      return { ...query, base: withColumns(query.base), unwanted: withColumns(query.unwanted) };
    default:
      return { ...query, field: columnOf(query.field) };
  }
}

async function minisearch(): Promise<Engine> {
  const jsons: string[] = [];
  const index = new MiniSearch<{ n: number; record: DataRecord }>({
    idField: 'n',
    fields: [...TEXT_FIELDS],
    extractField: ({ n, record }, field) => (field === 'n' ? n : textOf(record, field)),
  });
  return {
    add(record) {
      index.add({ n: jsons.length, record });
      jsons.push(JSON.stringify(record));
    },
    async finish() {},
    async search(query) {
      const translated = miniQuery(query);
      if (!translated) return undefined;
      const results = index.search(translated, { prefix: query.kind === 'prefix' });
      return { total: results.length, records: results.slice(0, SHOWN).map(({ id }) => jsons[Number(id)]!) };
    },
    diskBytes: () => 0,
    async close() {},
  };
}

function miniQuery(query: BenchQuery): MiniSearchQuery | undefined {
  if (query.kind === 'term' || query.kind === 'prefix') return { queries: [query.text], fields: [query.field] };
  if (query.kind === 'and' || query.kind === 'or') {
    return {
      combineWith: query.kind === 'and' ? 'AND' : 'OR',
      queries: query.of.flatMap((part) => miniQuery(part) ?? []),
    };
  }
  if (query.kind !== 'butNot') return undefined;
  return { combineWith: 'AND_NOT', queries: [query.base, query.unwanted].flatMap((part) => miniQuery(part) ?? []) };
}

/** All values at a path as one text; a mark between them keeps phrases apart. */
const textOf = (record: DataRecord, path: string): string => valuesOf(record, path).join(' zzz ');

/** The first value at a path: no made-up record has two in a column of numbers. */
function numberOf(record: DataRecord, path: string): number | null {
  const [value] = valuesOf(record, path);
  if (value === undefined) return null;
  return typeof value === 'string' ? Date.parse(value) : value;
}

function valuesOf(record: DataRecord, path: string): readonly Scalar[] {
  const [name = '', sub = ''] = path.split('.');
  const value = record[name];
  if (value === undefined) return [];
  if (typeof value !== 'object') return [value];
  return value.flatMap((element) => (typeof element === 'object' ? (element[sub] ?? []) : element));
}
