import { describe, expect, it } from 'vitest';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import {
  FILES_SHOWN,
  presentTenantRequest,
  presentWithFiles,
  requestIdOf,
} from '../../../functions/records/requests/tenant-request.ts';

const REQUEST: DownloadRequest = {
  id: 42,
  tokenId: 'tok_1',
  tenant: 'acme',
  planId: 'demo',
  type: 'products',
  query: 'brand:northwind',
  view: 'products_all',
  format: 'csv',
  csvFormulas: 'guarded',
  records: '30000',
  status: 'STARTED',
  error: '',
  numFound: 40_000,
  numRequested: 30_000,
  numDownloaded: 10_000,
  filesDone: 1,
  startedAt: '2026-11-23T00:00:00.000Z',
  progressedAt: '2026-11-23T00:00:05.000Z',
};
const file = (number: number) => ({ file: number, records: 10_000, bytes: 7, createdAt: '2026-11-23T00:00:05.000Z' });

describe('a request as its tenant sees it', () => {
  it('has all members of the interface, and no end while it runs', () => {
    expect(presentTenantRequest(REQUEST)).toEqual({
      id: 42,
      type: 'products',
      query: 'brand:northwind',
      view: 'products_all',
      format: 'csv',
      status: 'STARTED',
      error: '',
      found: 40_000,
      requested: 30_000,
      downloaded: 10_000,
      credits: 30_000,
      tokenId: 'tok_1',
      startedAt: '2026-11-23T00:00:00.000Z',
      progressedAt: '2026-11-23T00:00:05.000Z',
    });
  });

  it('has taken what it delivered, once it has ended and the rest was given back', () => {
    const ended = { ...REQUEST, status: 'COMPLETED', error: 'cut short', completedAt: REQUEST.progressedAt } as const;
    expect(presentTenantRequest(ended)).toMatchObject({ credits: 10_000, completedAt: REQUEST.progressedAt });
  });

  it('lists its files with the time when each expires, and says where a full list goes on', () => {
    const { files, ...rest } = presentWithFiles(REQUEST, [file(1)]);
    expect(files).toEqual([{ number: 1, records: 10_000, bytes: 7, expiresAt: '2026-11-30T00:00:05.000Z' }]);
    expect(rest).not.toHaveProperty('moreFilesAfter');
    const full = Array.from({ length: FILES_SHOWN }, (_, n) => file(n + 1));
    expect(presentWithFiles(REQUEST, full)).toMatchObject({ moreFilesAfter: FILES_SHOWN });
  });
});

describe('an id that cannot be one', () => {
  it.each(['abc', '-1', '', '9999999999999', '1.5'])('is refused like one that does not exist: "%s"', (text) => {
    expect(() => requestIdOf(text)).toThrow(expect.objectContaining({ status: 404, code: 'not-found' }));
  });
});
