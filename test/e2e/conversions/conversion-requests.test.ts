/** Requests that are wrong, too large or hostile, as they come over HTTP, and what they cost. */

import { gzipSync } from 'node:zlib';
import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN_NAMES } from '../../../cdk/settings.ts';
import { documentAt } from '../../../functions/reference/documents/documents.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import {
  type CallOptions,
  type ConversionTenant,
  conversionTenants,
} from '../../support/conversions/conversion-tenant.ts';
import { METERED_OPERATIONS } from '../../support/conversions/metered-operations.ts';

const CONVERT = '/v1/convert';
const ITEM = { kind: 'quantity', value: '1250', from: 'ft2', to: 'm2', precision: 2 };
const KIB_256 = 262_144;

let service: RunningService;
let newTenant: Awaited<ReturnType<typeof conversionTenants>>;
let acme: ConversionTenant;
let other: ConversionTenant;
/** Everything that no log may show. */
const secrets: string[] = [];
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  newTenant = await conversionTenants(service);
  acme = await newTenant();
  other = await newTenant();
  secrets.push(acme.test, other.test);
});
afterAll(() => service?.close());

const costHeader = ({ headers }: { headers: Headers }) => headers.get('x-quota-cost');
const testUsed = async () => (await acme.usage()).test_used;

/** Returns the call of a block of tests. After the block, exactly this cost of each call has been added to what is used. */
function countedBy(cost: number): (path: string, options: CallOptions) => ReturnType<ConversionTenant['call']> {
  let before = 0;
  let requests = 0;
  beforeAll(async () => {
    before = await testUsed();
  });
  afterAll(async () => expect(await testUsed()).toBe(before + requests * cost));
  return (path, options) => {
    requests += 1;
    return acme.call(path, undefined, options);
  };
}

describe('a credential', () => {
  it.each([
    ['none', () => null],
    ['an empty one', () => ''],
    ['a malformed one', () => 'cv_live_x'],
    ['one cut off', () => acme.test.slice(0, -1)],
    ['one too long', () => `${acme.test}0`],
    ['one whose tenant is another', () => acme.test.replace(acme.tenant, other.tenant)],
    ['one whose mode is another', () => acme.test.replace('cv_test', 'cv_live')],
    [
      'a token without a signature',
      () => new UnsecuredJWT({ tenant: acme.tenant, sub: 'k' }).setExpirationTime('1h').encode(),
    ],
    ['a token of downloads', () => 'demo-token'],
  ])('%s is 401 on every route, and tells nothing of limits', async (_what, credential) => {
    for (const [path, method] of [
      [CONVERT, 'POST'],
      ['/v1/usage', 'GET'],
      ['/v1/nothing', 'GET'],
    ] as const) {
      const { status, headers, json } = await acme.call(path, ITEM, { credential: credential(), method });
      expect([path, status, json.code]).toEqual([path, 401, 'unauthorized']);
      expect(headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  it('of a management user opens nothing here', async () => {
    const token = await service.managementToken(acme.tenant);
    secrets.push(token);
    expect((await acme.call(CONVERT, ITEM, { credential: token })).status).toBe(401);
  });
});

const json = (text: string, own: object = {}) => ({ text, ...own });
const typed = (type: string) => ({ text: JSON.stringify(ITEM), headers: { 'content-type': type } });
const headed = (headers: Record<string, string>) => ({ text: JSON.stringify(ITEM), headers });
const zipped = (text: string) => ({ text: gzipSync(text), headers: { 'content-encoding': 'gzip' } });
const valued = (value: string) => json(`{"kind":"quantity","value":${value},"from":"ft2","to":"m2"}`);
const nested = (levels: number): string => (levels === 1 ? '{"a":1}' : `{"a":${nested(levels - 1)}}`);

describe('a request that is wrong by its content', () => {
  const call = countedBy(1);

  it.each<[string, string, CallOptions, number, string]>([
    ['no body', CONVERT, json(''), 400, 'malformed-json'],
    ['no JSON', CONVERT, json('{"kind":'), 400, 'malformed-json'],
    ['NaN', CONVERT, valued('NaN'), 400, 'malformed-json'],
    ['Infinity', CONVERT, valued('-Infinity'), 400, 'malformed-json'],
    ['Infinity as text', CONVERT, valued('"Infinity"'), 422, 'unparseable-value'],
    ['NaN as text', CONVERT, valued('"NaN"'), 422, 'unparseable-value'],
    ['1e400', CONVERT, valued('1e400'), 422, 'unparseable-value'],
    ['a list', CONVERT, json('[]'), 400, 'invalid-request'],
    ['null', CONVERT, json('null'), 400, 'invalid-request'],
    [
      'members named __proto__',
      CONVERT,
      json('{"__proto__":{"kind":"quantity"},"value":"1","from":"m","to":"m"}'),
      400,
      'invalid-request',
    ],
    ['half of a surrogate pair', CONVERT, valued(String.raw`"\ud800"`), 400, 'invalid-request'],
    [
      'a record of 9 levels',
      '/v1/normalize',
      json(`{"type":"business","record":${nested(9)}}`),
      400,
      'invalid-request',
    ],
    ['100,000 levels', CONVERT, json('['.repeat(100_000)), 400, 'malformed-json'],
    ['10,000 levels that end', CONVERT, json(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), 400, 'invalid-request'],
    [
      '101 items',
      CONVERT,
      json(JSON.stringify({ items: Array.from({ length: 101 }, () => ITEM) })),
      400,
      'invalid-request',
    ],
    ['a text of 9 KB', CONVERT, valued(JSON.stringify('1'.repeat(9_000))), 400, 'invalid-request'],
    ['an unknown unit', CONVERT, json(JSON.stringify({ ...ITEM, from: 'ftt2' })), 422, 'unknown-unit'],
    ['units of two kinds', CONVERT, json(JSON.stringify({ ...ITEM, to: 'kg' })), 422, 'incompatible-units'],
    [
      'only items that fail',
      CONVERT,
      json(JSON.stringify({ items: [{ ...ITEM, to: 'kg' }] })),
      422,
      'all-items-failed',
    ],
    [
      'a schema with a pattern that looks ahead',
      '/v1/validate',
      json('{"record":{"a":"b"},"schema":{"properties":{"a":{"pattern":"^(?=a)"}}}}'),
      422,
      'schema-invalid',
    ],
  ])('%s is told so, and counts', async (_what, path, options, status, code) => {
    const answer = await call(path, options);
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([status, code, '1']);
  });
});

describe('a request that is wrong before its content', () => {
  const call = countedBy(0);

  it.each<[string, string, CallOptions, number, string]>([
    ['text', CONVERT, typed('text/plain'), 415, 'unsupported-media-type'],
    ['a form', CONVERT, typed('application/x-www-form-urlencoded'), 415, 'unsupported-media-type'],
    ['brotli', CONVERT, headed({ 'content-encoding': 'br' }), 415, 'unsupported-media-type'],
    ['a gzip bomb', CONVERT, zipped(`${JSON.stringify(ITEM)}${' '.repeat(KIB_256)}`), 413, 'payload-too-large'],
    ['an Accept that JSON does not meet', CONVERT, headed({ accept: 'text/csv' }), 406, 'not-acceptable'],
    ['another data version', CONVERT, headed({ 'x-data-version': '1999.01.0' }), 406, 'not-acceptable'],
    [
      'an Idempotency-Key of 256 characters',
      CONVERT,
      headed({ 'idempotency-key': 'k'.repeat(256) }),
      400,
      'invalid-request',
    ],
    ['an Idempotency-Key with blanks', CONVERT, headed({ 'idempotency-key': 'a b' }), 400, 'invalid-request'],
  ])('%s is told so, and takes a token only', async (_what, path, options, status, code) => {
    const answer = await call(path, options);
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([status, code, '0']);
  });

  it.each([
    ['GET', CONVERT, 'POST'],
    ['PUT', CONVERT, 'POST'],
    ['DELETE', '/v1/enrich', 'POST'],
    ['POST', '/v1/usage', 'GET'],
  ])('%s %s is 405 with the method that it takes', async (method, path, allow) => {
    const { status, headers, json: problem } = await acme.call(path, ITEM, { method });
    expect([status, headers.get('allow'), problem.code]).toEqual([405, allow, 'method-not-allowed']);
  });

  it.each(['/v1/nothing', '/v1/nothing/', '/v1/convert/x', '/v1/__proto__', '/v1/Convert'])(
    'the path %s is 404',
    async (path) => {
      const { status, json: problem } = await acme.call(path, ITEM);
      expect([status, problem.code]).toEqual([404, 'not-found']);
    },
  );

  it.each([
    ['GET', '/oauth/token', 405, 'POST'],
    ['PUT', '/oauth/token', 405, 'POST'],
    ['POST', '/oauth/tokens', 404, null],
  ])('%s %s is refused as RFC 6749 has it', async (method, path, status, allow) => {
    const answer = await service.call(path, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([status, allow]);
    expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringContaining('POST') });
    expect((await service.call(path, { method: 'HEAD' })).status).toBe(status);
  });

  it('a slash at the end leads to the same route', async () => {
    const { status, headers } = await service.call('/v1/convert/', {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.test}`, 'content-type': 'application/json' },
      body: JSON.stringify(ITEM),
    });
    expect([status, headers.get('location')]).toEqual([308, '/v1/convert']);
  });

  it('one byte too much is refused before the caller is known', async () => {
    const answer = await call(CONVERT, json(JSON.stringify(ITEM).padEnd(KIB_256 + 1)));
    expect([answer.status, answer.json.code, costHeader(answer)]).toEqual([413, 'payload-too-large', null]);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
  });

  it('10 MB are refused', async () => {
    const answer = await service.call(CONVERT, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.test}`, 'content-type': 'application/json' },
      body: 'a'.repeat(10 * 1_024 * 1_024),
    });
    expect(answer.status).toBe(413);
  });
});

describe('a request that is right', () => {
  const call = countedBy(1);

  it.each<[string, string, CallOptions]>([
    ['exactly 256 KiB', CONVERT, json(JSON.stringify(ITEM).padEnd(KIB_256))],
    [
      'exactly 256 KiB of another JSON type',
      CONVERT,
      { text: JSON.stringify(ITEM).padEnd(KIB_256), headers: { 'content-type': 'application/vnd.acme+json' } },
    ],
    ['a query, which means nothing', `${CONVERT}?kind=money&__proto__=1`, json(JSON.stringify(ITEM))],
    ['1e300', CONVERT, valued('1e300')],
    ['400 digits', CONVERT, valued('7'.repeat(400))],
    [
      '100 items',
      CONVERT,
      json(JSON.stringify({ items: Array.from({ length: 100 }, (_, id) => ({ id: `${id}`, ...ITEM })) })),
    ],
    ['a record of 8 levels', '/v1/normalize', json(`{"type":"business","record":${nested(8)}}`)],
    [
      'members named __proto__',
      '/v1/enrich',
      json('{"type":"business","record":{"__proto__":{"name":"x"},"country":"DE"}}'),
    ],
    ['a key of 255 characters in quotes', CONVERT, headed({ 'idempotency-key': `"${'k'.repeat(255)}"` })],
    ['gzip', CONVERT, zipped(JSON.stringify(ITEM))],
    ['the data version', CONVERT, headed({ 'x-data-version': '2026.11.0' })],
  ])('%s is answered 200, and counts', async (_what, path, options) => {
    const answer = await call(path, options);
    expect([answer.status, answer.text, costHeader(answer)]).toEqual([200, answer.text, '1']);
  });

  it.each(METERED_OPERATIONS)('is the example of $name, which is answered as it stands', async ({ name, example }) => {
    expect((await call(`/v1/${name}`, { text: JSON.stringify(example) })).status).toBe(200);
  });
});

it('the description of the API is public and names the server that it came from', async () => {
  const { status, headers, json: document } = await service.call('/v1/openapi.json');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  const url = new URL(service.cloud.apiUrl).origin;
  expect(document).toEqual(
    JSON.parse(JSON.stringify(documentAt('/v1/openapi.json', { domains: [...DOMAIN_NAMES], url }))),
  );
});

describe('after all this', () => {
  it('no log holds a credential, and no route has failed', () => {
    const names = ['Convert', 'Normalize', 'Validate', 'Enrich', 'Usage', 'Conversions/UnknownRoutes', 'Keys'];
    const logs = names.map((name) =>
      JSON.stringify(service.cloud.logsOf(`Conversions/${name.replace('Conversions/', '')}`)),
    );
    expect(Math.min(...logs.slice(-3).map((log) => log.length))).toBeGreaterThan(100);
    for (const log of logs) {
      for (const secret of secrets) expect(log.includes(secret.slice(-40))).toBe(false);
      expect(log).not.toContain('request failed');
    }
  });
});
