import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import type { ImportJob } from './import-job.ts';
import { presentImport } from './present-import.ts';

/** The variables of `Import is completed`. */
interface ImportCompleted extends Readonly<Record<string, unknown>> {
  /** `COMPLETED`, or `FAILED` if the rest of the file was not read. */
  readonly status: string;
  readonly type: string;
  /** The name of the file, and its key. */
  readonly file: string;
  readonly key: string;
  readonly lines: number;
  readonly imported: number;
  readonly deleted: number;
  readonly rejected: number;
  /** Null if the status is `COMPLETED`. */
  readonly error: string | null;
  readonly startedAt: string;
  readonly completedAt: string;
}

/**
 * The event of a finished import; undefined while it runs or if it has no tenant. A repeated announcement has the same
 * id.
 */
export function importEnded(job: ImportJob, tenant: string): WebhookTrigger | undefined {
  if (job.status === 'RUNNING') return undefined;
  const { id, type, name, key, status, lines, imported, deleted, rejected } = presentImport(job);
  const data: ImportCompleted = {
    status,
    type,
    file: name,
    key,
    lines,
    imported,
    deleted,
    rejected,
    error: job.error ?? null,
    startedAt: job.startedAt,
    completedAt: job.updatedAt,
  };
  return {
    tenant,
    id: `downloads-import-${id}`,
    module: 'downloads',
    trigger: 'Import is completed',
    recordType: 'import',
    recordId: id,
    data,
    time: job.updatedAt,
  };
}
