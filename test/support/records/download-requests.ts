import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';

/** A download that has just started. */
export const downloadRequest = (own: Partial<DownloadRequest> = {}): DownloadRequest => ({
  id: 9_117_705_982,
  tokenId: 'tok_x',
  tenant: 'acme',
  planId: 'demo',
  type: 'products',
  query: 'name:a',
  view: 'products_all',
  format: 'csv',
  csvFormulas: 'guarded',
  records: '',
  status: 'STARTED',
  error: '',
  numFound: 3,
  numRequested: 3,
  numDownloaded: 0,
  filesDone: 0,
  startedAt: '2026-03-04T05:06:07.000Z',
  progressedAt: '2026-03-04T05:06:07.000Z',
  ...own,
});
