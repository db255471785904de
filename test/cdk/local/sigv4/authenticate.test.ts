import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallRefusal } from '../../../../cdk/local/endpoint/call-refusal.ts';
import { authenticate, type Signer } from '../../../../cdk/local/sigv4/authenticate.ts';
import { uriEncode } from '../../../../cdk/local/sigv4/canonical.ts';
import type { ReceivedRequest } from '../../../../cdk/local/sigv4/received.ts';
import { SigningKeys } from '../../../../cdk/local/sigv4/signing-key.ts';
import { type Draft, presigned, SIGNED_AT, SIGNER, signed, signerFor } from './signed-request.ts';

const keys = new SigningKeys();

function verify(request: ReceivedRequest, now: Date = SIGNED_AT, signer: Signer = SIGNER) {
  return authenticate(request, {
    region: 'us-east-1',
    keys,
    now: () => now,
    signerOf: (id) => (id === signer.accessKeyId ? signer : undefined),
  });
}

function refusalOf(request: ReceivedRequest, now?: Date, signer?: Signer): string {
  try {
    verify(request, now, signer);
  } catch (error) {
    if (error instanceof CallRefusal) return error.code;
    throw error;
  }
  return 'accepted';
}

const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !/^\.*$/.test(text));
const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.map(uriEncode).join('/')}`);
const name = fc.stringMatching(/^[a-zA-Z][\w .+%~*-]{0,8}$/).filter((text) => !/^x-amz/i.test(text));
const value = fc.string({ unit: 'grapheme', maxLength: 12 });
const headerName = fc.stringMatching(/^x-amz-meta-[a-z]{1,6}$/);
const headerValue = fc.stringMatching(/^[ -~]{0,20}$/);

const drafts: fc.Arbitrary<Draft> = fc.record({
  service: fc.constantFrom('s3', 'dynamodb', 'events'),
  method: fc.constantFrom('GET', 'PUT', 'POST', 'DELETE'),
  path,
  query: fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true }),
  headers: fc.dictionary(headerName, headerValue, { maxKeys: 3, noNullPrototype: true }),
  body: fc.string({ maxLength: 40 }),
});

const plain: Draft = { service: 's3', method: 'PUT', path: '/bucket/key', query: {}, headers: {}, body: 'hello' };

describe('a request signed by the AWS SDK', () => {
  test('is accepted, whatever its path, query, headers and body', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, async (draft) => {
        expect(refusalOf(await signed(draft))).toBe('accepted');
      }),
    );
  });

  test('is accepted as a presigned URL', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, async (draft) => {
        expect(refusalOf(await presigned({ ...draft, service: 's3' }, 60))).toBe('accepted');
      }),
    );
  });

  test('is refused once anything about it has been changed', async () => {
    const changes = fc.constantFrom<(request: ReceivedRequest, text: string) => ReceivedRequest>(
      (request) => ({ ...request, method: request.method === 'HEAD' ? 'GET' : 'HEAD' }),
      (request, text) => ({ ...request, path: `${request.path}${uriEncode(text)}` }),
      (request, text) => ({ ...request, rawQuery: `${request.rawQuery}&${uriEncode(text)}=1` }),
      (request, text) => ({ ...request, body: Buffer.concat([request.body, Buffer.from(text)]) }),
      (request, text) => ({ ...request, headers: { ...request.headers, 'x-amz-added': text } }),
      (request, text) => ({ ...request, headers: { ...request.headers, host: text } }),
      (request, text) => ({ ...request, headers: { ...request.headers, 'x-amz-security-token': text } }),
      (request) => ({ ...request, headers: { ...request.headers, 'x-amz-date': '20260301T120001Z' } }),
    );
    await fc.assert(
      fc.asyncProperty(drafts, changes, fc.stringMatching(/^[a-z]{1,5}$/), async (draft, change, text) => {
        expect(refusalOf(change(await signed(draft), text))).not.toBe('accepted');
      }),
    );
  });

  test('is refused when its presigned query has been changed', async () => {
    await fc.assert(
      fc.asyncProperty(drafts, fc.nat(), async (draft, at) => {
        const request = await presigned({ ...draft, service: 's3' }, 60);
        const pairs = request.rawQuery.split('&');
        const index = at % pairs.length;
        const tampered = pairs.map((pair, i) => (i === index ? `${pair}0` : pair)).join('&');
        expect(refusalOf({ ...request, rawQuery: tampered })).not.toBe('accepted');
      }),
    );
  });

  test('with a plus sign in the query is not taken for one with an encoded plus', async () => {
    const request = await signed({ ...plain, method: 'GET', query: { prefix: 'a+b' }, body: '' });
    expect(refusalOf(request)).toBe('accepted');
    expect(refusalOf({ ...request, rawQuery: request.rawQuery.replace('%2B', '+') })).toBe('SignatureDoesNotMatch');
  });
});

describe('what is refused, and how', () => {
  test('no signature', () => {
    expect(refusalOf({ ...plain, rawQuery: '', headers: { host: 'x' }, body: Buffer.alloc(0) })).toBe('AccessDenied');
  });

  test('an unknown access key', async () => {
    expect(refusalOf(await signed(plain), SIGNED_AT, { ...SIGNER, accessKeyId: 'OTHER' })).toBe('InvalidAccessKeyId');
  });

  test('another secret', async () => {
    expect(refusalOf(await signed(plain), SIGNED_AT, { ...SIGNER, secretAccessKey: 'guess' })).toBe(
      'SignatureDoesNotMatch',
    );
  });

  test('a request that is more than 15 minutes old or early, by our clock and the machine clock', async () => {
    const request = await signed(plain);
    expect(refusalOf(request, new Date(SIGNED_AT.getTime() + 14 * 60_000))).toBe('accepted');
    expect(refusalOf(request, new Date(SIGNED_AT.getTime() + 16 * 60_000))).toBe('RequestTimeTooSkewed');
    expect(refusalOf(request, new Date(SIGNED_AT.getTime() - 16 * 60_000))).toBe('RequestTimeTooSkewed');
  });

  test('a presigned URL after its time', async () => {
    const request = await presigned(plain, 60);
    expect(refusalOf(request, new Date(SIGNED_AT.getTime() + 60_000))).toBe('accepted');
    expect(refusalOf(request, new Date(SIGNED_AT.getTime() + 61_000))).toBe('AccessDenied');
  });

  test('a presigned URL for more than seven days', async () => {
    const request = await presigned(plain, 60);
    const longer = request.rawQuery.replace('X-Amz-Expires=60', 'X-Amz-Expires=604801');
    expect(refusalOf({ ...request, rawQuery: longer })).toBe('AuthorizationQueryParametersError');
  });

  test('a signature in the header and one in the query', async () => {
    const { rawQuery } = await presigned(plain, 60);
    expect(refusalOf({ ...(await signed(plain)), rawQuery })).toBe('InvalidArgument');
  });

  test('a missing, wrong or unexpected session token', async () => {
    const withToken = { ...SIGNER, sessionToken: 'token' };
    expect(refusalOf(await signed(plain), SIGNED_AT, withToken)).toBe('InvalidToken');
    const request = await signerFor('s3', 'token').sign(
      { method: 'GET', protocol: 'http:', hostname: 'h', path: '/b', query: {}, headers: { host: 'h' } },
      { signingDate: SIGNED_AT },
    );
    const received = { method: 'GET', path: '/b', rawQuery: '', headers: request.headers, body: Buffer.alloc(0) };
    expect(refusalOf(received, SIGNED_AT, withToken)).toBe('accepted');
    expect(refusalOf(received, SIGNED_AT, { ...SIGNER, sessionToken: 'other' })).toBe('InvalidToken');
    expect(refusalOf(received)).toBe('InvalidToken');
  });

  test('another region', async () => {
    const request = await signed(plain);
    const headers = {
      ...request.headers,
      authorization: request.headers['authorization']?.replace('us-east-1', 'eu-west-1') ?? '',
    };
    expect(refusalOf({ ...request, headers })).toBe('AuthorizationHeaderMalformed');
  });

  test('a body that is not the signed one', async () => {
    expect(refusalOf({ ...(await signed(plain)), body: Buffer.from('jello') })).toBe('XAmzContentSHA256Mismatch');
  });

  test('a signature that does not cover the host', async () => {
    const request = await signed(plain);
    const authorization = request.headers['authorization']?.replace('SignedHeaders=host;', 'SignedHeaders=') ?? '';
    expect(refusalOf({ ...request, headers: { ...request.headers, authorization } })).toBe(
      'AuthorizationHeaderMalformed',
    );
  });
});

describe('a presigned URL', () => {
  test('carries metadata in its query, but no checksum', async () => {
    const request = await presigned(
      { ...plain, query: { 'x-amz-meta-from': 'query', 'x-amz-checksum-crc32': 'AAAAAA==' } },
      60,
    );
    const { headers } = verify(request);
    expect(headers['x-amz-meta-from']).toBe('query');
    expect(headers['x-amz-checksum-crc32']).toBeUndefined();
  });
});
