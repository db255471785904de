import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AUDIT_MILLIS, actionOf } from '../../../shared/audit/audit-line.ts';
import { auditWriter } from '../../../shared/audit/audit-writer.dynamodb.ts';
import { recordedBy } from '../../../shared/audit/audited.dynamodb.ts';
import type { Identity } from '../../../shared/auth/management-caller.ts';
import { Refusal } from '../../../shared/errors.ts';
import { type HttpEvent, httpHandler, json, noContent } from '../../../shared/http/http-handler.ts';
import { managementApi, tenantApi } from '../../../shared/http/management-api.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { failingDynamoDb } from '../../support/faults/failing-dynamodb.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'audit');
});
afterAll(() => endpoint.close());
const logged = loggedLines();
afterEach(() => void logged());

const PERSON: Identity = {
  tenant: 'acme',
  operator: false,
  scopes: ['manage'],
  subject: 'sub-1',
  name: 'dana',
  credential: 'person',
};
const OPERATOR: Identity = { ...PERSON, tenant: '', operator: true, subject: 'sub-op', name: 'olga' };
const CONTEXT = { awsRequestId: 'invocation-1' } as Context;

let requests = 0;
interface Request {
  readonly route?: string;
  readonly identity?: Identity;
  readonly path?: Record<string, string>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}
function eventOf(request: Request = {}): HttpEvent {
  const { route = 'POST /manage/v1/rules', identity = PERSON, path, query = '', body = {}, headers = {} } = request;
  requests += 1;
  return {
    routeKey: route,
    rawQueryString: query,
    headers,
    pathParameters: path,
    body: JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: `request-${requests}`,
      http: { method: route.split(' ')[0], sourceIp: '203.0.113.9' },
      authorizer: { lambda: identity },
    },
  } as unknown as HttpEvent;
}

/** What is stored of the newest request. */
async function stored(): Promise<Record<string, unknown> | undefined> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return Items.map((item) => unmarshall(item)).find(({ requestId }) => requestId === `request-${requests}`);
}

const api = () => recordedBy(tenantApi, auditWriter(table));
const made = () => json(201, { id: 'rule_1', secret: 'shown-once' });

describe('a change through the management API', () => {
  it('has its line before it is made, and the outcome after that', async () => {
    const before: unknown[] = [];
    const handler = httpHandler(api(), {}, async () => {
      before.push(await stored());
      return made();
    });
    const identity: Identity = { ...PERSON, operator: true };
    expect((await handler(eventOf({ identity, query: 'tenant=other' }), CONTEXT)).statusCode).toBe(201);
    const line = {
      pk: 'AUDIT#other',
      tenant: 'other',
      actor: { kind: 'person', id: 'sub-1', name: 'dana', isOperator: true },
      action: 'rules.create',
      route: 'POST /manage/v1/rules',
      target: {},
      fields: [],
      address: '203.0.113.9',
      isConsole: false,
    };
    expect(before).toEqual([expect.objectContaining(line)]);
    expect(before[0]).not.toHaveProperty('outcome');
    const after = await stored();
    expect(after).toMatchObject({ ...line, outcome: 'done', status: 201, createdId: 'rule_1' });
    const { time, ttl } = after as { time: string; ttl: number };
    expect(ttl).toBe(Math.ceil((Date.parse(time) + AUDIT_MILLIS) / 1_000));
  });

  it.each([
    ['refused', 409, () => new Refusal(409, 'in-use', 'Somebody uses it.')],
    ['failed', 500, () => new Error('a bug')],
  ])('that is %s is recorded as such', async (outcome, status, error) => {
    const handler = httpHandler(api(), {}, () => {
      throw error();
    });
    expect((await handler(eventOf(), CONTEXT)).statusCode).toBe(status);
    expect(await stored()).toMatchObject({ outcome, status });
  });

  it('whose function dies leaves a line without an outcome', async () => {
    const handler = httpHandler(api(), {}, () => new Promise<never>(() => {}));
    void handler(eventOf(), CONTEXT);
    await expect.poll(stored).toMatchObject({ action: 'rules.create' });
    expect(await stored()).not.toHaveProperty('outcome');
  });

  it('is not made if its line cannot be written, and the caller may try again', async () => {
    const failing = await failingDynamoDb();
    failing.state.ending = { status: 400, error: 'ThrottlingException' };
    let changes = 0;
    const surface = recordedBy(tenantApi, auditWriter({ name: 'audit', client: failing.client }));
    const handler = httpHandler(surface, {}, () => {
      changes += 1;
      return made();
    });
    const { statusCode, headers, body } = await handler(eventOf(), CONTEXT);
    expect([changes, statusCode, headers?.['retry-after']]).toEqual([0, 503, '5']);
    expect(JSON.parse(body ?? '')).toMatchObject({ code: 'unavailable' });
    await failing.close();
  });

  it('stands if its outcome cannot be written: the caller gets the answer, and the fault is counted', async () => {
    const surface = recordedBy(tenantApi, {
      begin: async (line, now) => {
        const { end } = await auditWriter(table).begin(line, now);
        await table.client.send(
          new DeleteItemCommand({
            TableName: table.name,
            Key: { pk: { S: 'AUDIT#acme' }, sk: { S: String((await stored())?.['sk']) } },
          }),
        );
        return { end };
      },
    });
    const handler = httpHandler(surface, {}, made);
    expect((await handler(eventOf(), CONTEXT)).statusCode).toBe(201);
    expect(logged()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message: 'end of a change not recorded' }),
        expect.objectContaining({ Faults: 1 }),
      ]),
    );
    expect(await stored()).toBeUndefined();
  });

  it('leaves no text of any field in the table: names, of fields that the request states and the schema knows, and plain values', async () => {
    const body = z
      .object({
        name: z.string(),
        authentication: z.object({ token: z.string() }),
        limit: z.number().default(7),
        points: z.number(),
        active: z.boolean(),
        role: z.enum(['viewer']),
      })
      .partial();
    const handler = httpHandler(api(), { body }, ({ body: { authentication } }) =>
      json(201, { id: 'x', key: authentication?.token }),
    );
    const secret = fc.stringMatching(/^[A-Za-z0-9]{24}$/);
    await fc.assert(
      fc.asyncProperty(secret, secret, async (name, token) => {
        const plain = { points: 25, active: false, role: 'viewer' };
        await handler(eventOf({ body: { name, authentication: { token }, [token]: name, ...plain } }), CONTEXT);
        const line = await stored();
        expect(line).toMatchObject({
          fields: ['name', 'authentication', 'points', 'active', 'role'],
          values: { points: '25', active: 'false', role: 'viewer' },
        });
        const text = JSON.stringify(line);
        expect(text).not.toContain(token);
        expect(text).not.toContain(name);
      }),
      { numRuns: 10 },
    );
  });

  it('has amounts, times and what a schema gathers as they were sent, and no other text of such a name', async () => {
    const body = z
      .object({
        status: z.enum(['valid', 'invalid']),
        from: z.iso.datetime().transform((text) => Date.parse(text)),
        amount: z.string(),
        mode: z.string(),
      })
      .transform(({ status, ...rest }) => ({ verdict: { status }, ...rest }));
    const handler = httpHandler(api(), { body }, () => json(201, {}));
    const sent = { status: 'valid', from: '2026-11-01T00:00:00Z', amount: '75.00' };
    await handler(eventOf({ body: { ...sent, mode: 'a text, with spaces' } }), CONTEXT);
    const line = await stored();
    expect(line?.['values']).toEqual(sent);
    expect(line?.['fields']).toEqual(expect.arrayContaining(['status', 'from', 'amount', 'mode']));
  });

  it('is none if the request only reads, or if its input is refused', async () => {
    const reading = httpHandler(api(), {}, () => noContent());
    expect((await reading(eventOf({ route: 'GET /manage/v1/rules' }), CONTEXT)).statusCode).toBe(204);
    expect(await stored()).toBeUndefined();
    const strict = httpHandler(api(), { body: z.strictObject({ name: z.string() }) }, made);
    expect((await strict(eventOf({ body: {} }), CONTEXT)).statusCode).toBe(400);
    expect(await stored()).toBeUndefined();
  });
});

describe('the log that shows a change', () => {
  const accounts = httpHandler(
    recordedBy(managementApi, { begin: (line, now) => auditWriter(table).begin(line, now) }),
    {},
    () => noContent(),
  );
  const plan = { route: 'PUT /manage/v1/accounts/{id}/plan', path: { id: 'other' } };

  it.each([
    ['of a tenant that names another one is its own', { ...plan, identity: PERSON }, 'acme'],
    ['of an operator is that of the account in the path', { ...plan, identity: OPERATOR }, 'other'],
    [
      'of an operator who names no account is that of none',
      { route: 'POST /manage/v1/accounts', identity: OPERATOR },
      '',
    ],
    [
      'of an operator with a tenant is not that tenant’s',
      { route: 'POST /manage/v1/accounts', identity: { ...OPERATOR, tenant: 'acme' } as Identity },
      '',
    ],
    ['of a path that is no id is that of none', { ...plan, path: { id: 'a#b' }, identity: OPERATOR }, ''],
  ])('%s', async (_whose, request, tenant) => {
    await accounts(eventOf(request), CONTEXT);
    expect(await stored()).toMatchObject({ pk: `AUDIT#${tenant}`, tenant });
  });

  it('names the key where no person has called', async () => {
    const { name: _, ...key } = { ...PERSON, subject: 'key-1', credential: 'key' as const };
    await accounts(eventOf({ ...plan, identity: key }), CONTEXT);
    expect(await stored()).toMatchObject({ actor: { kind: 'key', id: 'key-1', isOperator: false } });
  });

  it.each([
    ['is believed of a token of the console', { isConsole: true }, '198.51.100.7', '198.51.100.7'],
    ['is not believed of another token', { isConsole: false }, '198.51.100.7', '203.0.113.9'],
    ['is not believed of a key', { credential: 'key' as const }, '198.51.100.7', '203.0.113.9'],
    ['is left out if it is no address', { isConsole: true }, '<script>', '203.0.113.9'],
  ])('has an address of the browser that %s', async (_how, change, header, address) => {
    await accounts(
      eventOf({ identity: { ...PERSON, ...change } as Identity, headers: { 'x-console-address': header } }),
      CONTEXT,
    );
    expect(await stored()).toMatchObject({ address });
  });
});

describe('the action of a route', () => {
  it.each([
    ['POST /manage/v1/accounts', 'accounts.create'],
    ['DELETE /manage/v1/accounts/{id}/management-keys/{keyId}', 'accounts.management-keys.delete'],
    ['PUT /manage/v1/accounts/{id}/plan', 'accounts.plan.replace'],
    ['PATCH /manage/v1/loyalty/apps/{id}', 'loyalty.apps.change'],
    ['POST /manage/v1/runs/{id}/replay', 'runs.replay.create'],
  ])('%s is %s', (route, action) => expect(actionOf(route)).toBe(action));
});
