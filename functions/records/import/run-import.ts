import { isoTime } from '#shared/timestamp';
import type { IndexWriter } from '../index/index-writer.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import type { ImportJob, ImportJobs, JobStep } from './import-job.ts';
import { type ImportFiles, REPORTS } from './import-source.ts';
import { jobAfter, type Part, type PartLimits, readPart } from './part.ts';
import { entriesOf } from './rows/entries.ts';
import { UnreadableFile } from './rows/unreadable-file.ts';

export interface ImportDeps {
  readonly jobs: ImportJobs;
  readonly files: ImportFiles;
  readonly writer: IndexWriter<JobStep>;
  readonly limits: PartLimits;
  readonly now: () => number;
}

/** Reading a part and putting it into the index takes less than this; with less time left no part is begun. */
const PART_MILLIS = 300_000;
const PROGRESS_MILLIS = 1_000;

/**
 * Continues an import until it ends or the time is nearly up. Any number of workers may run on the same import at once,
 * and any may die at any point: the job advances only together with the index, one part at a time.
 */
export async function runImport(deps: ImportDeps, begun: ImportJob, remainingMillis: () => number): Promise<ImportJob> {
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

/** Part after part from one reading of the file, until another worker advances the job. */
async function runParts(deps: ImportDeps, begun: ImportJob, remainingMillis: () => number): Promise<ImportJob> {
  const map = await deps.files.columnMap(begun.object);
  const source = await deps.files.open(begun.object, begun.checkpoint.byte);
  const entries = entriesOf(source.chunks, {
    file: { ...begun, key: begun.object.key },
    ...(map !== undefined && { map }),
  });
  let job = begun;
  try {
    do {
      const reading = { job, schema: SCHEMAS[job.type], limits: deps.limits };
      const part = await readPart(entries, reading, progressOf(deps, job, source.bytesRead));
      const moved = await commitPart(deps, job, part);
      if (!moved) return await deps.jobs.reread(job);
      job = moved;
    } while (job.status === 'RUNNING' && remainingMillis() > PART_MILLIS);
    return job;
  } finally {
    await entries.return(undefined);
  }
}

/** The job with the part in the index; undefined when another worker was first. */
async function commitPart(deps: ImportDeps, job: ImportJob, part: Part): Promise<ImportJob | undefined> {
  const now = deps.now();
  const report = part.rejections.length > 0 ? reportKey(job) : undefined;
  if (report !== undefined) await deps.files.putReport(report, part.rejections);
  const after = jobAfter(job, part, { now, ...(report !== undefined && { report }) });
  const step = { before: job, after };
  if (!part.changesIndex) return (await deps.jobs.advance(step)) ? after : undefined;
  const committed = await deps.writer.add(part.builder, { type: job.type, step, now });
  return committed ? after : undefined;
}

async function endFailed(deps: ImportDeps, job: ImportJob, error: string): Promise<ImportJob> {
  if (job.status !== 'RUNNING') return job;
  const after: ImportJob = { ...job, status: 'FAILED', error, updatedAt: isoTime(deps.now()) };
  return (await deps.jobs.advance({ before: job, after })) ? after : deps.jobs.reread(job);
}

/** One report object for each part that rejected lines; the same part always has the same one. */
const reportKey = (job: ImportJob) => `${REPORTS}${job.id}/${String(job.parts + 1).padStart(6, '0')}.ndjson`;

function progressOf({ jobs, now }: ImportDeps, job: ImportJob, bytesRead: () => number) {
  let next = now() + PROGRESS_MILLIS;
  let lines = 0;
  return (line: number): Promise<void> | undefined => {
    lines += 1;
    if (lines % 1_000 !== 0) return undefined;
    const at = now();
    if (at < next) return undefined;
    next = at + PROGRESS_MILLIS;
    return jobs.progress(job, { bytesRead: bytesRead(), lines: line }, at);
  };
}
