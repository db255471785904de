import { describe, expect, it } from 'vitest';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { RESULT_SECONDS } from '../../../functions/records/download/result-file.ts';
import { LINK_SECONDS, linkToFile } from '../../../functions/records/download-files/file-link.ts';

const NOW = Date.UTC(2026, 10, 23);
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();
const ENDED: DownloadRequest = {
  id: 42,
  tokenId: 'tok_1',
  tenant: 'acme',
  planId: 'demo',
  type: 'products',
  query: '*:*',
  view: 'products_all',
  format: 'csv',
  csvFormulas: 'guarded',
  records: '',
  status: 'COMPLETED',
  error: '',
  numFound: 25_000,
  numRequested: 25_000,
  numDownloaded: 25_000,
  filesDone: 3,
  startedAt: at(-60),
  progressedAt: at(-1),
  completedAt: at(-1),
};
const { completedAt: _, ...unended } = ENDED;
const RUNNING: DownloadRequest = { ...unended, status: 'STARTED' };

const links = {
  link: async (key: string, fileName: string, seconds: number) => `https://files/${key}?as=${fileName}&for=${seconds}`,
};
const linked = (request: DownloadRequest, number: number, fileAt?: number) => {
  const file = fileAt === undefined ? undefined : { file: number, records: 1, bytes: 1, createdAt: at(fileAt) };
  return linkToFile(links, { request, number, file }, NOW);
};

describe('a link to a file', () => {
  it('is made for five minutes, and tells until when it holds', async () => {
    expect(LINK_SECONDS).toBe(300);
    expect(await linked(ENDED, 2, -10)).toEqual({
      url: 'https://files/acme/tok_1/42_2.csv?as=42_2.csv&for=300',
      expiresAt: at(300),
    });
    expect((await linked(RUNNING, 1, -10)).url).toContain('42_1.csv');
  });

  it('holds no longer than the file', async () => {
    expect((await linked(ENDED, 1, 30 - RESULT_SECONDS)).expiresAt).toBe(at(30));
    expect((await linked(ENDED, 1, 1 - RESULT_SECONDS)).expiresAt).toBe(at(1));
  });

  it.each([
    ['whose row says that it has expired', ENDED, 3, -RESULT_SECONDS],
    ['whose row is gone', ENDED, 3, undefined],
    ['that a cut download may have had, a week ago', { ...ENDED, error: 'cut', completedAt: at(-RESULT_SECONDS) }, 3],
  ] as const)('to a file %s is refused as expired', async (_what, request, number, fileAt?: number) => {
    await expect(linked(request, number, fileAt)).rejects.toMatchObject({ status: 410, code: 'file-expired' });
  });

  it.each([
    ['that the download has not', ENDED, 4],
    ['that is not written yet', RUNNING, 2],
    ['that a download, cut short just now, did not deliver', { ...ENDED, error: 'cut' }, 3],
  ] as const)('to a file %s is refused as one that does not exist', async (_what, request, number) => {
    await expect(linked(request, number)).rejects.toMatchObject({ status: 404, code: 'not-found' });
  });
});
