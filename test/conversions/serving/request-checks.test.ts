import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DATA_VERSION } from '../../../functions/conversions/serving/data-version.ts';
import { bodyOf, problemBefore } from '../../../functions/conversions/serving/request-checks.ts';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';

const KIB_256 = 262_144;
const event = (headers: Record<string, string>, own: Partial<HttpEvent> = {}) =>
  ({ headers: { 'content-type': 'application/json', ...headers }, isBase64Encoded: false, ...own }) as HttpEvent;
const codeOf = (headers: Record<string, string>, own?: Partial<HttpEvent>) => {
  const problem = problemBefore(event(headers, own));
  return problem && [problem.status, problem.code];
};

describe('a content type', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=utf-8',
    'application/vnd.acme.v2+json',
    ' application/json ',
  ])('that is JSON is taken: %s', (type) => {
    expect(codeOf({ 'content-type': type })).toBeUndefined();
  });

  it.each([
    '',
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/json-seq',
    'application/xml',
    'xapplication/json',
    'application/+json',
    'multipart/form-data; boundary=application/json',
  ])('that is not JSON is refused: %j', (type) => {
    expect(codeOf({ 'content-type': type })).toEqual([415, 'unsupported-media-type']);
  });

  it('must be there', () => {
    expect(problemBefore({ headers: {} } as HttpEvent)?.status).toBe(415);
  });
});

describe('a body in gzip', () => {
  const gzip = (text: string) => ({ body: gzipSync(text).toString('base64'), isBase64Encoded: true });
  const codeOfGzip = (own: Partial<HttpEvent>) => codeOf({ 'content-encoding': 'gzip' }, own);

  it('is taken, and its size is that of its content', () => {
    const letters = (length: number) => randomBytes(length).toString('base64').slice(0, length);
    expect(codeOfGzip(gzip(letters(KIB_256)))).toBeUndefined();
    expect(codeOfGzip(gzip(letters(KIB_256 + 1)))).toEqual([413, 'payload-too-large']);
    const sent = event({ 'content-encoding': 'gzip' }, gzip('{"ü":1}'));
    expect(bodyOf(sent)).toBe('{"ü":1}');
  });

  it('that is none, or in another encoding, is refused before its content, so that it is never counted', () => {
    expect(codeOfGzip(gzip('a'.repeat(100_000)))).toEqual([413, 'payload-too-large']);
    expect(codeOfGzip({ body: gzipSync('{}').subarray(0, 12).toString('base64'), isBase64Encoded: true })).toEqual([
      400,
      'invalid-request',
    ]);
    expect(codeOf({ 'content-encoding': 'br' }, { body: '{}' })).toEqual([415, 'unsupported-media-type']);
    const problem = problemBefore(event({ 'content-encoding': 'deflate' }, { body: '{}' }));
    expect(problem?.headers).toEqual({ 'accept-encoding': 'gzip' });
  });
});

describe('the size of a body', () => {
  const base64 = (bytes: number) => ({ body: Buffer.alloc(bytes, 97).toString('base64'), isBase64Encoded: true });

  it('is counted in bytes, to the last one', () => {
    expect(codeOf({}, { body: 'a'.repeat(KIB_256) })).toBeUndefined();
    expect(codeOf({}, { body: 'a'.repeat(KIB_256 + 1) })).toEqual([413, 'payload-too-large']);
    expect(codeOf({}, { body: 'é'.repeat(KIB_256 / 2) })).toBeUndefined();
    expect(codeOf({}, { body: `${'é'.repeat(KIB_256 / 2)}a` })).toEqual([413, 'payload-too-large']);
  });

  it.each([KIB_256 - 2, KIB_256 - 1, KIB_256])('of %i bytes is taken in base64 too', (bytes) => {
    expect(codeOf({}, base64(bytes))).toBeUndefined();
    expect(bodyOf(event({}, base64(bytes)))).toHaveLength(bytes);
  });

  it.each([KIB_256 + 1, KIB_256 + 2, KIB_256 + 3])('of %i bytes is refused in base64 too', (bytes) => {
    expect(codeOf({}, base64(bytes))).toEqual([413, 'payload-too-large']);
    expect(problemBefore(event({}, base64(bytes)))?.detail).toContain(String(bytes));
  });

  it('may be none: what is missing is for the content to tell', () => {
    expect(codeOf({})).toBeUndefined();
    expect(bodyOf(event({}))).toBe('');
  });
});

describe('Accept', () => {
  it.each([
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.5',
    'application/problem+json',
    'text/*, */*;q=0.1',
    'application/json; charset=utf-8',
  ])('that takes JSON is served: %s', (accept) => {
    expect(codeOf({ accept })).toBeUndefined();
  });

  it.each(['text/html', 'text/*', 'application/xml', 'application/json;q=0', '*/*; q=0.0', 'application/jsonx'])(
    'that takes no JSON is refused: %s',
    (accept) => {
      expect(codeOf({ accept })).toEqual([406, 'not-acceptable']);
    },
  );
});

describe('X-Data-Version', () => {
  it('is served where it is that of the deployment, and refused otherwise', () => {
    expect(codeOf({ 'x-data-version': DATA_VERSION })).toBeUndefined();
    expect(codeOf({ 'x-data-version': '2020.01.0' })).toEqual([406, 'not-acceptable']);
    expect(codeOf({ 'x-data-version': '' })).toEqual([406, 'not-acceptable']);
    expect(problemBefore(event({ 'x-data-version': 'x' }))?.members).toEqual({ dataVersion: DATA_VERSION });
  });
});

it('the first mistake is told in the order in which a caller can mend them', () => {
  const wrong = { 'content-type': 'text/plain', accept: 'text/html', 'x-data-version': 'x' };
  const body = 'a'.repeat(KIB_256 + 1);
  expect(codeOf(wrong, { body })?.[0]).toBe(415);
  expect(codeOf({ ...wrong, 'content-type': 'application/json' }, { body })?.[0]).toBe(413);
  expect(codeOf({ ...wrong, 'content-type': 'application/json' })?.[0]).toBe(406);
});
