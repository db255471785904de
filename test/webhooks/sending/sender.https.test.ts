import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type OutgoingRequest,
  RESPONSE_BYTES_MAX,
  type SendResult,
} from '../../../functions/webhooks/sending/sending.ts';
import type { Answer } from '../../support/webhooks/receiver.ts';
import { addresses, failureOf, head, receiver, requestTo, sender, textOf } from './sending-to.ts';

/** The result of one POST that is answered so. */
async function resultOf(answer: Answer, changes: Partial<OutgoingRequest> = {}): Promise<SendResult> {
  const endpoint = await receiver();
  endpoint.will(answer);
  const result = await sender()(requestTo(endpoint.url, changes));
  expect(endpoint.posts).toHaveLength(1);
  return result;
}

describe('a request', () => {
  it('goes out as one POST, its headers in order and its body to the byte', async () => {
    const endpoint = await receiver();
    const body = Buffer.from('{"n":12345678901234567890,"s":"é\\u0000\u{1f600}"}');
    const result = await sender()(
      requestTo(`${endpoint.url}/a/b?c=d%20e`, {
        headers: [
          ['Content-Type', 'application/json'],
          ['X-Ünïcode'.replace(/[^X-]/g, 'u'), 'é'],
          ['x-api-key', 'k'],
        ],
        body,
      }),
    );
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, body: { isTruncated: false } });
    expect(endpoint.posts).toHaveLength(1);
    const [post] = endpoint.posts;
    expect(post?.path).toBe('/a/b?c=d%20e');
    expect(post?.body.equals(body)).toBe(true);
    expect(post?.rawHeaders).toEqual([
      'Host',
      `127.0.0.1:${endpoint.port}`,
      'Content-Type',
      'application/json',
      'X-uuuuuuu',
      'é',
      'x-api-key',
      'k',
      'Content-Length',
      String(body.length),
      'Connection',
      'keep-alive',
    ]);
  });

  it('that is large arrives whole', async () => {
    const endpoint = await receiver();
    const body = Buffer.alloc(1024 * 1024, 'x');
    expect(await sender()(requestTo(endpoint.url, { body }))).toMatchObject({ kind: 'answered' });
    expect(endpoint.posts[0]?.body.equals(body)).toBe(true);
  });

  it.each([
    ['a line break in a value', 'X-A', 'a\r\nX-B: b'],
    ['NUL', 'X-A', 'a\0'],
    ['characters above Latin-1', 'X-A', 'Łódź'],
    ['an invalid name', 'X A', 'a'],
    ['a value that is too long', 'X-A', 'a'.repeat(8 * 1024 + 1)],
  ])('with %s is not sent', async (_what, name, value) => {
    const endpoint = await receiver();
    const result = await sender()(requestTo(endpoint.url, { headers: [[name, value]] }));
    expect(failureOf(result)).toBe('invalid_request');
    expect(endpoint.connections).toBe(0);
  });

  it('reports how long each phase took', async () => {
    const endpoint = await receiver();
    const send = sender({ resolveHost: () => Promise.resolve(addresses('127.0.0.1')) });
    const request = requestTo(`https://localhost:${endpoint.port}`);
    const number = expect.any(Number) as number;
    const [first, second] = [await send(request), await send(request)];
    expect(first.timings).toEqual({
      dnsMillis: number,
      connectMillis: number,
      tlsMillis: number,
      firstByteMillis: number,
      totalMillis: number,
    });
    expect(second.timings).toEqual({ dnsMillis: number, firstByteMillis: number, totalMillis: number });
    const literal = await send(requestTo(endpoint.url, { connectionGroup: 'another' }));
    expect(literal.timings).not.toHaveProperty('dnsMillis');
  });
});

describe('an answer', () => {
  it.each([200, 204, 299, 304, 404, 410, 500, 503])('%i is a result like any other', async (status) => {
    const result = await resultOf({ status, headers: { 'Retry-After': '1' } });
    expect(result).toMatchObject({ kind: 'answered', statusCode: status });
  });

  it.each([301, 302, 303, 307, 308])('%i that redirects is not followed', async (status) => {
    const elsewhere = await receiver();
    const result = await resultOf({ status, headers: { Location: elsewhere.url }, body: 'moved' });
    expect(result).toMatchObject({ kind: 'answered', statusCode: status });
    expect(textOf(result)).toBe('moved');
    expect(elsewhere.connections).toBe(0);
  });

  it('is kept as received, compressed if it came so', async () => {
    const zipped = gzipSync(Buffer.alloc(10_000_000));
    expect(zipped.length).toBeLessThan(RESPONSE_BYTES_MAX);
    const result = await resultOf({ status: 200, headers: { 'Content-Encoding': 'gzip' }, body: zipped });
    expect(Buffer.from(result.body?.bytes ?? []).equals(zipped)).toBe(true);
  });

  it.each([
    ['with a length', { 'Content-Length': '16384' }],
    ['in chunks', {}],
  ])('of exactly 16 KiB, %s, is whole', async (_how, headers) => {
    const body = 'x'.repeat(RESPONSE_BYTES_MAX);
    const result = await resultOf({ status: 200, headers, body });
    expect(result).toMatchObject({ kind: 'answered', body: { isTruncated: false } });
    expect(textOf(result)).toBe(body);
  });

  it.each([RESPONSE_BYTES_MAX + 1, 5_000_000])('of %i bytes is cut at 16 KiB and counts', async (bytes) => {
    const result = await resultOf({ status: 200, body: 'x'.repeat(bytes) });
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, body: { isTruncated: true } });
    expect(result.body?.bytes).toHaveLength(RESPONSE_BYTES_MAX);
  });

  it('that never ends counts when it has filled 16 KiB', async () => {
    const first = `${head('200 OK', 'Transfer-Encoding: chunked')}4000\r\n${'x'.repeat(RESPONSE_BYTES_MAX)}\r\n`;
    const result = await resultOf({ raw: first }, { timeoutMillis: 300 });
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, body: { isTruncated: true } });
    const flood = await resultOf({ drip: { first, piece: `1000\r\n${'y'.repeat(4096)}\r\n`, everyMillis: 1 } });
    expect(flood).toMatchObject({ kind: 'answered', body: { isTruncated: true } });
    expect(textOf(flood)).toBe('x'.repeat(RESPONSE_BYTES_MAX));
  });

  it('without a length ends with its connection', async () => {
    const result = await resultOf({ raw: `${head('200 OK')}abc`, thenClose: true });
    expect(result).toMatchObject({ kind: 'answered', statusCode: 200, body: { isTruncated: false } });
    expect(textOf(result)).toBe('abc');
  });

  it.each([
    ['its length', `${head('200 OK', 'Content-Length: 10')}abc`],
    ['its last chunk', `${head('200 OK', 'Transfer-Encoding: chunked')}3\r\nabc\r\n`],
  ])('that breaks off before %s is a failure, with what came', async (_what, raw) => {
    const result = await resultOf({ raw, thenClose: true });
    expect(result).toMatchObject({
      kind: 'not-answered',
      failure: 'connection_closed',
      statusCode: 200,
      body: { isTruncated: true },
    });
    expect(textOf(result)).toBe('abc');
  });

  it.each([
    ['a connection that is reset', 'drop', 'connection_closed'],
    ['nothing', { raw: '', thenClose: true }, 'connection_closed'],
    ['half of its headers', { raw: 'HTTP/1.1 200 OK\r\nX-A', thenClose: true }, 'connection_closed'],
    ['no HTTP', { raw: 'SSH-2.0-OpenSSH_9.6\r\n' }, 'invalid_response'],
    ['HTTP/2', { raw: '\0\0\x12\x04\0\0\0\0\0' }, 'invalid_response'],
    ['two lengths', { raw: head('200 OK', 'Content-Length: 1', 'Content-Length: 2') }, 'invalid_response'],
    ['headers of more than 16 KiB', { raw: head('200 OK', `X-A: ${'a'.repeat(17_000)}`) }, 'invalid_response'],
    [
      'switched protocols',
      { raw: head('101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: x') },
      'invalid_response',
    ],
    ['switched protocols, to none', { raw: head('101 Switching Protocols') }, 'invalid_response'],
    ['an invalid chunk', { raw: `${head('200 OK', 'Transfer-Encoding: chunked')}zz\r\n` }, 'invalid_response'],
  ] as [string, Answer, string][])('that is %s is a failure', async (_what, answer, failure) => {
    expect(failureOf(await resultOf(answer))).toBe(failure);
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])('%s is not the final answer', async (status) => {
    const result = await resultOf({ raw: `${head(status)}${head('201 Created', 'Content-Length: 2')}ok` });
    expect(result).toMatchObject({ kind: 'answered', statusCode: 201 });
    expect(textOf(result)).toBe('ok');
  });
});
