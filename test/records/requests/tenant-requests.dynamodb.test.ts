import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataTokenStore } from '../../../functions/accounts/data-tokens/data-token-store.dynamodb.ts';
import type { DownloadRequest } from '../../../functions/records/download/download-request.ts';
import { downloadStore } from '../../../functions/records/download/download-store.dynamodb.ts';
import {
  fileOfTenant,
  requestOfTenant,
  requestsOfTenant,
} from '../../../functions/records/requests/tenant-requests.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

const NOW = Date.UTC(2026, 10, 23);
let endpoint: LocalEndpoint;
let tables: { records: Table; accounts: Table };
let names = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  tables = { records: await createTable(endpoint, 'records'), accounts: await createTable(endpoint, 'accounts') };
});
afterAll(() => endpoint.close());

const newTenant = () => `tenant-${(names += 1)}`;

async function newToken(tenant: string): Promise<string> {
  const tokenId = `tok-${(names += 1)}`;
  const token = { tokenId, tenant, planId: 'demo', availableDownloads: 1e9, createdAt: isoTime(NOW + names) };
  expect(await dataTokenStore(tables.accounts).add(token)).toBe(true);
  return tokenId;
}

async function start(tenant: string, tokenId: string, id: number, query = '*:*'): Promise<DownloadRequest> {
  const request: DownloadRequest = {
    id,
    tokenId,
    tenant,
    planId: 'demo',
    type: 'businesses',
    query,
    view: 'businesses_all',
    format: 'json',
    csvFormulas: 'guarded',
    records: '',
    status: 'STARTED',
    error: '',
    numFound: 20_000,
    numRequested: 20_000,
    numDownloaded: 0,
    filesDone: 0,
    startedAt: isoTime(NOW),
    progressedAt: isoTime(NOW),
  };
  const downloads = downloadStore(tables.records, tables.accounts);
  expect(await downloads.start(request, { version: 1, counts: [20_000] })).toBe('reserved');
  return request;
}

/** Every page of the list, by ids. */
async function pages(tenant: string, limit: number): Promise<number[][]> {
  const result: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await requestsOfTenant(tables, tenant, { limit, ...(cursor !== undefined && { cursor }) });
    result.push(page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return result;
}

let ids = 1_000;

describe('the downloads of a tenant', () => {
  it('are those of all its tokens, revoked ones too, newest first on pages of any size, each once', async () => {
    const gen = fc.tuple(fc.array(fc.nat({ max: 2 }), { maxLength: 14 }), fc.integer({ min: 1, max: 6 }));
    await fc.assert(
      fc.asyncProperty(gen, async ([choices, limit]) => {
        const tenant = newTenant();
        const tokens = [await newToken(tenant), await newToken(tenant), await newToken(tenant)];
        const made: number[] = [];
        for (const choice of choices) made.push((await start(tenant, tokens[choice]!, (ids += 1))).id);
        await dataTokenStore(tables.accounts).revoke({ tenant, id: tokens[1]! }, NOW);
        const result = await pages(tenant, limit);
        expect(result.flat()).toEqual(made.toReversed());
        expect(result.length).toBe(Math.max(1, Math.ceil(made.length / limit)));
        expect(result.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 12 },
    );
  });

  it('are found beyond what one answer of the table holds', async () => {
    const tenant = newTenant();
    const token = await newToken(tenant);
    const long = 'x'.repeat(8_000);
    const made: number[] = [];
    for (let n = 0; n < 140; n += 1) made.push((await start(tenant, token, (ids += 1), long)).id);
    // A query of the table ends at a mebibyte.
    const page = await requestsOfTenant(tables, tenant, { limit: 139 });
    expect(page.items.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 139));
    expect(page.nextCursor).toBeDefined();
  });

  it('are found with more tokens than one page of their list holds', async () => {
    const tenant = newTenant();
    const tokens: string[] = [];
    for (let n = 0; n < 103; n += 1) tokens.push(await newToken(tenant));
    const oldest = await start(tenant, tokens[0]!, (ids += 1));
    const newest = await start(tenant, tokens[102]!, (ids += 1));
    expect(await pages(tenant, 50)).toEqual([[newest.id, oldest.id]]);
  });

  it('are not listed by the cursor of another tenant', async () => {
    const [mine, theirs] = [newTenant(), newTenant()];
    for (const tenant of [mine, theirs]) {
      const token = await newToken(tenant);
      for (let n = 0; n < 2; n += 1) await start(tenant, token, (ids += 1));
    }
    const { nextCursor } = await requestsOfTenant(tables, theirs, { limit: 1 });
    await expect(requestsOfTenant(tables, mine, { limit: 1, cursor: nextCursor! })).rejects.toMatchObject({
      code: 'invalid-cursor',
    });
  });

  it('are found by id, by their own tenant alone', async () => {
    const tenant = newTenant();
    const request = await start(tenant, await newToken(tenant), (ids += 1));
    expect(await requestOfTenant(tables.records, { tenant, id: request.id })).toEqual(request);
    expect(await requestOfTenant(tables.records, { tenant: newTenant(), id: request.id })).toBeUndefined();
    expect(await requestOfTenant(tables.records, { tenant, id: 1 })).toBeUndefined();
  });

  it('have a row for each file that is complete', async () => {
    const tenant = newTenant();
    const request = await start(tenant, await newToken(tenant), (ids += 1));
    const file = { file: 2, records: 10_000, bytes: 5, createdAt: isoTime(NOW) };
    await downloadStore(tables.records, tables.accounts).addFile(request, file);
    const fileOf = (number: number, of = tenant) =>
      fileOfTenant(tables.records, { tenant: of, id: String(request.id), number });
    expect(await fileOf(2)).toMatchObject({ request: { id: request.id }, number: 2, file });
    expect((await fileOf(1)).file).toBeUndefined();
    await expect(fileOf(2, 'another')).rejects.toMatchObject({ status: 404 });
  });
});
