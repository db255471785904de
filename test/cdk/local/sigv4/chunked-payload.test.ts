import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../../cdk/local/sigv4/canonical.ts';
import { decodeChunked } from '../../../../cdk/local/sigv4/chunked-payload.ts';

const key = Buffer.from('signing key');
const claim = {
  accessKeyId: 'A',
  scope: { date: '20260301', region: 'us-east-1', service: 's3' },
  timestamp: '20260301T120000Z',
  signedHeaders: ['host'],
  signature: 'a'.repeat(64),
  sessionToken: undefined,
  expiresSeconds: null,
};
const UNSIGNED = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const SIGNED = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';

function decode(framed: string | Buffer, type: string) {
  return decodeChunked(Buffer.from(framed), type, { key, claim });
}

/** Frames chunks the way the S3 documentation describes it. */
function framed(chunks: readonly string[], trailers: Readonly<Record<string, string>> = {}): string {
  let previous = claim.signature;
  const sign = (algorithm: string, ...rest: string[]) => {
    const text = [algorithm, claim.timestamp, '20260301/us-east-1/s3/aws4_request', ...rest].join('\n');
    return createHmac('sha256', key).update(text).digest('hex');
  };
  const parts = [...chunks, ''].map((chunk) => {
    previous = sign('AWS4-HMAC-SHA256-PAYLOAD', previous, sha256Hex(''), sha256Hex(chunk));
    const data = chunk === '' ? '' : `${chunk}\r\n`;
    return `${Buffer.byteLength(chunk).toString(16)};chunk-signature=${previous}\r\n${data}`;
  });
  const lines = Object.entries(trailers).map(([name, value]) => `${name}:${value}\n`);
  const trailer =
    lines.length === 0
      ? ''
      : `${lines.join('').replaceAll('\n', '\r\n')}x-amz-trailer-signature:${sign('AWS4-HMAC-SHA256-TRAILER', previous, sha256Hex(lines.join('')))}\r\n`;
  return `${parts.join('')}${trailer}\r\n`;
}

describe('an aws-chunked body', () => {
  test('is joined, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 50 }), { maxLength: 5 }), (chunks) => {
        expect(decode(framed(chunks), SIGNED).body.toString()).toBe(chunks.join(''));
      }),
    );
  });

  test('brings its trailing headers', () => {
    const { body, trailers } = decode('5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n', UNSIGNED);
    expect(body.toString()).toBe('hello');
    expect(trailers).toEqual({ 'x-amz-checksum-crc32': 'NhCmhg==' });
  });

  test('with signed trailing headers is verified to the end', () => {
    const whole = framed(['hello'], { 'x-amz-checksum-crc32': 'NhCmhg==' });
    expect(decode(whole, `${SIGNED}-TRAILER`).trailers).toEqual({ 'x-amz-checksum-crc32': 'NhCmhg==' });
    expect(() => decode(whole.replace('NhCmhg==', 'AAAAAA=='), `${SIGNED}-TRAILER`)).toThrow(/signature of a chunk/);
  });

  test('is refused when a chunk was changed, swapped or left out', () => {
    const whole = framed(['first', 'other', 'third']);
    const [first = '', other = '', rest = ''] = whole.split(/(?<=first\r\n|other\r\n)/);
    expect(() => decode(whole.replace('first', 'fir5t'), SIGNED)).toThrow(/signature of a chunk/);
    expect(() => decode(other + first + rest, SIGNED)).toThrow(/signature of a chunk/);
    expect(() => decode(first + rest, SIGNED)).toThrow(/signature of a chunk/);
    expect(() => decode('5\r\nhello\r\n0\r\n\r\n', SIGNED)).toThrow(/signature of a chunk/);
  });

  test('is refused when it ends early', () => {
    expect(() => decode('5\r\nhel', UNSIGNED)).toThrow(/not a complete/);
    expect(() => decode('5\r\nhello\r\n', UNSIGNED)).toThrow(/not a complete/);
    expect(() => decode('', UNSIGNED)).toThrow(/not a complete/);
  });
});
