import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataTokenId } from '../../../shared/auth/data-token.ts';
import { dataTokenKey } from '../../../shared/auth/data-token-items.dynamodb.ts';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { putNewItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { createRecordIndex } from '../../support/records/record-index.ts';

const NOON = Date.UTC(2026, 10, 25, 12);
const RECORDS_PER_DAY = 25;
const RECORDS = 60;

let endpoint: LocalEndpoint;
let accounts: Table;
let data: HttpHandler;
let management: HttpHandler;
let tokens = 0;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  const index = await createRecordIndex(endpoint, 'businesses');
  accounts = await createTable(endpoint, 'accounts');
  const lines = Array.from({ length: RECORDS }, (_, n) => JSON.stringify({ id: `b-${n}`, name: `Hotel n${n}` }));
  await index.run(await index.put('businesses/a.ndjson', lines.join('\n')));
  const sqs = new SQSClient(endpoint.clientOptions());
  const { QueueUrl: queue = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'downloads' }));
  sqs.destroy();
  const { credentials } = endpoint.clientOptions();
  const environment = {
    ACCOUNTS_TABLE: accounts.name,
    AUDIT_TABLE: accounts.name,
    RECORDS_TABLE: index.table.name,
    INDEX_BUCKET: index.bucket,
    DOWNLOADS_QUEUE: queue,
    CACHE_BYTES: '1000000',
    PREVIEW_RECORDS_PER_DAY: String(RECORDS_PER_DAY),
    DATA_PLANS: JSON.stringify({ all: 'all' }),
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler: data } = await import('../../../functions/records/search/search-data.handler.ts'));
  ({ handler: management } = await import('../../../functions/records/search/tenant-data.handler.ts'));
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOON }));
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await endpoint.close();
});

/** A token of a tenant of its own, with nothing to pay with. */
async function newToken(availableDownloads = 0) {
  const token = `token-${(tokens += 1)}`;
  const tokenId = dataTokenId(token);
  const item = { tokenId, tenant: `tenant-${tokens}`, planId: 'all', availableDownloads, createdAt: 'now' };
  await putNewItem(accounts, {
    ...dataTokenKey(tokenId),
    ...item,
    list: `DATA_TOKENS#${item.tenant}`,
    position: tokenId,
  });
  return { token, tenant: item.tenant };
}

async function answerOf(handler: HttpHandler, event: object) {
  const answer = await handler({ headers: {}, ...event } as unknown as HttpEvent, { awsRequestId: 'i-1' } as Context);
  return { status: answer.statusCode, headers: answer.headers ?? {}, json: JSON.parse(answer.body ?? 'null') };
}

const search = (token: string, parameters: Record<string, string>) =>
  answerOf(data, {
    routeKey: 'GET /v3/data/{type}',
    rawQueryString: String(new URLSearchParams(parameters)),
    headers: { authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` },
    pathParameters: { type: 'businesses' },
    requestContext: { requestId: 'r-1', http: { method: 'GET' } },
  });

const searchOfPerson = (tenant: string, parameters: Record<string, string>) =>
  answerOf(management, {
    routeKey: 'GET /manage/v1/data/{type}',
    rawQueryString: String(new URLSearchParams(parameters)),
    pathParameters: { type: 'businesses' },
    requestContext: {
      requestId: 'r-1',
      http: { method: 'GET' },
      authorizer: { lambda: { tenant, operator: false, scopes: ['manage'], subject: 's' } },
    },
  });

/** A query for ten records of their own. */
const ten = (from: number) => Array.from({ length: 10 }, (_, i) => `n${from + i}`).join(' OR ');
const later = (millis: number) => vi.setSystemTime(Date.now() + millis);

describe('previews of a data token', () => {
  it('show no more different records a day than the setting allows, however the queries are cut', async () => {
    const { token } = await newToken();
    const seen = new Set<string>();
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < RECORDS; n += 1) {
      later(1_000);
      const { status, json } = await search(token, { q: `name:n${n}` });
      statuses.push(status);
      for (const record of json.records ?? []) seen.add(record.id);
    }
    expect(seen.size).toBe(RECORDS_PER_DAY);
    expect(statuses.filter((status) => status === 429)).toHaveLength(RECORDS - RECORDS_PER_DAY);
  });

  it('are refused with the time that is left of the day, and tell how many records are left', async () => {
    const { token } = await newToken();
    const first = await search(token, { q: `name:(${ten(0)})` });
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"burst";q=20;w=2, "records";q=25;w=86400',
      ratelimit: '"burst";r=19;t=1, "records";r=15;t=43200',
    });
    await search(token, { q: `name:(${ten(10)})` });
    const refused = await search(token, { q: `name:(${ten(20)})` });
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '43200', 'ratelimit-limit': '20' },
      json: { error: 'Too Many Requests', code: 429 },
    });
    expect(refused.json.message).toMatch(/at most 25 different records a day .*5 are left/);
    expect((await search(token, { q: `name:(${ten(20)})`, records: '5' })).status).toBe(200);
  });

  it('show again what was shown today, count at any time, and begin anew on the next day', async () => {
    const { token } = await newToken();
    for (const from of [0, 10]) await search(token, { q: `name:(${ten(from)})` });
    await search(token, { q: `name:(${ten(20)})`, records: '5' });
    later(1_000);
    expect((await search(token, { q: `name:(${ten(5)})` })).json.records).toHaveLength(10);
    expect((await search(token, { q: 'name:hotel', records: '0' })).json).toEqual({
      'estimated total': RECORDS,
      records: [],
    });
    expect((await search(token, { q: 'name:n59' })).status).toBe(429);
    vi.setSystemTime(Date.UTC(2026, 10, 26));
    expect((await search(token, { q: 'name:n59' })).status).toBe(200);
  });

  it('are twenty at once and ten a second, then 429 with Retry-After in the shape of this interface', async () => {
    const { token } = await newToken();
    const statuses: (number | undefined)[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await search(token, { q: 'name:n1' })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    const refused = await search(token, { q: 'name:n1' });
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-limit': '20', 'ratelimit-remaining': '0' });
    expect(refused.json).toEqual({
      error: 'Too Many Requests',
      message: expect.stringContaining('previews per second'),
      code: 429,
    });
    later(100);
    expect((await search(token, { q: 'name:n1' })).status).toBe(200);
    expect((await search((await newToken()).token, { q: 'name:n1' })).status).toBe(200);
  });

  it('limit no download, which is paid for', async () => {
    const { token } = await newToken(1_000);
    for (let n = 0; n < 21; n += 1) await search(token, { q: 'name:n1' });
    const started = await search(token, { q: 'name:hotel', download: 'true' });
    expect(started).toMatchObject({ status: 303, json: { numRequested: RECORDS } });
    expect(started.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-limit': '20' });
  });

  it('tell of the bucket in refusals too, and to nobody who is not identified', async () => {
    const { token } = await newToken();
    const bad = await search(token, { q: 'colour:red' });
    expect(bad).toMatchObject({ status: 400, headers: { 'ratelimit-limit': '20', 'ratelimit-remaining': '20' } });
    const unknown = await search('nobody', { q: 'name:n1' });
    expect(unknown.status).toBe(401);
    expect(unknown.headers).not.toHaveProperty('ratelimit-limit');
  });
});

describe('previews of a person', () => {
  it('are limited in the same way for the tenant as a whole, beside those of its tokens', async () => {
    const { token, tenant } = await newToken();
    for (const from of [0, 10]) expect((await searchOfPerson(tenant, { q: `name:(${ten(from)})` })).status).toBe(200);
    const refused = await searchOfPerson(tenant, { q: `name:(${ten(20)})` });
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '43200', 'content-type': 'application/problem+json' },
      json: { status: 429, code: 'preview-records-exceeded' },
    });
    expect((await search(token, { q: `name:(${ten(20)})` })).status).toBe(200);
  });
});
