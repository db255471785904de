import type { ImportJob } from './import-job.ts';

/** An import, with the progress of the part that is being read. */
export interface WatchedImport extends ImportJob {
  readonly progress?: { readonly bytesRead: number; readonly lines: number } | undefined;
}

/** The number of rejected lines that are shown with an import. */
export const REJECTIONS_SHOWN = 100;

/**
 * An import as the management API shows it. While it runs, lines and bytes count what was read, but imported and
 * rejected items what was stored.
 */
export function presentImport({ object, counts, progress, ...job }: WatchedImport) {
  const isRunning = job.status === 'RUNNING';
  const { line } = job.checkpoint;
  const bytesDone = job.status === 'COMPLETED' ? object.bytes : (progress?.bytesRead ?? 0);
  return {
    id: job.id,
    type: job.type,
    name: object.key.slice(object.key.lastIndexOf('/') + 1),
    key: object.key,
    status: job.status,
    ...(job.error !== undefined && { error: job.error }),
    lines: isRunning ? Math.max(line, progress?.lines ?? 0) : line,
    imported: counts.accepted,
    deleted: counts.deleted,
    rejected: counts.rejected,
    bytes: object.bytes,
    bytesDone,
    startedAt: job.startedAt,
    updatedAt: job.updatedAt,
    ...(!isRunning && { completedAt: job.updatedAt }),
  };
}
