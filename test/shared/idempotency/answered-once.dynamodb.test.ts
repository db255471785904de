import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../../shared/errors.ts';
import { created, type HttpEvent, httpHandler } from '../../../shared/http/http-handler.ts';
import { tenantApi } from '../../../shared/http/management-api.ts';
import { answerStore } from '../../../shared/idempotency/answer-store.dynamodb.ts';
import { answeredOnce } from '../../../shared/idempotency/answered-once.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { failingDynamoDb } from '../../support/faults/failing-dynamodb.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());
const logged = loggedLines();
afterEach(() => void logged());

const NOW = Date.parse('2026-11-26T12:00:00Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => void vi.useRealTimers());

const CONTEXT = { awsRequestId: 'invocation-1' } as Context;
const IDENTITY = { tenant: 'acme', operator: false, scopes: ['manage'], subject: 'sub-1', credential: 'person' };

interface Request {
  readonly key?: string;
  readonly credential?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: string;
}
let requests = 0;
function eventOf({ key, credential = 'Bearer one', path = '/keys', query = '', body = '{}' }: Request): HttpEvent {
  requests += 1;
  return {
    routeKey: 'POST /manage/v1/keys',
    rawQueryString: query,
    headers: { authorization: credential, ...(key !== undefined && { 'idempotency-key': key }) },
    body,
    isBase64Encoded: false,
    requestContext: {
      requestId: `request-${requests}`,
      http: { method: 'POST', path, sourceIp: '203.0.113.9' },
      authorizer: { lambda: IDENTITY },
    },
  } as unknown as HttpEvent;
}

/** An API that makes one thing at each request, with a secret that it shows once. */
function maker({ on = table, fails }: { on?: Table; fails?: () => Error | undefined } = {}) {
  let calls = 0;
  const surface = {
    ...tenantApi,
    record: async () => async () => {},
    once: answeredOnce(answerStore(on, 20_000)),
  };
  const handler = httpHandler(surface, {}, async () => {
    const failure = fails?.();
    if (failure) throw failure;
    calls += 1;
    return created({ id: `thing-${calls}`, secret: `secret-${calls}` }, `/manage/v1/keys/thing-${calls}`);
  });
  return {
    calls: () => calls,
    send: async (request: Request) => {
      const { statusCode, headers = {}, body = '' } = await handler(eventOf(request), CONTEXT);
      return { status: statusCode, headers, json: JSON.parse(body) };
    },
  };
}

let keys = 0;
const newKey = () => `key-${(keys += 1)}`;

describe('a request with an idempotency key', () => {
  it('that is sent again gets the first answer with its headers, and makes nothing', async () => {
    const { calls, send } = maker();
    const key = newKey();
    const first = await send({ key });
    const again = await send({ key });
    expect(first).toMatchObject({ status: 201, json: { id: 'thing-1', secret: 'secret-1' } });
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    expect(again.headers).toMatchObject({ location: '/manage/v1/keys/thing-1' });
    expect(calls()).toBe(1);
    vi.setSystemTime(NOW + 86_401_000);
    expect((await send({ key })).json.id).toBe('thing-2');
  });

  it('has one effect when the request is sent many times concurrently', async () => {
    const { calls, send } = maker();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send({ key })));
    expect(calls()).toBe(1);
    for (const { status, json, headers } of answers.filter(({ status }) => status !== 201)) {
      expect([status, json.code, headers['retry-after']]).toEqual([409, 'idempotency-in-progress', '1']);
    }
  });

  it('is another request for another credential, path, query or key, and refused with another body', async () => {
    const { calls, send } = maker();
    const key = newKey();
    await send({ key });
    const others = [{ credential: 'Bearer two' }, { path: '/others' }, { query: 'again=1' }];
    for (const other of others) expect((await send({ key, ...other })).status).toBe(201);
    expect(calls()).toBe(4);
    expect(await send({ key, body: '{"a":1}' })).toMatchObject({
      status: 422,
      json: { code: 'idempotency-key-reused' },
    });
    for (const unreadable of ['', 'a b', 'x'.repeat(256), '"']) {
      expect(await send({ key: unreadable })).toMatchObject({ status: 400, json: { code: 'invalid-input' } });
    }
    await send({});
    expect(calls()).toBe(5);
  });

  it.each([
    ['was refused', () => new Refusal(409, 'name-taken', 'The name is taken.'), 409],
    ['failed', () => new Error('broken'), 500],
  ])('that %s may be sent again', async (_what, failure, status) => {
    let fails = true;
    const { calls, send } = maker({ fails: () => (fails ? failure() : undefined) });
    const key = newKey();
    expect((await send({ key })).status).toBe(status);
    fails = false;
    expect((await send({ key })).status).toBe(201);
    expect(calls()).toBe(1);
  });

  it('of a function that died is taken for under way for a minute, and may then be sent again', async () => {
    const { send } = maker();
    const key = newKey();
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const dead = httpHandler(
      { ...tenantApi, record: async () => async () => {}, once: answeredOnce(answerStore(table, 20_000)) },
      {},
      () => {
        begun();
        return new Promise<never>(() => {});
      },
    );
    void dead(eventOf({ key }), CONTEXT);
    await hasBegun;
    expect((await send({ key })).json.code).toBe('idempotency-in-progress');
    vi.setSystemTime(NOW + 60_001);
    expect((await send({ key })).status).toBe(201);
  });

  it('makes nothing while the table cannot tell whether it was sent before', async () => {
    const failing = await failingDynamoDb();
    failing.state.ending = { status: 400, error: 'ThrottlingException' };
    const { calls, send } = maker({ on: { name: 'accounts', client: failing.client } });
    expect(await send({ key: newKey() })).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    expect(calls()).toBe(0);
    await failing.close();
  });

  it('leaves nothing of its answer, its key or its credential in the table that can be read', async () => {
    const { send } = maker();
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[!#-[\]-~]{8,40}$/), async (key) => {
        await send({ key, credential: `Bearer credential-${key}` });
        const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
        const text = JSON.stringify(
          Items.map((item) => unmarshall(item)),
          (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value),
        );
        for (const secret of ['secret-', 'thing-', 'credential-', key]) expect(text).not.toContain(secret);
      }),
      { numRuns: 20 },
    );
  });
});
