import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sizeOf } from '../size.ts';
import { type DownloadTask, fillDatabase, WRITERS, type WriterName } from './download-peers.ts';
import { generatedBusinesses } from './generated-businesses.ts';
import { SegmentFolder } from './segment-folder.ts';

const RECORDS = sizeOf('RECORDS', 100_000);
const MEMORY_RECORDS = [Math.ceil(RECORDS / 10), RECORDS, 10 * RECORDS] as const;

/** Every round runs all of them in turn, so that a busy moment of the machine affects all alike. */
const ROUNDS = sizeOf('ROUNDS', 5);
/** Within one process; the first warms up and does not count. */
const PASSES = 3;

interface Case {
  readonly name: string;
  readonly view: string;
  readonly format: 'json' | 'csv';
  readonly writers: readonly WriterName[];
}

const CASES: readonly Case[] = [
  { name: 'NDJSON, full view', view: 'businesses_all', format: 'json', writers: ['product', 'loop', 'sqlite'] },
  { name: 'NDJSON, projected', view: 'businesses_basic', format: 'json', writers: ['product', 'sqlite'] },
  { name: 'CSV nested', view: 'businesses_all_nested', format: 'csv', writers: ['product', 'sqlite'] },
  { name: 'CSV flat', view: 'businesses_all_reviewsFlat', format: 'csv', writers: ['product', 'sqlite'] },
  { name: 'CSV full', view: 'businesses_all', format: 'csv', writers: ['product', 'sqlite'] },
];

interface Figures {
  /** Of each pass that counts. */
  readonly wallSeconds: readonly number[];
  readonly cpuSeconds: readonly number[];
  /** Of the contents of all files together. */
  readonly bytes: number;
  readonly digest: string;
  readonly peakMegabytes: number;
}

/**
 * Writes downloads of generated businesses into files of 10,000: how fast compared with the minimal loop and with
 * SQLite, and in how much memory. All write the same bytes.
 */
export async function benchDownload(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'download-'));
  try {
    await speed(folder);
    await memory(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function speed(folder: string): Promise<void> {
  const indexFolder = await builtIndex(folder, RECORDS, true);
  console.log(
    `\nDownload of ${RECORDS.toLocaleString('en')} businesses; target: NDJSON 0.6 of the loop, CSV 1 of SQLite`,
  );
  const table: Record<string, object> = {};
  for (const { name, view, format, writers } of CASES) {
    const runs: Partial<Record<WriterName, Figures[]>> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const writer of writers) {
        const task = { view, format, records: RECORDS, indexFolder, filesFolder: join(folder, 'files') };
        (runs[writer] ??= []).push(await inOwnProcess<Figures>('measureWriter', [writer, task, PASSES]));
      }
    }
    assertSameBytes(name, runs);
    for (const writer of writers) table[`${name}: ${writer}`] = row(runs, writer);
  }
  console.table(table);
  console.log('All writers of a case wrote the same bytes.');
}

/** Records per second and, against the product, per second of wall time and of processor time. */
function row(runs: Partial<Record<WriterName, Figures[]>>, writer: WriterName): object {
  const perWall = (of: WriterName) => RECORDS / median((runs[of] ?? []).flatMap(({ wallSeconds }) => wallSeconds));
  const perCpu = (of: WriterName) => RECORDS / median((runs[of] ?? []).flatMap(({ cpuSeconds }) => cpuSeconds));
  return {
    MB: ((runs[writer]?.[0]?.bytes ?? 0) / 1e6).toFixed(0),
    'records/s': Math.round(perWall(writer)).toLocaleString('en'),
    'records/CPU s': Math.round(perCpu(writer)).toLocaleString('en'),
    'product to this': (perWall('product') / perWall(writer)).toFixed(2),
    'per CPU s': (perCpu('product') / perCpu(writer)).toFixed(2),
  };
}

function assertSameBytes(name: string, runs: Partial<Record<WriterName, Figures[]>>): void {
  const digests = new Set(Object.values(runs).flatMap((figures) => figures.map(({ digest }) => digest)));
  if (digests.size !== 1) throw new Error(`${name}: the writers wrote different bytes`);
}

/** V8 keeps garbage while it has room: with little room, the rest is what a download needs. */
const SMALL_HEAP = ['--max-old-space-size=64', '--max-semi-space-size=4'];

async function memory(folder: string): Promise<void> {
  const indexFolder = await builtIndex(folder, Math.max(...MEMORY_RECORDS), false);
  console.log(
    `\nPeak resident memory of a download from ${Math.max(...MEMORY_RECORDS).toLocaleString('en')} businesses, MB; with a heap of 64 MB`,
  );
  const table: Record<string, Record<string, string>> = {};
  for (const { name, view, format } of CASES) {
    const peaks: Record<string, string> = {};
    for (const records of MEMORY_RECORDS) {
      const task = { view, format, records, indexFolder, filesFolder: join(folder, 'files') };
      const { peakMegabytes } = await inOwnProcess<Figures>('measureWriter', ['product', task, 0], SMALL_HEAP);
      peaks[`${records.toLocaleString('en')} records`] = peakMegabytes.toFixed(0);
    }
    table[name] = peaks;
  }
  console.table(table);
}

async function builtIndex(folder: string, records: number, withDatabase: boolean): Promise<string> {
  const indexFolder = join(folder, `index-${records}`);
  await mkdir(indexFolder);
  await mkdir(join(folder, 'files'), { recursive: true });
  await inOwnProcess<object>('buildIndex', [indexFolder, records, withDatabase]);
  return indexFolder;
}

/**
 * Runs in a process of its own.
 * @public for that process
 */
export async function buildIndex(indexFolder: string, records: number, withDatabase: boolean): Promise<void> {
  const index = new SegmentFolder(indexFolder);
  for (const record of generatedBusinesses(records)) await index.add(record);
  await index.finish();
  if (withDatabase) await fillDatabase(indexFolder);
  process.stdout.write('{}');
}

/**
 * Writes the files once and then `passes` times, and prints figures as JSON. Runs in a process of its own.
 * @public for that process
 */
export async function measureWriter(name: WriterName, task: DownloadTask, passes: number): Promise<void> {
  const writer = await WRITERS[name](task);
  await writer.write();
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  const wallSeconds: number[] = [];
  const cpuSeconds: number[] = [];
  for (let pass = 0; pass < passes; pass += 1) {
    const start = performance.now();
    const before = process.cpuUsage();
    await writer.write();
    const { user, system } = process.cpuUsage(before);
    wallSeconds.push((performance.now() - start) / 1000);
    cpuSeconds.push((user + system) / 1e6);
  }
  await writer.close();
  const figures: Figures = { wallSeconds, cpuSeconds, peakMegabytes, ...(await contentOf(task.filesFolder)) };
  process.stdout.write(JSON.stringify(figures));
}

async function contentOf(folder: string): Promise<Pick<Figures, 'bytes' | 'digest'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const name of (await readdir(folder)).sort()) {
    for await (const chunk of createReadStream(join(folder, name))) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    await rm(join(folder, name));
  }
  return { bytes, digest: hash.digest('hex') };
}

/** Calls a function of this file in a new process, which prints what it has found. */
async function inOwnProcess<Result>(name: string, values: unknown[], flags: readonly string[] = []): Promise<Result> {
  const script = `import('${import.meta.url}').then((bench) => bench.${name}(...${JSON.stringify(values)}))`;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '-e', script], { maxBuffer: 1 << 26 });
  return JSON.parse(stdout);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
