import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { accountRequests } from '../../../functions/records/requests/account-requests.ts';

const CALLER = { token: 'my-secret', tokenId: 'mine' };
const request = (id: number, own: Partial<DownloadRequest> = {}): DownloadRequest => ({
  id,
  tokenId: 'mine',
  tenant: 'acme',
  planId: 'all',
  type: 'products',
  query: 'brand:x',
  view: 'products_all',
  format: 'json',
  csvFormulas: 'guarded',
  records: '',
  status: 'COMPLETED',
  error: '',
  numFound: 1,
  numRequested: 1,
  numDownloaded: 1,
  filesDone: 1,
  startedAt: '2026-11-21T10:00:00.000Z',
  progressedAt: '2026-11-21T10:00:00.000Z',
  ...own,
});

/** Reads pages of a list; a cursor is how many come before it. */
const pagesOf =
  (all: readonly DownloadRequest[], size: number) =>
  async (cursor = '0') => {
    const from = Number(cursor);
    const next = from + size;
    return { items: all.slice(from, next), ...(next < all.length && { nextCursor: String(next) }) };
  };

describe('the requests of an account', () => {
  it('show the token of the caller where it has paid, and of others their id', async () => {
    const all = [request(2), request(1, { tokenId: 'other' })];
    const { requests, last } = await accountRequests(pagesOf(all, 1), CALLER, undefined);
    expect(requests.map(({ id, accountId }) => [id, accountId])).toEqual([
      [2, 'my-secret'],
      [1, 'other'],
    ]);
    expect(last).toBeUndefined();
  });

  it('are all found by following answers that a function may give', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 8_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 700 }), async (queries, size) => {
        const all = Array.from({ length: 1_500 }, (_, n) =>
          request(1_500 - n, { query: 'x'.repeat(queries[n % queries.length]!) }),
        );
        const ids: number[] = [];
        let cursor: string | undefined;
        do {
          const { requests, last } = await accountRequests(pagesOf(all, size), CALLER, cursor);
          expect(JSON.stringify(requests).length).toBeLessThan(5_100_000);
          ids.push(...requests.map(({ id }) => id));
          cursor = last && String(all.findIndex(({ id }) => id === last.id) + 1);
        } while (cursor !== undefined);
        expect(ids).toEqual(all.map(({ id }) => id));
      }),
      { numRuns: 8 },
    );
  });
});
