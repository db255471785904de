import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientIn } from '../../../functions/conversions/oauth/client-credentials.ts';

const FORM = 'application/x-www-form-urlencoded';
const GRANT = 'grant_type=client_credentials';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const read = (body: string, authorization?: string, contentType: string | undefined = FORM) =>
  clientIn({ contentType, authorization, body });

describe('a client', () => {
  it('may present itself in the form', () => {
    expect(read(`${GRANT}&client_id=k1&client_secret=s%201%2B`)).toEqual({
      clientId: 'k1',
      clientSecret: 's 1+',
      isBasic: false,
    });
  });

  it('may present itself by HTTP Basic, where id and secret are form-encoded', () => {
    expect(read(GRANT, basic('k%201:s%3A1+2'))).toEqual({ clientId: 'k 1', clientSecret: 's:1 2', isBasic: true });
    expect(read(GRANT, basic('k1:a:b'))).toMatchObject({ clientId: 'k1', clientSecret: 'a:b' });
    expect(read(GRANT, basic('k1:s').replace('Basic ', 'bAsIc  '))).toMatchObject({ clientId: 'k1' });
  });

  it('may name itself in the form too, if it is the same one', () => {
    expect(read(`${GRANT}&client_id=k1`, basic('k1:s'))).toMatchObject({ clientId: 'k1', isBasic: true });
    expect(read(`${GRANT}&client_id=k2`, basic('k1:s'))).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  it('may leave parameters without a value: they count as left out', () => {
    expect(read(`${GRANT}&client_id=&client_secret=&scope=`, basic('k1:s'))).toMatchObject({ clientId: 'k1' });
    expect(read('grant_type=')).toMatchObject({ status: 400, error: 'invalid_request' });
    expect(read(`${GRANT}&client_id=k1&client_secret=`)).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  it('may send unknown parameters', () => {
    expect(read(`${GRANT}&client_id=k1&client_secret=s&audience=x&resource=y`)).toMatchObject({ clientId: 'k1' });
  });

  it.each([FORM, `${FORM}; charset=UTF-8`, `${FORM};charset=utf-8`, ' Application/X-WWW-Form-Urlencoded '])(
    'may state its form as %j',
    (type) => {
      expect(read(`${GRANT}&client_id=k1&client_secret=s`, undefined, type)).toMatchObject({ clientId: 'k1' });
    },
  );
});

describe('a request for a token is refused', () => {
  it.each([
    ['without a type', '', 'invalid_request'],
    ['as JSON', 'application/json', 'invalid_request'],
    ['with a type that only begins like a form', `${FORM}x`, 'invalid_request'],
    ['as multipart', 'multipart/form-data; boundary=x', 'invalid_request'],
  ])('%s', (_how, type, error) => {
    expect(read(`${GRANT}&client_id=k1&client_secret=s`, undefined, type)).toMatchObject({ status: 400, error });
  });

  it.each([
    ['without a grant', 'client_id=k1&client_secret=s', 'invalid_request'],
    ['empty', '', 'invalid_request'],
    ['for a password', 'grant_type=password&username=u&password=p', 'unsupported_grant_type'],
    ['for a code', 'grant_type=authorization_code&code=c', 'unsupported_grant_type'],
    ['for a refresh', 'grant_type=refresh_token&refresh_token=r', 'unsupported_grant_type'],
    ['for a grant in other letters', 'grant_type=Client_Credentials', 'unsupported_grant_type'],
    ['with a scope', `${GRANT}&client_id=k1&client_secret=s&scope=read`, 'invalid_scope'],
    ['with the secret twice', `${GRANT}&client_id=k1&client_secret=s&client_secret=s`, 'invalid_request'],
    ['with the id twice', `${GRANT}&client_id=k1&client_id=k1&client_secret=s`, 'invalid_request'],
    ['with the grant twice', `${GRANT}&${GRANT}&client_id=k1&client_secret=s`, 'invalid_request'],
    ['with an unknown parameter twice', `${GRANT}&client_id=k1&client_secret=s&a=1&a=2`, 'invalid_request'],
    ['with too long a form', `${GRANT}&client_id=k1&client_secret=s&pad=${'x'.repeat(8_192)}`, 'invalid_request'],
  ])('%s', (_how, body, error) => {
    expect(read(body)).toMatchObject({ status: 400, error });
  });

  it.each([
    ['with the id only', `${GRANT}&client_id=k1`],
    ['with the secret only', `${GRANT}&client_secret=s`],
    ['with neither', GRANT],
  ])('%s', (_how, body) => {
    expect(read(body)).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  it('with the secret both by HTTP Basic and in the form', () => {
    expect(read(`${GRANT}&client_secret=s`, basic('k1:s'))).toMatchObject({ status: 400, error: 'invalid_request' });
  });

  it.each([
    ['of another scheme', 'Bearer abc'],
    ['without credentials', 'Basic'],
    ['empty', ''],
    ['that is not base64', 'Basic k1:s'],
    ['that is base64 of another alphabet', 'Basic a-_b'],
    ['without a colon', basic('k1')],
    ['without an id', basic(':s')],
    ['without a secret', basic('k1:')],
    ['with a broken escape in the id', basic('k%zz:s')],
    ['with a broken escape in the secret', basic('k1:%E0%A4')],
    ['with something behind', `${basic('k1:s')} x`],
  ])('with an Authorization header %s, even if the form has a client', (_which, authorization) => {
    expect(read(GRANT, authorization)).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(read(`${GRANT}&client_id=k1`, authorization)).toMatchObject({ status: 401, error: 'invalid_client' });
  });

  it('with an error of RFC 6749 in printable ASCII, whatever comes', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'grant_type',
        'client_id',
        'client_secret',
        'scope',
        'client_credentials',
        '%00',
        '%',
        '"\\',
        '\u{1F600}',
        '+',
      ),
      fc.string(),
    );
    const pair = fc.tuple(part, part).map(([name, value]) => `${name}=${value}`);
    const body = fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));
    const header = fc.option(fc.oneof(fc.string(), fc.string().map(basic)), { nil: undefined });
    fc.assert(
      fc.property(
        fc.oneof(
          body,
          body.map((text) => `${GRANT}&${text}&x="ü&x="ü`),
        ),
        header,
        (text, authorization) => {
          const result = read(text, authorization);
          if ('error' in result) {
            expect([400, 401]).toContain(result.status);
            expect(result.description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
          } else {
            expect(result.clientId === '' || result.clientSecret === '').toBe(false);
          }
        },
      ),
      { numRuns: 1_000 },
    );
    expect(read(`${GRANT}&%22%C3%BC=1&%22%C3%BC=2`)).toMatchObject({
      description: 'A parameter stands there more than once.',
    });
    expect(read(`${GRANT}&a=1&a=2`)).toMatchObject({ description: 'The parameter a stands there more than once.' });
  });
});
