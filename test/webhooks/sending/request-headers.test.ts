import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerNameFault } from '../../../functions/webhooks/sending/header-rules.ts';
import {
  type Authentication,
  maskedAuthHeader,
  requestHeaders,
} from '../../../functions/webhooks/sending/request-headers.ts';
import type { Header } from '../../../functions/webhooks/sending/sending.ts';

const NONE: Authentication = { type: 'none' };
const BEARER: Authentication = { type: 'bearer', secret: 's3cret' };
const BASIC: Authentication = { type: 'basic', username: 'jürgen', secret: 'a:b' };
const KEY: Authentication = { type: 'apiKey', headerName: 'X-Api-Key', secret: 'k3y' };

const headersOf = (custom: readonly Header[], authentication: Authentication = NONE) =>
  requestHeaders({ idempotencyKey: 'key-1', custom, authentication, signature: [] });
const valueIn = (headers: readonly Header[], name: string) =>
  headers.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

describe('the headers of a request', () => {
  it('are the same for all, then those of the rule, then authentication', () => {
    expect(headersOf([['X-Trace', 'a']], BEARER)).toEqual([
      ['Content-Type', 'application/json'],
      ['X-Service-Idempotency-Key', 'key-1'],
      ['Accept-Encoding', 'identity'],
      ['User-Agent', 'five-services-webhooks'],
      ['X-Trace', 'a'],
      ['Authorization', 'Bearer s3cret'],
    ]);
  });

  it.each([
    [NONE, 'Authorization', []],
    [BEARER, 'Authorization', ['Bearer s3cret']],
    [BASIC, 'Authorization', [`Basic ${Buffer.from('jürgen:a:b').toString('base64')}`]],
    [KEY, 'X-Api-Key', ['k3y']],
  ] as const)('authenticate: %o', (authentication, name, values) => {
    expect(valueIn(headersOf([], authentication), name)).toEqual(values);
    // It beats a custom header, in any letter case; without authentication the custom one is sent.
    const custom = headersOf([[name.toUpperCase(), 'mine']], authentication);
    expect(valueIn(custom, name)).toEqual(values.length > 0 ? values : ['mine']);
  });

  it('take User-Agent and Accept-Encoding from the rule if it has them, and the last of two of one name', () => {
    const headers = headersOf([
      ['user-agent', 'mine'],
      ['ACCEPT-ENCODING', 'gzip'],
      ['x-a', '1'],
      ['X-A', '2'],
    ]);
    expect(headers.slice(2)).toEqual([
      ['ACCEPT-ENCODING', 'gzip'],
      ['user-agent', 'mine'],
      ['X-A', '2'],
    ]);
  });

  it('of the signature beat those of the rule and of authentication', () => {
    const signature: readonly Header[] = [['webhook-id', 'key-1']];
    const authentication: Authentication = { type: 'apiKey', headerName: 'Webhook-ID', secret: 'other' };
    const headers = requestHeaders({
      idempotencyKey: 'key-1',
      custom: [['WEBHOOK-ID', 'mine']],
      authentication,
      signature,
    });
    expect(valueIn(headers, 'webhook-id')).toEqual(['key-1']);
  });

  const SYSTEM = [
    'Content-Type',
    'Content-Length',
    'Host',
    'Connection',
    'Transfer-Encoding',
    'X-Service-Idempotency-Key',
    'TE',
    'Trailer',
    'Upgrade',
    'Expect',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
  ];

  it('cannot override what the service sets, in any letter case, not even by the header of an API key', () => {
    const name = fc.tuple(fc.constantFrom(...SYSTEM), fc.infiniteStream(fc.boolean())).map(([text, upper]) =>
      text
        .split('')
        .map((letter) => (upper.next().value ? letter.toUpperCase() : letter.toLowerCase()))
        .join(''),
    );
    fc.assert(
      fc.property(name, (headerName) => {
        expect(headersOf([[headerName, 'x']], { type: 'apiKey', headerName, secret: 'x' })).toEqual(headersOf([]));
        expect(headerNameFault(headerName)).toContain('service itself');
      }),
    );
  });

  it('never hold a name twice', () => {
    const name = fc.constantFrom('a', 'A', 'b', 'Authorization', 'authorization', 'x-api-key', 'host', '__proto__');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), fc.constantFrom(NONE, BEARER, KEY), (custom, auth) => {
        const names = headersOf(custom, auth).map(([one]) => one.toLowerCase());
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

it.each([
  [NONE, undefined],
  [BEARER, ['Authorization', 'Bearer ***']],
  [BASIC, ['Authorization', 'Basic ***']],
  [KEY, ['X-Api-Key', '***']],
] as const)('the authenticating header is shown without the secret: %o', (authentication, header) => {
  expect(maskedAuthHeader(authentication)).toEqual(header);
});
