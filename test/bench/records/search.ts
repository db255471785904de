import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DataRecord } from '../../../functions/records/schemas/schema.ts';
import { generatedBusinesses } from './generated-businesses.ts';
import { ENGINES, type Engine, type EngineName } from './search-engines.ts';
import { QUERY_CLASSES, type QueryClass, queriesOf } from './search-queries.ts';
import { hasTantivy } from './tantivy.ts';

interface ClassFigures {
  /** Of a query seen before, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Of a query that is new, to an engine that has answered others. */
  readonly firstP50: number;
  readonly totals: readonly number[];
  readonly cold?: { readonly reads: number; readonly mostRounds: number; readonly kilobytes: number };
}

interface EngineFigures {
  readonly buildSeconds: number;
  /** Of all threads, those that compile and collect garbage included. */
  readonly buildCpuSeconds: number;
  readonly diskMegabytes: number;
  /** Highest resident memory while building, and while answering after it. */
  readonly buildPeakMegabytes: number;
  readonly residentMegabytes: number;
  readonly classes: Readonly<Partial<Record<QueryClass, ClassFigures>>>;
}

/**
 * Compares the segments with SQLite FTS5, Tantivy where Python has it, and MiniSearch: the same generated businesses, the same queries, each answered
 * with the exact count and the first ten whole records. Every engine has a process of its own, one after the other.
 */
export async function benchSearch({ records = 100_000, peers = true }): Promise<void> {
  const withTantivy = await hasTantivy();
  if (!withTantivy) console.log('Tantivy is not measured: python3 has no package tantivy here.');
  const names: EngineName[] = ['segments', ...(withTantivy ? ['tantivy' as const] : [])];
  if (peers) names.push('sqlite', 'minisearch');
  const figures = new Map<EngineName, EngineFigures>();
  for (const name of names) figures.set(name, await inOwnProcess(name, records));

  console.log(`\nSearch in ${records.toLocaleString('en')} businesses`);
  console.table(
    Object.fromEntries(
      [...figures].map(([name, engine]) => [
        name,
        {
          'build s': engine.buildSeconds.toFixed(2),
          'build CPU s': engine.buildCpuSeconds.toFixed(2),
          'disk MB': engine.diskMegabytes === 0 ? 'memory' : engine.diskMegabytes.toFixed(0),
          'peak RSS MB, build': engine.buildPeakMegabytes.toFixed(0),
          'RSS MB, queries': engine.residentMegabytes.toFixed(0),
        },
      ]),
    ),
  );
  console.log('p50 / p99 ms of a repeated query, then (p50 of a new one)');
  console.table(
    Object.fromEntries(
      QUERY_CLASSES.map((queryClass) => [
        queryClass,
        Object.fromEntries([...figures].map(([name, { classes }]) => [name, cellOf(classes[queryClass])])),
      ]),
    ),
  );
  console.log('Segments with nothing cached, per query');
  console.table(
    Object.fromEntries(
      QUERY_CLASSES.map((queryClass) => [queryClass, figures.get('segments')?.classes[queryClass]?.cold]),
    ),
  );
  for (const name of ['sqlite', 'tantivy'] as const) {
    const peer = figures.get(name);
    if (peer) assertSameTotals(figures.get('segments')!, name, peer);
  }
}

/**
 * Builds and queries one engine, and prints its figures as JSON. Runs in a process of its own.
 * @public for that process
 */
export async function measureEngine(name: EngineName, records: number): Promise<void> {
  const engine = await ENGINES[name]();
  const spent = await build(engine, records);
  const buildPeakMegabytes = process.resourceUsage().maxRSS / 1024;
  globalThis.gc?.();

  const classes: Partial<Record<QueryClass, ClassFigures>> = {};
  for (const queryClass of QUERY_CLASSES) classes[queryClass] = await measureClass(engine, queryClass);
  const { cpuSeconds = spent.cpuMs / 1000, peakMegabytes = buildPeakMegabytes, ...resident } = engine.own?.() ?? {};
  const figures: EngineFigures = {
    buildSeconds: spent.ms / 1000,
    buildCpuSeconds: cpuSeconds,
    diskMegabytes: (await engine.diskBytes()) / 1e6,
    buildPeakMegabytes: peakMegabytes,
    residentMegabytes: process.memoryUsage().rss / 1e6,
    classes,
    ...resident,
  };
  await engine.close();
  process.stdout.write(JSON.stringify(figures));
}

/** Time spent in the engine; making up the records and parsing them, as every importer must, is not counted. */
async function build(engine: Engine, records: number): Promise<Spent> {
  const spent: Spent = { ms: 0, cpuMs: 0 };
  for (const made of batches(generatedBusinesses(records), 1000)) {
    const batch: DataRecord[] = JSON.parse(JSON.stringify(made));
    await timed(spent, async () => {
      for (const record of batch) {
        const added = engine.add(record);
        if (added) await added;
      }
    });
  }
  await timed(spent, () => engine.finish());
  return spent;
}

interface Spent {
  ms: number;
  cpuMs: number;
}

async function timed(spent: Spent, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  spent.ms += performance.now() - start;
  spent.cpuMs += (user + system) / 1000;
}

async function measureClass(engine: Engine, queryClass: QueryClass): Promise<ClassFigures | undefined> {
  const queries = queriesOf(queryClass);
  const totals: number[] = [];
  const pass = async (): Promise<number[]> => {
    const times: number[] = [];
    for (const [i, query] of queries.entries()) {
      const start = performance.now();
      const answer = await engine.search(query);
      times.push(performance.now() - start);
      if (!answer) return [];
      totals[i] = answer.total;
    }
    return times.sort((a, b) => a - b);
  };
  const first = await pass();
  if (first.length === 0) return undefined;
  const repeated = await pass();
  const at = (times: readonly number[], share: number) => times[Math.floor((times.length - 1) * share)]!;
  return {
    p50: at(repeated, 0.5),
    p99: at(repeated, 0.99),
    firstP50: at(first, 0.5),
    totals,
    cold: await measureCold(engine, queryClass),
  };
}

async function measureCold(engine: Engine, queryClass: QueryClass): Promise<ClassFigures['cold']> {
  if (!engine.cold) return undefined;
  const reads: number[] = [];
  let mostRounds = 0;
  let bytes = 0;
  for (const query of queriesOf(queryClass)) {
    const figures = await engine.cold(query);
    reads.push(figures.reads);
    mostRounds = Math.max(mostRounds, figures.rounds);
    bytes += figures.bytes;
  }
  const mean = reads.reduce((sum, count) => sum + count, 0) / reads.length;
  return { reads: Number(mean.toFixed(1)), mostRounds, kilobytes: Math.round(bytes / reads.length / 1000) };
}

async function inOwnProcess(name: EngineName, records: number): Promise<EngineFigures> {
  const script = `import('${import.meta.url}').then((bench) => bench.measureEngine('${name}', ${records}))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', '-e', script], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

function assertSameTotals(segments: EngineFigures, name: EngineName, peer: EngineFigures): void {
  for (const queryClass of QUERY_CLASSES) {
    const ours = segments.classes[queryClass]?.totals ?? [];
    const theirs = peer.classes[queryClass]?.totals ?? [];
    const wrong = queriesOf(queryClass).filter((_, i) => ours[i] !== theirs[i]);
    if (wrong.length > 0) {
      throw new Error(`segments and ${name} count differently: ${queryClass} ${JSON.stringify(wrong[0])}`);
    }
    const mean = ours.reduce((sum, total) => sum + total, 0) / ours.length;
    console.log(`${queryClass}: ${name} counts the same in all ${ours.length} queries, ${Math.round(mean)} on average`);
  }
}

const cellOf = (figures: ClassFigures | undefined): string =>
  figures ? `${ms(figures.p50)} / ${ms(figures.p99)} (${ms(figures.firstP50)})` : '';

const ms = (milliseconds: number): string => milliseconds.toPrecision(milliseconds < 10 ? 2 : 3);

function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
