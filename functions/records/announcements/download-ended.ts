import type { EventData } from '#shared/events/built-in-events';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import type { DownloadRequest } from '../download/download-request.ts';

/** The event of a download that has ended; a repeated announcement has the same id. A running download has none. */
export function downloadEnded(request: DownloadRequest): WebhookTrigger | undefined {
  const { id, tenant, completedAt } = request;
  if (completedAt === undefined) return undefined;
  const data: EventData<'downloads', 'Download is completed'> = {
    dataType: request.type,
    query: request.query,
    view: request.view,
    format: request.format,
    numFound: request.numFound,
    numRequested: request.numRequested,
    numDownloaded: request.numDownloaded,
    files: request.filesDone,
    error: request.error === '' ? null : request.error,
    startedAt: request.startedAt,
    completedAt,
  };
  return {
    tenant,
    id: `downloads-request-${id}`,
    module: 'downloads',
    trigger: 'Download is completed',
    recordType: 'download',
    recordId: String(id),
    data,
    time: completedAt,
  };
}
