import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readListRequest } from '../../../../functions/images/submissions/requests/list-request.ts';

describe('a request for a list of validations', () => {
  it.each([
    ['', { limit: 100, page: 1 }],
    ['limit=&page=', { limit: 100, page: 1 }],
    ['limit=7&page=3&auth_token=x', { limit: 7, page: 3 }],
    ['limit=101', { limit: 100, page: 1 }],
    ['limit=999999999999999', { limit: 100, page: 1 }],
    ['page=100', { limit: 100, page: 100 }],
    ['limit=1&page=10000', { limit: 1, page: 10_000 }],
    ['limit=2&limit=3', { limit: 2, page: 1 }],
  ])('%j is %j', (query, request) => {
    expect(readListRequest(query)).toEqual(request);
  });

  it.each([
    'limit=0',
    'page=0',
    'limit=-1',
    'page=1.5',
    'limit=ten',
    'page=1e2',
    'page=0x10',
    'page=%201',
    'page=101',
    'limit=1&page=10001',
    'page=9999999999999999',
  ])('%j is refused', (query) => {
    expect(() => readListRequest(query)).toThrow(/argument_error/);
  });

  it('never makes the table read more than 10,000 validations', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat({ max: 20_000 }), (limit, page) => {
        try {
          const read = readListRequest(`limit=${limit}&page=${page}`);
          expect(read.limit * read.page).toBeLessThanOrEqual(10_000);
          expect([read.limit, read.page]).toEqual([Math.min(limit, 100), page]);
        } catch (error) {
          expect(String(error)).toMatch(/argument_error/);
          expect(limit === 0 || page === 0 || Math.min(limit, 100) * page > 10_000).toBe(true);
        }
      }),
    );
  });
});
