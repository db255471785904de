import { setTimeout as sleep } from 'node:timers/promises';
import type { SegmentStorage } from '../../../functions/records/segments/format/format.ts';
import type { SegmentRef } from '../../../functions/records/segments/format/segment-ref.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { type BenchQuery, boundQuery, type QueryClass, queriesOf } from './search-queries.ts';

const READ_MILLIS = 20;
const SHOWN = 10;
const CACHE_BYTES = 256 << 20;

/** The figures of the queries of one class. */
export interface ClassFigures {
  readonly total: number;
  readonly warm: { readonly p50: number; readonly p99: number };
  readonly cold: {
    readonly p50: number;
    readonly reads: number;
    readonly mostReads: number;
    readonly rounds: number;
    readonly megabytes: number;
    readonly mostMegabytes: number;
  };
  /** The most resident megabytes after a query. */
  readonly resident: number;
}

interface Searched {
  readonly storage: SegmentStorage;
  readonly segments: readonly SegmentRef[];
}

/** Answers each query of the class warm, and cold with 20 ms for each read. */
export async function classFigures(queryClass: QueryClass, searched: Searched): Promise<ClassFigures> {
  const { storage, segments } = searched;
  const queries = queriesOf(queryClass);
  const engine = segmentSearch(storage, new SegmentCache(CACHE_BYTES));
  let total = 0;
  let resident = 0;
  const times: number[] = [];
  for (const query of queries) total += (await engine.preview(boundQuery(query), SHOWN, segments)).total;
  for (const query of queries) {
    const start = performance.now();
    await engine.preview(boundQuery(query), SHOWN, segments);
    times.push(performance.now() - start);
    resident = Math.max(resident, process.memoryUsage.rss() / 1e6);
  }
  const cold: ColdFigures[] = [];
  for (const query of queries) cold.push(await coldFigures(query, searched));
  const mean = (of: (one: ColdFigures) => number) => cold.reduce((sum, one) => sum + of(one), 0) / cold.length;
  const most = (of: (one: ColdFigures) => number) => Math.max(...cold.map(of));
  return {
    total,
    warm: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
    cold: {
      p50: quantile(
        cold.map(({ ms }) => ms),
        0.5,
      ),
      reads: mean(({ reads }) => reads),
      mostReads: most(({ reads }) => reads),
      rounds: most(({ rounds }) => rounds),
      megabytes: mean(({ bytes }) => bytes) / 1e6,
      mostMegabytes: most(({ bytes }) => bytes) / 1e6,
    },
    resident,
  };
}

interface ColdFigures {
  reads: number;
  rounds: number;
  bytes: number;
  ms: number;
}

async function coldFigures(query: BenchQuery, { storage, segments }: Searched): Promise<ColdFigures> {
  const figures: ColdFigures = { reads: 0, rounds: 0, bytes: 0, ms: 0 };
  const distant: SegmentStorage = {
    read: async (...place) => (await sleep(READ_MILLIS), storage.read(...place)),
    readWhole: async (key) => (await sleep(READ_MILLIS), storage.readWhole(key)),
  };
  const engine = segmentSearch(distant, new SegmentCache(CACHE_BYTES), {
    onRound(reads) {
      figures.rounds++;
      figures.reads += reads.length;
      for (const { bytes } of reads) figures.bytes += bytes;
    },
  });
  const start = performance.now();
  await engine.preview(boundQuery(query), SHOWN, segments);
  return { ...figures, ms: performance.now() - start };
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!;
