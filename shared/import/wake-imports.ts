import { wakeSilent } from '#shared/queue/wake-silent';
import type { ImportedObject, ImportJobs } from './import-job.ts';

/** A worker reports progress every second, except while it stores a part, which takes less than this. */
const SILENT_MILLIS = 300_000;

export interface WakeImportsDeps {
  readonly jobs: Pick<ImportJobs, 'running' | 'recordWake'>;
  /** Puts the import of this object into the queue again. */
  readonly send: (object: ImportedObject) => Promise<void>;
}

/**
 * Wakes imports without progress. Their message may be lost, or hidden for as long as a worker may run: Lambda leaves a
 * message hidden when it throttles the function. Two workers on one import do no harm.
 */
export const wakeImports = ({ jobs, send }: WakeImportsDeps, now: number): Promise<number> =>
  wakeSilent(jobs.running(), {
    silentMillis: SILENT_MILLIS,
    now,
    find: async (job) => job,
    progressOf: ({ updatedAt, wokenAt, wakeUps = 0 }) => ({
      progressedAt: Date.parse(updatedAt),
      wokenAt: wokenAt === undefined ? 0 : Date.parse(wokenAt),
      wakeUps,
    }),
    note: (job) => jobs.recordWake(job, now),
    send: ({ object }) => send(object),
  });
