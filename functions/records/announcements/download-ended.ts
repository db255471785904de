import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import type { DownloadRequest } from '../download/download-request.ts';

/** The variables of `Download is completed`. */
interface DownloadCompleted extends Readonly<Record<string, unknown>> {
  readonly dataType: string;
  readonly query: string;
  readonly view: string;
  readonly format: string;
  readonly numFound: number;
  readonly numRequested: number;
  readonly numDownloaded: number;
  readonly files: number;
  /** The reason why not everything was delivered; null if it was. */
  readonly error: string | null;
  readonly startedAt: string;
  readonly completedAt: string;
}

/** The event of a download that has ended; a repeated announcement has the same id. A running download has none. */
export function downloadEnded(request: DownloadRequest): WebhookTrigger | undefined {
  const { id, tenant, completedAt } = request;
  if (completedAt === undefined) return undefined;
  const data: DownloadCompleted = {
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
