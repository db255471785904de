import type { EventData } from '#shared/events/built-in-events';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import type { ImportJob } from './import-job.ts';
import { presentImport } from './present-import.ts';

/**
 * The event of a finished import; undefined while it runs or if it has no tenant. A repeated announcement has the same
 * id.
 */
export function importEnded(job: ImportJob, tenant: string): WebhookTrigger | undefined {
  if (job.status === 'RUNNING') return undefined;
  const { id, type, name, key, status, lines, imported, deleted, rejected } = presentImport(job);
  const data: EventData<'downloads', 'Import is completed'> = {
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
