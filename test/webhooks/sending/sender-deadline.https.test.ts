import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/webhooks/receiver.ts';
import { addresses, failureOf, head, receiver, requestTo, sender } from './sending-to.ts';

describe('the deadline', () => {
  const timeoutMillis = 300;

  it.each([
    ['an endpoint that says nothing', 'hang', undefined],
    ['a late answer', { status: 200, afterMillis: 5_000 }, undefined],
    ['headers that drip', { drip: { first: 'HTTP/1.1 200 OK\r\n', piece: 'x-a: b\r\n', everyMillis: 20 } }, undefined],
    [
      'a body that drips',
      { drip: { first: head('200 OK', 'Transfer-Encoding: chunked'), piece: '1\r\nx\r\n', everyMillis: 20 } },
      200,
    ],
    [
      'informational answers without end',
      { drip: { first: '', piece: head('102 Processing'), everyMillis: 20 } },
      undefined,
    ],
    [
      'trailers that drip',
      {
        drip: {
          first: `${head('200 OK', 'Transfer-Encoding: chunked')}1\r\nx\r\n0\r\n`,
          piece: 'x-a: b\r\n',
          everyMillis: 20,
        },
      },
      200,
    ],
  ] as [string, Answer, number | undefined][])('ends %s', async (_what, answer, statusCode) => {
    const endpoint = await receiver({ answer: () => answer });
    const result = await sender()(requestTo(endpoint.url, { timeoutMillis }));
    expect(endpoint.posts).toHaveLength(1);
    expect(failureOf(result)).toBe('timeout');
    expect(result.statusCode).toBe(statusCode);
  });

  it('ends a look-up that hangs, and one that answers later changes nothing', async () => {
    const later: ((list: ReturnType<typeof addresses>) => void)[] = [];
    const endpoint = await receiver();
    const send = sender({ resolveHost: () => new Promise((resolve) => later.push(resolve)) });
    const result = await send(requestTo(`https://localhost:${endpoint.port}`, { timeoutMillis }));
    expect(failureOf(result)).toBe('timeout');
    later[0]?.(addresses('127.0.0.1'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(endpoint.connections).toBe(0);
  });

  it('ends a TLS handshake that hangs', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const request = requestTo(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const result = await sender()({ ...request, timeoutMillis });
    expect(failureOf(result)).toBe('timeout');
    expect(result.timings).toHaveProperty('connectMillis');
    expect(result.timings).not.toHaveProperty('tlsMillis');
    silent.close();
  });

  it('ends a body that the endpoint does not read', async () => {
    const endpoint = await receiver({ answer: () => 'hang' });
    const result = await sender()(requestTo(endpoint.url, { body: Buffer.alloc(64_000_000), timeoutMillis: 50 }));
    expect(failureOf(result)).toBe('timeout');
  });
});
