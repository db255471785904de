import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeOnce } from '../../../functions/records/index/index-merge.ts';
import { indexWriter } from '../../../functions/records/index/index-writer.ts';
import type { Manifest, Manifests } from '../../../functions/records/index/manifest.ts';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { SCHEMAS } from '../../../functions/records/schemas/schemas.ts';
import { SegmentBuilder } from '../../../functions/records/segments/build/segment-builder.ts';
import {
  dataKey,
  metaKey,
  type SegmentStorage,
  tombstonesKey,
} from '../../../functions/records/segments/format/format.ts';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { type RecordLines, segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { generatedBusinesses } from './generated-businesses.ts';
import { type BenchQuery, boundQuery, QUERY_CLASSES, type QueryClass, queriesOf } from './search-queries.ts';
import { FolderStorage } from './segment-folder.ts';

const RECORDS = Number(process.env['RECORDS'] ?? 10_000_000);
/** As many parts as ten million records have, however many there are. */
const PART_RECORDS = Math.ceil(RECORDS / 40);
const MAX_MERGED_RECORDS = Math.ceil(RECORDS * 1.25);
const READ_MILLIS = 20;
const SHOWN = 10;

/**
 * Builds an index the way that imports do, part by part with the merges that follow; queries it warm, and cold with 20
 * ms for each read; replaces a tenth of its records; and reads all of them as a download does. `RECORDS` scales it down,
 * parts and largest segment included, so that there are as many segments as with ten million.
 */
export async function benchTenMillion(): Promise<void> {
  const folder = process.env['INDEX_DIR'] ?? join(tmpdir(), `ten-million-${process.pid}`);
  await mkdir(folder, { recursive: true });
  const index = new BenchIndex(folder);
  try {
    console.log(`\n${RECORDS.toLocaleString('en')} businesses in parts of ${PART_RECORDS.toLocaleString('en')}`);
    await timed('built', () => index.import(generatedBusinesses(RECORDS)));
    await timed('merged when quiet', () => index.mergeWhile('quiet'));
    index.print();
    await queries(index);
    await timed('a tenth replaced', () => index.import(replacements()));
    await timed('merged when quiet', () => index.mergeWhile('quiet'));
    index.print();
    await queries(index);
    await timed('downloaded', () => download(index));
  } finally {
    await index.close();
    if (process.env['INDEX_DIR'] === undefined) await rm(folder, { recursive: true });
  }
}

/** Every tenth business, with another telephone number and added once more. */
function* replacements(): Generator<DataRecord> {
  let n = 0;
  for (const business of generatedBusinesses(RECORDS)) if (n++ % 10 === 0) yield { ...business, phones: ['555'] };
}

/** An index in a folder, with its manifest in memory. */
class BenchIndex {
  readonly storage: FolderStorage;
  readonly #manifests = new MemoryManifests();
  #ids = 0;

  constructor(folder: string) {
    this.storage = new FolderStorage(folder);
  }

  get manifest(): Manifest {
    return this.#manifests.manifest;
  }

  async import(records: Iterable<DataRecord>): Promise<void> {
    const writer = indexWriter<undefined>(this.#deps());
    let builder = new SegmentBuilder(SCHEMAS.businesses);
    const commit = async () => {
      await writer.add(builder, { type: 'businesses', step: undefined, now: Date.now() });
      builder = new SegmentBuilder(SCHEMAS.businesses);
      await this.mergeWhile('busy');
    };
    for (const record of records) {
      builder.add(record);
      if (builder.records === PART_RECORDS) await commit();
    }
    if (builder.records > 0) await commit();
  }

  async mergeWhile(time: 'busy' | 'quiet'): Promise<void> {
    for (;;) {
      const before = this.manifest;
      const merging = { ...this.#deps(), now: Date.now, maxRecords: MAX_MERGED_RECORDS };
      if (!(await mergeOnce(merging, 'businesses', time))) return;
      const left = new Set(this.manifest.segments.flatMap(keysOf));
      for (const key of before.segments.flatMap(keysOf)) if (!left.has(key)) await this.storage.remove(key);
    }
  }

  print(): void {
    const { segments, written = { byImports: 0, byMerges: 0 } } = this.manifest;
    const megabytes = segments.reduce((sum, { bytes, metaBytes }) => sum + bytes + metaBytes, 0) / 1e6;
    const amplification = (written.byImports + written.byMerges) / written.byImports;
    const metaKilobytes = segments.map(({ metaBytes }) => Math.round(metaBytes / 1000)).join(', ');
    console.log(
      `${segments.length} segments of ${segments.map(({ records }) => records.toLocaleString('en')).join(', ')} records, ` +
        `${megabytes.toFixed(0)} MB, metas ${metaKilobytes} KB; each record was written ${amplification.toFixed(2)} times`,
    );
  }

  close(): Promise<void> {
    return this.storage.close();
  }

  #deps() {
    return {
      index: this.#manifests,
      objects: this.storage,
      sinks: this.storage,
      newId: () => `s${this.#ids++}`,
    };
  }
}

const keysOf = ({ id, tombstones }: SegmentRef): string[] => [
  dataKey(id),
  metaKey(id),
  ...(tombstones ? [tombstonesKey(tombstones.id)] : []),
];

class MemoryManifests implements Manifests<undefined> {
  manifest: Manifest = { version: 0, segments: [] };

  async current() {
    return this.manifest;
  }

  async pinned() {
    return this.manifest;
  }

  async commit({ segments, written }: Parameters<Manifests['commit']>[0]) {
    this.manifest = { version: this.manifest.version + 1, segments, written };
    return 'committed' as const;
  }

  async readableSince() {
    return [this.manifest];
  }
}

interface ColdFigures {
  reads: number;
  rounds: number;
  bytes: number;
  ms: number;
}

async function queries(index: BenchIndex): Promise<void> {
  const { segments } = index.manifest;
  const warm = segmentSearch(index.storage, new SegmentCache(256 << 20));
  const rows: [QueryClass, object][] = [];
  for (const queryClass of QUERY_CLASSES) {
    const all = queriesOf(queryClass);
    let total = 0;
    for (const query of all) total += (await warm.preview(boundQuery(query), SHOWN, segments)).total;
    const times: number[] = [];
    for (const query of all) {
      const start = performance.now();
      await warm.preview(boundQuery(query), SHOWN, segments);
      times.push(performance.now() - start);
    }
    const cold: ColdFigures[] = [];
    for (const query of all) cold.push(await coldFigures(index, query));
    rows.push([queryClass, { total, ...summary(times, cold) }]);
  }
  console.table(Object.fromEntries(rows));
  console.log(`Resident: ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`);
}

async function coldFigures({ storage, manifest }: BenchIndex, query: BenchQuery): Promise<ColdFigures> {
  const figures: ColdFigures = { reads: 0, rounds: 0, bytes: 0, ms: 0 };
  const distant: SegmentStorage = {
    read: async (...place) => (await latency(), storage.read(...place)),
    readWhole: async (key) => (await latency(), storage.readWhole(key)),
  };
  const engine = segmentSearch(distant, new SegmentCache(256 << 20), {
    onRound(reads) {
      figures.rounds++;
      figures.reads += reads.length;
      for (const { bytes } of reads) figures.bytes += bytes;
    },
  });
  const start = performance.now();
  await engine.preview(boundQuery(query), SHOWN, manifest.segments);
  return { ...figures, ms: performance.now() - start };
}

const latency = () => new Promise((resolve) => setTimeout(resolve, READ_MILLIS));

function summary(times: number[], cold: readonly ColdFigures[]): object {
  const mean = (of: (one: ColdFigures) => number) => cold.reduce((sum, one) => sum + of(one), 0) / cold.length;
  const most = (of: (one: ColdFigures) => number) => Math.max(...cold.map(of));
  const quantile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
  return {
    'warm p50 ms': quantile(times, 0.5).toPrecision(2),
    p99: quantile(times, 0.99).toPrecision(2),
    'cold p50 ms': quantile(
      cold.map(({ ms }) => ms),
      0.5,
    ).toFixed(0),
    reads: mean(({ reads }) => reads).toFixed(1),
    'most reads': most(({ reads }) => reads),
    rounds: most(({ rounds }) => rounds),
    KB: (mean(({ bytes }) => bytes) / 1000).toFixed(0),
    'most KB': (most(({ bytes }) => bytes) / 1000).toFixed(0),
  };
}

/** All records, as the workers of a download read them, ten thousand for a file. */
async function download({ storage, manifest: { segments } }: BenchIndex): Promise<void> {
  const engine = segmentSearch(storage, new SegmentCache(64 << 20));
  const counts = (await engine.counts({ kind: 'all' }, segments)) ?? [];
  const digest = createHash('sha256');
  let records = 0;
  let peak = 0;
  const take = (lines: RecordLines) => {
    digest.update(lines.bytes);
    records += lines.records;
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const range = { from: 0, to: Number.POSITIVE_INFINITY };
  for await (const lines of engine.lines({ kind: 'all' }, segments, counts, range)) take(lines);
  if (records !== RECORDS) throw new Error(`${records} records were read instead of ${RECORDS}`);
  console.log(`${records.toLocaleString('en')} records, ${(peak / 1e6).toFixed(0)} MB, sha256 ${digest.digest('hex')}`);
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  console.log(`${what}: ${((user + system) / 1e6).toFixed(0)} processor s, ${seconds} s, peak ${peak} MB`);
}
