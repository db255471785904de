import type { ImportedObject, ImportJobs } from './import-job.ts';

/**
 * A worker reports its progress every second, except while it stores a part, which takes less than this.
 */
const SILENT_MILLIS = 300_000;
/** The wait doubles with every waking without effect, so that wakings do not lengthen a long queue. */
const MAX_DOUBLINGS = 5;

export interface WakeImportsDeps {
  readonly jobs: Pick<ImportJobs, 'running' | 'noteWaking'>;
  /** Queues the import of this object again. */
  readonly send: (object: ImportedObject) => Promise<void>;
}

/**
 * Wakes imports that have fallen silent. Their message may be lost, or hidden for as long as a worker may take: when
 * Lambda throttles the function, it leaves a message hidden. Two workers on one import do no harm.
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
