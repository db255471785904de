import { hash } from 'node:crypto';
import { downloadStore } from '../../../functions/records/download/download-store.dynamodb.ts';
import { FILE_RECORDS } from '../../../functions/records/download/result-file.ts';
import { type DownloadWork, type FileStorage, runDownload } from '../../../functions/records/download/run-download.ts';
import { startDownload } from '../../../functions/records/download/start-download.ts';
import type { Manifest } from '../../../functions/records/index/manifest.ts';
import { readSearch } from '../../../functions/records/search/read-search.ts';
import type { SegmentStorage } from '../../../functions/records/segments/format/format.ts';
import { SegmentCache } from '../../../functions/records/segments/query/segment-cache.ts';
import { segmentSearch } from '../../../functions/records/segments/query/segment-search.ts';
import { dataTokenKey } from '../../../shared/auth/data-token-items.dynamodb.ts';
import { getItem, putNewItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import type { LocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { generatedBusinesses, Random } from './generated-businesses.ts';
import { FolderStorage, manifestIn, SegmentFolder } from './segment-folder.ts';

const TENANT = 'acme';
const TOKEN = 'tok_1';
const CREDITS = 1_000_000_000;
const CACHE_BYTES = 64 << 20;
const WORKERS = 2;

interface Disturbed {
  readonly endpoint: LocalEndpoint;
  readonly storage: SegmentStorage;
  readonly manifest: Manifest;
  readonly seed: number;
  /** The most deaths of workers. */
  readonly kills: number;
  readonly collectGarbage: () => void;
  readonly onFile?: (files: number) => void;
}

/** The figures of a download whose workers were killed. */
export interface KilledDownload {
  readonly records: number;
  readonly files: number;
  readonly kills: number;
  readonly charged: number;
  /** Megabytes in use after each file was written, when all garbage was collected. */
  readonly inUse: readonly number[];
}

/**
 * Downloads all records of an index while its workers die at calls that follow from the seed. Fails if a byte of a file
 * is not what the search gives, a file is missing, or the records were not charged exactly once.
 */
export async function killedDownload(disturbed: Disturbed): Promise<KilledDownload> {
  const { endpoint, storage, manifest, seed, collectGarbage, onFile = () => undefined } = disturbed;
  const table = await createTable(endpoint, `killed-${seed}`);
  const accounts = await createTable(endpoint, `killed-accounts-${seed}`);
  await putNewItem(accounts, {
    ...dataTokenKey(TOKEN),
    tokenId: TOKEN,
    tenant: TENANT,
    planId: 'demo',
    availableDownloads: CREDITS,
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const credits = async (): Promise<number> =>
    (await getItem(accounts, dataTokenKey(TOKEN)))?.['availableDownloads'] ?? 0;
  const files = new Map<string, string>();
  const inUse: number[] = [];
  const engine = segmentSearch(storage, new SegmentCache(CACHE_BYTES));

  /** A process, which keeps its cache from one message to the next until it dies. */
  const newProcess = () => ({ segments: segmentSearch(storage, new SegmentCache(CACHE_BYTES)) });
  let worker = newProcess();
  const depsOf = (mortality: Mortality) => ({
    downloads: downloadStore(mortalOf(table, mortality), mortalOf(accounts, mortality)),
    index: { current: async () => manifest, pinned: async () => manifest },
    segments: worker.segments,
    storage: hashedFiles(mortality, (key, digest) => {
      files.set(key, digest);
      collectGarbage();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      inUse.push((heapUsed + arrayBuffers) / 1e6);
      onFile(files.size);
    }),
    share: WORKERS,
    now: Date.now,
  });

  const queue: { readonly work: DownloadWork; readonly receives: number }[] = [];
  const search = readSearch('businesses', { q: '*:*', download: 'true' }, 'all');
  const caller = { tokenId: TOKEN, tenant: TENANT, planId: 'demo' };
  const send = async ({ tokenId, id }: DownloadWork) => void queue.push({ work: { tokenId, id }, receives: 1 });
  const request = await startDownload({ ...depsOf(new Mortality()), send, newId: async () => seed }, search, caller);

  const random = new Random(seed);
  let kills = 0;
  for (let message = queue.shift(); message; message = queue.shift()) {
    const { work, receives } = message;
    const moment = random.chance(0.5) ? 'before' : 'after';
    const dieAt = kills < disturbed.kills && random.chance(0.8) ? 1 + random.below(20) : Number.POSITIVE_INFINITY;
    const mortality = new Mortality(dieAt, moment);
    try {
      const reception = { receives, remainingMillis: () => 900_000 };
      const next = await runDownload(depsOf(mortality), work, reception);
      queue.push(...next.map((one) => ({ work: one, receives: 1 })));
    } catch (error) {
      unlessKilled(error);
      kills += 1;
      worker = newProcess();
      queue.push({ work, receives: receives + 1 });
    }
  }

  const { status, error, numDownloaded } = (await downloadStore(table, accounts).request(request)) ?? {};
  const charged = CREDITS - (await credits());
  const counts = (await engine.counts({ kind: 'all' }, manifest.segments)) ?? [];
  const records = counts.reduce((sum, count) => sum + count, 0);
  if (status !== 'COMPLETED' || error !== '' || numDownloaded !== records)
    throw new Error(`The download is ${status} with ${numDownloaded} of ${records} records: ${error}`);
  if (charged !== records) throw new Error(`${charged} records were charged instead of ${records}.`);
  const digests = [...files].sort(([one], [other]) => numberOf(one) - numberOf(other)).map(([, digest]) => digest);
  for (let from = 0, n = 0; from < records; from += FILE_RECORDS, n += 1) {
    const range = { from, to: Math.min(records, from + FILE_RECORDS) };
    const lines: Uint8Array[] = [];
    for await (const { bytes } of engine.lines({ kind: 'all' }, manifest.segments, counts, range))
      lines.push(bytes.slice());
    if (hash('sha256', Buffer.concat(lines)) !== digests[n])
      throw new Error(`File ${n + 1} is not what the search gives.`);
  }
  if (digests.length !== Math.ceil(records / FILE_RECORDS)) throw new Error(`There are ${digests.length} files.`);
  return { records, files: digests.length, kills, charged, inUse };
}

/** Businesses in an index of a folder. */
export async function builtIndex(folder: string, records: number) {
  const segments = new SegmentFolder(folder);
  for (const record of generatedBusinesses(records)) {
    const isFull = segments.add(record);
    if (isFull) await isFull;
  }
  await segments.finish();
  return openedIndex(folder);
}

export const openedIndex = async (folder: string) => ({
  storage: new FolderStorage(folder),
  manifest: await manifestIn(folder),
});

const numberOf = (key: string): number => Number(/_(\d+)\.txt$/.exec(key)?.[1]);

const mortalOf = ({ name, client }: Table, mortality: Mortality): Table => ({ name, client: mortality.bind(client) });

/** Files of which the hash is kept, as if the bytes were. A worker that dies while it writes leaves none. */
const hashedFiles = (mortality: Mortality, put: (key: string, digest: string) => void): FileStorage => ({
  async write(key, _format, chunks) {
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) all.push(await mortality.live(async () => chunk.slice()));
    const bytes = Buffer.concat(all);
    return mortality.live(async () => {
      put(key, hash('sha256', bytes));
      return bytes.length;
    });
  },
});

/**
 * The most megabytes in use in the second half of a download beyond those in its first half, for which the cache of the
 * segments has filled.
 */
export function growth({ inUse }: KilledDownload): number {
  const half = Math.floor(inUse.length / 2);
  return Math.max(...inUse.slice(half)) - Math.max(...inUse.slice(0, half));
}
