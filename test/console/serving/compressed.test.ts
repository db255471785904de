import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { httpResult } from '../../../functions/console/serving/compressed.ts';

const TEXT = 'A page of text. '.repeat(500);
const bytes = Buffer.from(TEXT);
const result = (accepts: string | undefined, content: Uint8Array = bytes) =>
  httpResult({ status: 200, headers: {}, bytes: content, accepts });

describe('an answer', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['BR', 'br'],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
    ['*', undefined],
  ])('to a browser that accepts %j comes as %j', (accepts, encoding) => {
    const { headers, body = '' } = result(accepts);
    expect(headers?.['content-encoding']).toBe(encoding);
    expect(headers?.['vary']).toBe('accept-encoding');
    const sent = Buffer.from(body, 'base64');
    const open = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((all: Buffer) => all);
    expect(open(sent).toString()).toBe(TEXT);
    if (encoding) expect(sent.byteLength).toBeLessThan(bytes.byteLength / 10);
  });

  it('that is short stays as it is', () => {
    expect(result('br', Buffer.from('short')).headers?.['content-encoding']).toBeUndefined();
  });
});
