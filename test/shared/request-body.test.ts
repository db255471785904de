import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type HttpEvent, httpHandler, ok } from '../../shared/http/http-handler.ts';
import { managementApi } from '../../shared/http/management-api.ts';
import { textOf } from '../../shared/http/request-body.ts';
import { presentLoyaltyError } from '../../shared/loyalty/loyalty-error.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const lines = loggedLines();
afterEach(() => void lines());

const MIB = 1024 * 1024;

const event = (encoding: string | undefined, body: Uint8Array | string) =>
  ({
    routeKey: 'POST /x',
    rawQueryString: '',
    headers: encoding === undefined ? {} : { 'content-encoding': encoding },
    body: typeof body === 'string' ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: typeof body !== 'string',
    requestContext: { requestId: 'r-1', http: { method: 'POST' } },
  }) as unknown as HttpEvent;

const refusal = (status: number) => expect.objectContaining({ status });

describe('the body of a request', () => {
  it('is the same text, as it is and as gzip', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const plain = Buffer.from(text);
        expect(textOf(event(undefined, plain))).toBe(text);
        expect(textOf(event('identity', plain))).toBe(text);
        const zipped = gzipSync(plain);
        if (plain.length > 10 * zipped.length) return;
        expect(textOf(event('gzip', zipped))).toBe(text);
        expect(textOf(event(' X-GZip ', zipped))).toBe(text);
      }),
    );
  });

  it('is left as it is where the gateway has inflated it already', () => {
    expect(textOf(event('gzip', '{"a":1}'))).toBe('{"a":1}');
    expect(textOf(event('gzip', Buffer.from('{"a":1}')))).toBe('{"a":1}');
    expect(textOf({ headers: { 'content-encoding': 'gzip' } } as unknown as HttpEvent)).toBeUndefined();
  });

  it('may expand to ten times its size and no more, whatever size it declares', () => {
    const text = (length: number) => `${randomBytes(600).toString('hex')}${'a'.repeat(length)}`;
    expect(textOf(event('gzip', gzipSync(text(4_000))))).toHaveLength(5_200);
    expect(() => textOf(event('gzip', gzipSync(text(40_000))))).toThrow(refusal(413));
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    const before = process.memoryUsage().arrayBuffers;
    expect(() => textOf(event('gzip', bomb))).toThrow(refusal(413));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MIB);
  });

  it('may become 10 MiB, and not more', () => {
    const half = randomBytes(4 * MIB).toString('hex');
    expect(textOf(event('gzip', gzipSync(half, { level: 1 })))).toHaveLength(8 * MIB);
    expect(() => textOf(event('gzip', gzipSync(`${half}${half}`, { level: 1 })))).toThrow(refusal(413));
  });

  it('that is broken, or in another encoding, is refused', () => {
    const zipped = gzipSync('{"a":1}');
    for (const broken of [zipped.subarray(0, 15), Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)])]) {
      expect(() => textOf(event('gzip', broken))).toThrow(refusal(400));
    }
    expect(() => textOf(event('gzip', zipped.toString('utf8')))).toThrow(refusal(400));
    for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'compress', '*']) {
      expect(() => textOf(event(encoding, brotliCompressSync('{}')))).toThrow(refusal(415));
    }
  });
});

describe('an encoding that is not supported', () => {
  const body = z.unknown();
  const context = { awsRequestId: 'invocation-1' } as Context;

  it('is a 415 in the shape of its interface, which says what is', async () => {
    const anyone = { identify: () => undefined };
    const managed = httpHandler({ ...anyone, present: managementApi.present }, { body }, () => ok({}));
    const loyal = httpHandler({ ...anyone, present: presentLoyaltyError }, { body }, () => ok({}));
    for (const handler of [managed, loyal]) {
      const { statusCode, headers } = await handler(event('br', '{}'), context);
      expect([statusCode, headers?.['accept-encoding']]).toEqual([415, 'gzip']);
    }
    expect((await managed(event('br', '{}'), context)).body).toContain('"code":"unsupported-media-type"');
    expect((await loyal(event('br', '{}'), context)).body).toContain('"code":"unsupported_media_type"');
  });
});
