import { isoTime } from '#shared/formats/timestamp';
import type { ImportJob, ImportJobs } from './import-job.ts';
import { type ImportFiles, type OpenImport, reportKey } from './import-source.ts';
import { jobAfter, type Part, type PartContent, readPart } from './part.ts';
import type { Entry } from './rows/entry.ts';
import type { LinePosition } from './rows/lines.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

/** Defines how a domain reads an import from files and stores it. */
export interface ImportedKind<Item> {
  /**
   * Reads the entries of the file from the import's checkpoint.
   * @param map the text of the import map, if there is one
   */
  entriesOf(chunks: AsyncIterable<Uint8Array>, from: { job: ImportJob; map?: string }): AsyncGenerator<Entry<Item>>;
  newPart(job: ImportJob): PartContent<Item>;
  /** A part ends after this many rejected lines. */
  readonly maxRejections: number;
}

export interface ImportDeps<Item> {
  readonly jobs: ImportJobs;
  readonly files: ImportFiles;
  readonly kind: ImportedKind<Item>;
  readonly now: () => number;
}

/** Reading and storing a part takes less than this. With less time left, no part is started. */
const PART_MILLIS = 300_000;
const PROGRESS_MILLIS = 1_000;

/**
 * Continues an import until it ends or the time is nearly up. Any number of workers may handle the same import at once,
 * and any may crash at any point: the import advances one part at a time, after the part is stored.
 */
export async function runImport<Item>(
  deps: ImportDeps<Item>,
  begun: ImportJob,
  remainingMillis: () => number,
): Promise<ImportJob> {
  let job = begun;
  try {
    while (job.status === 'RUNNING' && remainingMillis() > PART_MILLIS)
      job = await runParts(deps, job, remainingMillis);
    return job;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return endFailed(deps, await deps.jobs.reread(job), error.message);
  }
}

/** Stores part after part from one reading of the file, until another worker advances the import. */
async function runParts<Item>(
  deps: ImportDeps<Item>,
  begun: ImportJob,
  remainingMillis: () => number,
): Promise<ImportJob> {
  const { files, kind, jobs } = deps;
  const map = await files.importMap(begun.object);
  const source = await files.open(begun.object, begun.checkpoint.byte);
  const entries = kind.entriesOf(source.chunks, { job: begun, ...(map !== undefined && { map }) });
  const noteProgress = progressOf(deps, source);
  let job = begun;
  try {
    do {
      const before = job;
      const reading = { job, content: kind.newPart(job), maxRejections: kind.maxRejections };
      const part = await readPart(entries, reading, (end) => noteProgress(before, end));
      const moved = await commitPart(deps, job, part);
      if (!moved) return await jobs.reread(job);
      job = moved;
    } while (job.status === 'RUNNING' && remainingMillis() > PART_MILLIS);
    return job;
  } finally {
    await entries.return(undefined);
  }
}

/** The import with the part stored; undefined if another worker was first. */
async function commitPart<Item>(
  { files, jobs, now: clock }: ImportDeps<Item>,
  job: ImportJob,
  part: Part<Item>,
): Promise<ImportJob | undefined> {
  const now = clock();
  const report = part.rejections.length > 0 ? reportKey(job) : undefined;
  if (report !== undefined) await files.putReport(report, part.rejections);
  const after = jobAfter(job, part, { now, ...(report !== undefined && { report }) });
  const step = { before: job, after };
  const changesNothing = part.accepted + part.deleted === 0;
  const committed = changesNothing ? await jobs.advance(step) : await part.content.commit(step, now);
  return committed ? after : undefined;
}

async function endFailed<Item>(deps: ImportDeps<Item>, job: ImportJob, error: string): Promise<ImportJob> {
  if (job.status !== 'RUNNING') return job;
  const after: ImportJob = { ...job, status: 'FAILED', error, updatedAt: isoTime(deps.now()) };
  return (await deps.jobs.advance({ before: job, after })) ? after : deps.jobs.reread(job);
}

/** Stores the reading progress every second, across parts, because storing a part may take longer than reading it. */
function progressOf<Item>({ jobs, now }: ImportDeps<Item>, source: OpenImport) {
  let next = now() + PROGRESS_MILLIS;
  let entries = 0;
  return (job: ImportJob, end: LinePosition): Promise<void> | undefined => {
    entries += 1;
    if (entries % 1_000 !== 0) return undefined;
    const at = now();
    if (at < next) return undefined;
    next = at + PROGRESS_MILLIS;
    return jobs.progress(job, { bytesRead: source.bytesRead(end), lines: end.line }, at);
  };
}
