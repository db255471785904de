import * as z from 'zod';
import { Refusal } from '#shared/errors';
import { isoTime } from '#shared/formats/timestamp';
import type { Manifest, Manifests } from '../index/manifest.ts';
import { type Query, TooManyTerms } from '../query/query.ts';
import { readQuery } from '../query/read-query.ts';
import { viewNamed } from '../schemas/view.ts';
import { UnreadableSegment } from '../segments/format/format.ts';
import type { SegmentSearch } from '../segments/query/segment-search.ts';
import { type DownloadPlan, type DownloadRequest, numRequestedOf, tooFewCredits } from './download-request.ts';
import type { DownloadKey, Downloads } from './downloads.ts';
import { fileBytes } from './record-file.ts';
import { type FileRange, fileKeyOf, filesOf, matchesOf } from './result-file.ts';

/** Work on a download: its beginning, or some of its files. */
export interface DownloadWork extends DownloadKey {
  readonly files?: FileRange | undefined;
}

/** The message that requests it. The tenant makes the queue fair. */
export const DownloadMessage = z.strictObject({
  tokenId: z.string(),
  id: z.number().int(),
  tenant: z.string(),
  files: z.strictObject({ from: z.number().int().positive(), to: z.number().int().positive() }).optional(),
});

export interface RunDeps {
  readonly downloads: Downloads;
  readonly index: Pick<Manifests, 'pinned'>;
  readonly segments: SegmentSearch;
  readonly storage: FileStorage;
  /** The most workers that one download keeps busy at a time. */
  readonly share: number;
  readonly now: () => number;
}

export interface FileStorage {
  /** Writes an object in memory that does not grow with it, replaces one with the same key, and returns its size. */
  write(key: string, format: 'json' | 'csv', chunks: AsyncIterable<Uint8Array>): Promise<number>;
}

/** The circumstances in which the message was received. */
export interface Reception {
  /** The number of the attempt, from 1. More than 1 if a worker died or failed on the message. */
  readonly receives: number;
  readonly remainingMillis: () => number;
}

/** The time after which the rest goes back into the queue, so that other tenants' work gets its turn. */
const SLICE_MILLIS = 5_000;
/** Writing a file takes less than this. */
const FILE_MILLIS = 60_000;

/** The failures since the last file, and the time since it, after which a download is given up. */
const MAX_FAILURES = 10;
const GIVE_UP_AFTER_MILLIS = 30 * 60_000;

const NOT_FINISHED = 'The download could not be finished. Records that were not delivered are credited back.';

/**
 * Does some work on a download and returns the work that comes next. Work may be repeated, concurrent and in any order:
 * the plan alone determines the bytes of a file, and a file counts once.
 */
export async function runDownload(deps: RunDeps, work: DownloadWork, reception: Reception): Promise<DownloadWork[]> {
  const { downloads, now } = deps;
  // The plan is read first: counting writes both at once, so that the request is never older than its counts.
  const plan = await downloads.plan(work);
  const request = await downloads.request(work);
  if (request?.status !== 'STARTED') return [];
  try {
    if (reception.receives > 1 && (await mustGiveUp(deps, request))) throw new GivenUp(NOT_FINISHED);
    return await goOn(deps, work, { request, plan }, reception);
  } catch (error) {
    const reason = endingReason(error);
    if (reason === undefined) throw error;
    await downloads.fail(work, reason, now());
    return [];
  }
}

/** A failure that a retry cannot repair. */
class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Returns the reason to show to the caller if the error would recur with every retry. */
function endingReason(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.detail;
  if (error instanceof GivenUp || error instanceof TooManyTerms) return error.message;
  return error instanceof UnreadableSegment ? NOT_FINISHED : undefined;
}

async function mustGiveUp({ downloads, now }: RunDeps, request: DownloadRequest): Promise<boolean> {
  const failures = await downloads.recordFailure(request);
  return failures >= MAX_FAILURES && now() - Date.parse(request.progressedAt) > GIVE_UP_AFTER_MILLIS;
}

async function goOn(
  deps: RunDeps,
  work: DownloadWork,
  { request: stored, plan }: { readonly request: DownloadRequest; readonly plan: DownloadPlan | undefined },
  reception: Reception,
): Promise<DownloadWork[]> {
  const manifest = plan && (await deps.index.pinned(stored.type, plan.version));
  if (!plan || !manifest) throw new GivenUp(NOT_FINISHED);
  const read = readQuery(stored.query, stored.type);
  // The query was accepted at the start, so only a newer schema can refuse it.
  if (!read.ok) throw new GivenUp(read.message);
  const { query } = read;
  const planned = await withCounts(deps, stored, { plan, manifest, query });
  if (!planned) return [];
  const { request, counts } = planned;
  const files = filesOf(request);
  if (!work.files && files > 1) return shares(files, deps.share).map((range) => ({ ...work, files: range }));
  const range = work.files ?? { from: 1, to: 2 };
  const isDone = await writeFiles(deps, { request, manifest, query, counts }, range, reception);
  return isDone === 'time-is-up' ? [work] : [];
}

interface Reading {
  readonly request: DownloadRequest;
  readonly manifest: Manifest;
  readonly query: Query;
  readonly counts: readonly number[];
}

/** Counts the matches if that took too long while the caller waited. Undefined when the download ended meanwhile. */
async function withCounts(
  { downloads, segments, now }: RunDeps,
  request: DownloadRequest,
  { plan, manifest, query }: { plan: DownloadPlan; manifest: Manifest; query: Query },
): Promise<{ request: DownloadRequest; counts: readonly number[] } | undefined> {
  if (plan.counts) return { request, counts: plan.counts };
  const counts = (await segments.counts(query, manifest.segments)) ?? [];
  const numFound = counts.reduce((sum, count) => sum + count, 0);
  const counted = { ...request, numFound, numRequested: numRequestedOf(request.records, numFound) };
  const outcome = await downloads.planned(counted, { ...plan, counts }, now());
  if (outcome === 'ended') return undefined;
  if (outcome !== 'reserved') throw tooFewCredits();
  return { request: counted, counts };
}

/** Neighbouring files stay in one range: their records share blocks and segments. */
function shares(files: number, workers: number): FileRange[] {
  const each = Math.ceil(files / workers);
  const ranges: FileRange[] = [];
  for (let from = 1; from <= files; from += each) ranges.push({ from, to: Math.min(from + each, files + 1) });
  return ranges;
}

/** Writes file after file of a range, from the first missing one. */
async function writeFiles(
  deps: RunDeps,
  reading: Reading,
  range: FileRange,
  { remainingMillis }: Reception,
): Promise<'done' | 'time-is-up'> {
  const { downloads, now } = deps;
  const { request } = reading;
  const until = now() + SLICE_MILLIS;
  const first = ((await downloads.lastFile(request, range)) ?? range.from - 1) + 1;
  for (let file = first; file < range.to; file += 1) {
    if (file > first && (now() > until || remainingMillis() < FILE_MILLIS)) return 'time-is-up';
    const size = await writeFile(deps, reading, file);
    const outcome = await downloads.addFile(request, { file, ...size, createdAt: isoTime(now()) });
    // Another worker on this range is ahead, or the download has ended.
    if (outcome !== 'added') return 'done';
  }
  await downloads.complete(request, now());
  return 'done';
}

async function writeFile(
  { segments, storage }: RunDeps,
  { request, manifest, query, counts }: Reading,
  file: number,
): Promise<{ records: number; bytes: number }> {
  const view = viewNamed(request.type, request.view);
  if (!view) throw new GivenUp(NOT_FINISHED);
  const matches = matchesOf(request, file);
  const lines = segments.lines(query, manifest.segments, counts, matches);
  const bytes = await storage.write(fileKeyOf(request, file), request.format, fileBytes(lines, view, request));
  return { records: matches.to - matches.from, bytes };
}
