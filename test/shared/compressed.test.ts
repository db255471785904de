import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressed, tagged } from '../../shared/http/compressed.ts';

const TEXT = 'A page of text. '.repeat(500);
const bytes = Buffer.from(TEXT);
const result = (accepts: string | undefined, body = TEXT, type = 'text/html') =>
  compressed(
    { headers: accepts === undefined ? {} : { 'accept-encoding': accepts } },
    { statusCode: 200, headers: { 'content-type': type }, body },
  );

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
    const sent = Buffer.from(body, encoding ? 'base64' : 'utf8');
    const open = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((all: Buffer) => all);
    expect(open(sent).toString()).toBe(TEXT);
    if (encoding) expect(sent.byteLength).toBeLessThan(bytes.byteLength / 10);
  });

  it('that is short stays as it is', () => {
    expect(result('br', 'short').headers?.['content-encoding']).toBeUndefined();
  });

  it.each(['font/woff2', 'image/png'])('of the type %s stays as it is: its bytes are compressed already', (type) => {
    expect(result('br', TEXT, type).headers?.['content-encoding']).toBeUndefined();
  });

  it('in base64 is compressed as its bytes', () => {
    const { body = '' } = compressed(
      { headers: { 'accept-encoding': 'gzip' } },
      { statusCode: 200, headers: {}, body: bytes.toString('base64'), isBase64Encoded: true },
    );
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(TEXT);
  });

  it('is not sent again to a caller that has it', () => {
    const answer = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
    const { headers = {} } = tagged({ headers: {} }, answer);
    const etag = String(headers['etag']);
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const header of [etag, `"other", ${etag}`, '*', etag.slice(2)]) {
      expect(tagged({ headers: { 'if-none-match': header } }, answer)).toEqual({ statusCode: 304, headers: { etag } });
    }
    for (const header of ['', 'W/"other"', etag.slice(0, -2)])
      expect(tagged({ headers: { 'if-none-match': header } }, answer)).toEqual({ ...answer, headers });
    expect(tagged({ headers: {} }, { ...answer, body: '{"a":2}' }).headers?.['etag']).not.toBe(etag);
    expect(tagged({ headers: {} }, { ...answer, statusCode: 404 }).headers).not.toHaveProperty('etag');
  });
});
