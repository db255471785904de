import type { ImportedObject, ImportJobs } from './import-job.ts';

/** A worker tells how far it is every second but while it puts a part into the index, which takes less than this. */
const SILENT_MILLIS = 300_000;
/** The wait doubles with every waking that helped nothing, so that a long queue does not grow by it. */
const MAX_DOUBLINGS = 5;

export interface WakeImportsDeps {
  readonly jobs: Pick<ImportJobs, 'running' | 'noteWaking'>;
  /** Has a worker go on with the import of this object. */
  readonly send: (object: ImportedObject) => Promise<void>;
}

/**
 * Has workers look at imports of which nothing was heard. Their message may be lost, or hidden for as long as a worker may
 * take: Lambda, when it throttles the function, leaves a message hidden. Two workers on one import do no harm.
 */
export async function wakeImports({ jobs, send }: WakeImportsDeps, now: number): Promise<number> {
  let woken = 0;
  for await (const job of jobs.running()) {
    const { wakings = 0, wokenAt = '', updatedAt } = job;
    const heard = Date.parse(wokenAt > updatedAt ? wokenAt : updatedAt);
    if (now - heard < SILENT_MILLIS * 2 ** Math.min(wakings, MAX_DOUBLINGS)) continue;
    if (!(await jobs.noteWaking(job, now))) continue;
    await send(job.object);
    woken += 1;
  }
  return woken;
}
