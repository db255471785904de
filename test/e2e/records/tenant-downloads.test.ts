/** Records for people of a tenant, who sign in and have no data token: schemas, searches, downloads. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { allVariables, checkEvent } from '../../support/contract/described-events.ts';
import { downloader } from '../../support/records/downloading.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';

stepsInOrder();

/** Two files. */
const RECORDS = 10_300;
const folder = mkdtempSync(join(tmpdir(), 'tenant-downloads-'));
let service: RunningService;
let operator: string;
let demo: string;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  operator = await service.managementToken('demo', { operator: true });
  demo = await service.managementToken('demo');
  const target = { name: 'Downloads', targetUrl: 'https://downloads.invalid/', maxAttempts: 1 };
  const { id: apiConfigurationId } = (await manage('POST', 'api-configurations', { body: target })).json;
  for (const trigger of ['Download is completed', 'Import is completed']) {
    const body = { module: 'downloads', trigger, apiConfigurationId, body: allVariables(trigger) };
    expect((await manage('POST', 'rules', { body })).status).toBe(201);
  }
  const file = join(folder, 'made.ndjson');
  const lines = Array.from({ length: RECORDS }, (_, n) =>
    JSON.stringify({ id: `made-${n}`, name: `Made product ${n}` }),
  );
  writeFileSync(file, [...lines, '{"colour":"red"}'].join('\n'));
  const { code } = await service.run('cdk/import.command.ts', '--type', 'products', file);
  expect(code).toBe(2);
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true });
});

const manage = (method: string, path: string, { as = demo, body }: { as?: string; body?: unknown } = {}) =>
  service.call(`/manage/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const get = (path: string, as?: string) => manage('GET', path, as === undefined ? {} : { as });
const order = (body: object, path = 'requests', as = demo) =>
  manage('POST', path, { as, body: { type: 'products', q: 'name:made', ...body } });
const ended = (id: number) =>
  eventually(
    service.cloud,
    async () => (await get(`requests/${id}`)).json,
    ({ status }) => status === 'COMPLETED',
  );
const credits = () => downloader(service, 'demo-token').credits();

describe('a schema', () => {
  it('is listed, and shown with its fields and views', async () => {
    const { items } = (await get('schemas')).json;
    expect(items.map(({ type }: { type: string }) => type)).toEqual(['businesses', 'products', 'properties']);
    const { fields, views } = (await get('schemas/products')).json;
    expect(fields).toHaveLength(items[1].fields);
    expect(fields[0]).toEqual(expect.objectContaining({ name: expect.any(String), type: expect.any(String) }));
    expect(views[0].name).toBe('products_all');
    expect((await get('schemas/people')).json).toMatchObject({ status: 404, code: 'not-found' });
  });
});

describe('a search', () => {
  it('shows what the data endpoint shows, and takes nothing from the account', async () => {
    const before = await credits();
    const query = 'q=name:made+AND+id:made-7&view=products_basicFields';
    const { status, json } = await get(`data/products?${query}&records=5`);
    expect([status, json]).toEqual([200, { estimatedTotal: 1, records: [{ name: 'Made product 7', id: 'made-7' }] }]);
    const own = (await service.as('demo-token')(`/v3/data/products?${query}`)).json;
    expect(own).toEqual({ 'estimated total': json.estimatedTotal, records: json.records });
    expect(await credits()).toBe(before);
  });

  it.each([
    ['data/products?q=colour:red', 400, 'invalid-query', 'colour does not exist in product schema'],
    ['data/products', 400, 'invalid-query', 'q is required'],
    ['data/products?q=a&records=11', 403, 'forbidden', 'numRequested exceeds preview record limit of 10'],
    ['data/people?q=a', 404, 'not-found', 'The requested resource was not found.'],
    ['data/products?q=a&tenant=nobody', 404, 'not-found', 'There is no such account.'],
  ])('of %s is refused with %i %s', async (path, status, code, detail) => {
    expect((await get(path)).json).toMatchObject({ status, code, detail });
  });

  it('shows a tenant what its tokens show: nothing without one, and only the views of their plans', async () => {
    await manage('POST', 'accounts', { as: operator, body: { name: 'Small Inc' } });
    const small = await service.managementToken('small-inc');
    expect((await get('data/products?q=a', small)).json).toMatchObject({ status: 403, code: 'no-data-token' });
    const body = { availableDownloads: 5, planId: 'basic' };
    await manage('POST', 'accounts/small-inc/data-tokens', { as: operator, body });
    expect((await get('data/products?q=a', small)).json.detail).toBe('user does not have access to this view');
    expect((await get('data/products?q=a&view=products_basicFields', small)).status).toBe(200);
    const refused = await order({ view: 'products_basicFields', records: 6 }, 'requests', small);
    expect(refused.json).toMatchObject({
      status: 409,
      code: 'too-few-credits',
      detail: 'numRequested exceeds the available_downloads of the account',
    });
    expect((await order({ view: 'products_basicFields', records: 5 }, 'requests', small)).status).toBe(201);
    expect((await get('accounts/small-inc/data-tokens', small)).json.items[0].availableDownloads).toBe(0);
  });
});

describe('a download', () => {
  it('is ordered, paid by a token of the tenant, followed to its end, and fetched by fresh links', async () => {
    const before = await credits();
    const ordered = await order({ format: 'csv', view: 'products_basicFields' });
    expect(ordered.status).toBe(201);
    const { id } = ordered.json;
    expect(ordered.headers.get('location')).toBe(`/manage/v1/requests/${id}`);
    expect(ordered.json).toEqual({
      id: expect.any(Number),
      type: 'products',
      query: 'name:made',
      view: 'products_basicFields',
      format: 'csv',
      status: 'STARTED',
      error: '',
      found: RECORDS,
      requested: RECORDS,
      downloaded: 0,
      credits: RECORDS,
      tokenId: expect.stringMatching(/^tok_/),
      startedAt: expect.any(String),
      progressedAt: ordered.json.startedAt,
    });
    expect(await credits()).toBe(before - RECORDS);
    const { files, ...request } = await ended(id);
    expect(request).toMatchObject({ downloaded: RECORDS, credits: RECORDS, completedAt: expect.any(String) });
    expect(files.map(({ number, records }: { number: number; records: number }) => [number, records])).toEqual([
      [1, 10_000],
      [2, 300],
    ]);
    // A rule fires on its end, and on the end of the import before it.
    const runs = await eventually(
      service.cloud,
      async () => (await get('runs?module=downloads')).json.items,
      ({ length }) => length === 2,
    );
    expect(runs.map(({ record }: { record: string }) => record)).toEqual([
      `download: ${id}`,
      expect.stringMatching(/^import: /),
    ]);
    for (const { id: run, trigger } of runs) checkEvent(trigger, JSON.parse((await get(`runs/${run}`)).json.payload));
    // The token that paid sees it as one of its own.
    const [own] = (await service.as('demo-token')(`/v3/requests/${id}`)).json;
    expect(own).toMatchObject({ id, numDownloaded: RECORDS });

    const link = await manage('POST', `requests/${id}/files/2`);
    expect([link.status, link.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const bytes = await (await fetch(link.json.url)).arrayBuffer();
    expect(bytes.byteLength).toBe(files[1].bytes);
    expect(Number(new URL(link.json.url).searchParams.get('X-Amz-Expires'))).toBe(300);
    for (const path of [`requests/${id}/files/3`, `requests/${id + 1}/files/1`, 'requests/abc/files/1']) {
      expect((await manage('POST', path)).json).toMatchObject({ status: 404, code: 'not-found' });
    }
    expect((await manage('POST', `requests/${id}/files/0`)).status).toBe(400);
  });

  it.each(['json', 'csv'])('of %s has its records page by page, in the order of its files', async (format) => {
    const { id } = (await order({ format, view: 'products_basicFields' })).json;
    await ended(id);
    const pages: Record<string, string>[][] = [];
    for (let path: string | undefined = ''; path !== undefined; ) {
      const { status, json } = await get(`requests/${id}/files/2/records?limit=100${path}`);
      expect(status).toBe(200);
      pages.push(json.items);
      path = json.nextCursor && `&cursor=${json.nextCursor}`;
    }
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 100]);
    const file = await fetch((await manage('POST', `requests/${id}/files/2`)).json.url);
    const lines = (await file.text()).trim().split('\n');
    const records =
      format === 'csv'
        ? lines.slice(1).map((line) => JSON.parse(line.split(',')[0] ?? ''))
        : lines.map((line) => JSON.parse(line).id);
    expect(pages.flat().map((record) => record['id'])).toEqual(records);
    for (const path of [`requests/${id}/files/3`, `requests/${id + 1}/files/1`, 'requests/abc/files/1'])
      expect((await get(`${path}/records`)).json).toMatchObject({ status: 404, code: 'not-found' });
    const { nextCursor } = (await get(`requests/${id}/files/1/records?limit=1`)).json;
    expect((await get(`requests/${id}/files/2/records?cursor=${nextCursor}`)).json.code).toBe('invalid-cursor');
  });

  it('is listed with those of all tokens, newest first, and is no other tenant’s', async () => {
    const { id: older } = await downloader(service, 'demo-token').start('products', 'q=name:made&records=1');
    const second = await manage('POST', 'accounts/demo/data-tokens', {
      as: operator,
      body: { availableDownloads: 50, planId: 'demo' },
    });
    const { id: newer } = (await order({ records: 2, tokenId: second.json.id })).json;
    expect((await manage('DELETE', `accounts/demo/data-tokens/${second.json.id}`)).status).toBe(204);
    const { items, nextCursor } = (await get('requests?limit=1')).json;
    expect(items.map(({ id }: { id: number }) => id)).toEqual([newer]);
    const rest = (await get(`requests?cursor=${nextCursor}`)).json;
    expect(rest.items[0].id).toBe(older);
    expect(rest.items.map(({ id }: { id: number }) => id)).not.toContain(newer);

    const small = await service.managementToken('small-inc');
    for (const path of [`requests/${newer}`, 'requests/1', 'requests/abc']) {
      expect((await get(path, small)).json).toMatchObject({ status: 404, detail: 'There is no such request.' });
    }
    expect((await manage('POST', `requests/${older}/files/1`, { as: small })).status).toBe(404);
    expect((await get(`requests/${older}/files/1/records`, small)).status).toBe(404);
    expect((await get(`requests?cursor=${nextCursor}`, small)).json.code).toBe('invalid-cursor');
  });

  it.each([
    [{ q: 'colour:red' }, 400, 'invalid-query'],
    [{ q: 'name:nowhere' }, 400, 'nothing-requested'],
    [{ records: 0 }, 400, 'invalid-input'],
    [{ type: 'people' }, 400, 'invalid-input'],
    [{ tokenId: 'tok_unknown' }, 404, 'not-found'],
  ])('of %j is refused with %i %s and takes nothing', async (body, status, code) => {
    const before = await credits();
    expect((await order(body)).json).toMatchObject({ status, code });
    expect(await credits()).toBe(before);
  });
});

describe('an import of records', () => {
  it('is shown to operators, with its rejected lines', async () => {
    const { items } = (await get('imports', operator)).json;
    expect(items[0]).toMatchObject({
      type: 'products',
      name: 'made.ndjson',
      status: 'COMPLETED',
      lines: RECORDS + 1,
      imported: RECORDS,
      rejected: 1,
    });
    const { json } = await get(`imports/${items[0].id}`, operator);
    expect(json).toMatchObject({ ...items[0], rejections: [{ line: RECORDS + 1, reason: expect.any(String) }] });
    expect((await fetch(json.rejectionsUrls[0])).status).toBe(200);
    expect((await get('imports/none', operator)).status).toBe(404);
    for (const path of ['imports', `imports/${items[0].id}`]) {
      expect((await get(path)).json).toMatchObject({ status: 403, code: 'operator-required' });
    }
  });
});

describe('a file that is a week old', () => {
  it('is refused as expired, and no longer listed', async () => {
    const { id } = (await order({ records: 3 })).json;
    await ended(id);
    service.cloud.clock.advance(7 * 86_400_000 + 1_000);
    demo = await service.managementToken('demo');
    expect((await manage('POST', `requests/${id}/files/1`)).json).toMatchObject({ status: 410, code: 'file-expired' });
    expect((await get(`requests/${id}/files/1/records`)).json).toMatchObject({ status: 410, code: 'file-expired' });
    expect((await get(`requests/${id}`)).json).toMatchObject({ status: 'COMPLETED', downloaded: 3, files: [] });
  });
});
