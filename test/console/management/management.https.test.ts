import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { managementApi } from '../../../functions/console/management/management.https.ts';
import { ManagementFailure } from '../../../functions/console/management/management.ts';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const replies: Reply[] = [];
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const reply = replies.shift();
    if (reply) reply(request, response);
    else response.end('{"id": "x"}');
  });
});
let apiUrl = '';
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  replies.length = 0;
  seen.length = 0;
});

const Id = z.object({ id: z.string() });
const api = (actsFor?: string) =>
  managementApi({ apiUrl, idToken: 'the-token', actsFor, requestId: 'request-1', address: '203.0.113.9' });
const status =
  (code: number, body = ''): Reply =>
  (_request, response) =>
    response.writeHead(code).end(body);
const drop: Reply = (request) => request.socket.destroy();
const failureOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ManagementFailure)) throw new Error(`Not a failure: ${String(error)}`);
  return error;
};

describe('the management API, as the console calls it', () => {
  it('gets the token of the person, and the tenant where an operator acts for one', async () => {
    expect(await api().get('runs', Id, { limit: '5', cursor: '', module: undefined })).toEqual({ id: 'x' });
    await api('acme').get('runs', Id, { limit: '5' });
    expect(seen.map(({ url }) => url)).toEqual(['/manage/v1/runs?limit=5', '/manage/v1/runs?limit=5&tenant=acme']);
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer the-token', 'x-console-request': 'request-1' });
    expect(seen[0]?.headers['x-console-address']).toBe('203.0.113.9');
  });

  it('is sent JSON', async () => {
    await api().send({ method: 'PUT', path: 'rules/1', body: { enabled: true } }, Id);
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/manage/v1/rules/1', body: '{"enabled":true}' });
    expect(seen[0]?.headers['content-type']).toBe('application/json');
  });

  it.each([status(502), status(503), status(504), drop])(
    'is asked once more after a failure on the way',
    async (reply) => {
      replies.push(reply);
      expect(await api().get('runs', Id)).toEqual({ id: 'x' });
      expect(seen).toHaveLength(2);
    },
  );

  it('is asked no third time', async () => {
    replies.push(drop, drop);
    expect(await failureOf(api().get('runs', Id))).toMatchObject({ status: 502, code: 'unreachable' });
    expect(seen).toHaveLength(2);
  });

  it.each([status(503, 'busy'), drop])('is never sent the same twice', async (reply) => {
    replies.push(reply);
    const failure = await failureOf(api().send({ method: 'POST', path: 'runs/1/replay' }, Id));
    expect([502, 503]).toContain(failure.status);
    expect(seen).toHaveLength(1);
  });

  it('says in its own words why it refuses', async () => {
    const problem = { code: 'in-use', detail: 'Two rules use it.', instance: 'urn:request:r-7', status: 409 };
    replies.push(status(409, JSON.stringify(problem)));
    const { status: code, requestId, detail, message } = await failureOf(api().get('x', Id));
    expect([code, requestId, detail]).toEqual([409, 'r-7', 'Two rules use it.']);
    expect(message).not.toContain('the-token');
  });

  it('does not take the token to another place', async () => {
    replies.push((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    replies.push((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect(await failureOf(api().get('x', Id))).toMatchObject({ status: 502 });
  });
});
