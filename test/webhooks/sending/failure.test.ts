import { describe, expect, it } from 'vitest';
import { failureOf, type Phase } from '../../../functions/webhooks/sending/failure.ts';

const coded = (code: unknown) => Object.assign(new Error('some text'), { code });

describe('an error of the network', () => {
  it.each([
    ['ECONNREFUSED', 'connect', 'connection_refused'],
    ['EHOSTUNREACH', 'connect', 'connection_failed'],
    ['ENETUNREACH', 'connect', 'connection_failed'],
    ['ETIMEDOUT', 'connect', 'connection_failed'],
    ['EMFILE', 'connect', 'connection_failed'],
    ['ECONNRESET', 'tls', 'connection_closed'],
    ['EPROTO', 'tls', 'tls_failed'],
    ['CERT_HAS_EXPIRED', 'tls', 'tls_failed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'tls_failed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'tls_failed'],
    // With TLS 1.3, the endpoint requests a client certificate only afterwards.
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'exchange', 'tls_failed'],
    ['ECONNRESET', 'exchange', 'connection_closed'],
    ['EPIPE', 'exchange', 'connection_closed'],
    ['ETIMEDOUT', 'exchange', 'connection_failed'],
    ['HPE_INVALID_CONSTANT', 'exchange', 'invalid_response'],
    ['HPE_HEADER_OVERFLOW', 'exchange', 'invalid_response'],
    ['ERR_INVALID_CHAR', 'exchange', 'invalid_request'],
    ['ERR_INVALID_HTTP_TOKEN', 'exchange', 'invalid_request'],
    ['ERR_UNESCAPED_CHARACTERS', 'exchange', 'invalid_request'],
    ['toString', 'exchange', 'connection_closed'],
    [undefined, 'exchange', 'connection_closed'],
    [-111, 'connect', 'connection_failed'],
  ] as [unknown, Phase, string][])('%s during %s is %s', (code, phase, failure) => {
    expect(failureOf(coded(code), phase)).toBe(failure);
  });

  it('of several addresses is a refusal if one of them refused', () => {
    const errors = [coded('ENETUNREACH'), coded('ECONNREFUSED')];
    const all = Object.assign(new AggregateError(errors), { code: 'ENETUNREACH' });
    expect(failureOf(all, 'connect')).toBe('connection_refused');
    expect(failureOf(new AggregateError([coded('ETIMEDOUT')]), 'connect')).toBe('connection_failed');
  });

  it.each(['text', undefined, null, { code: 'EPIPE' }])(
    'that is not an error, %j, is classified by its phase',
    (thrown) => {
      expect(failureOf(thrown, 'tls')).toBe('tls_failed');
    },
  );
});
