import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AuthenticationInput,
  presentAuthentication,
  savedAuthentication,
  typedSecret,
} from '../../../functions/webhooks/configurations/authentication.ts';
import type { StoredAuthentication } from '../../../functions/webhooks/configurations/configuration.ts';
import { Refusal } from '../../../shared/errors.ts';

const SECRETS = { apiKey: 'key', bearer: 'token', basic: 'password' } as const;
type Kind = 'none' | keyof typeof SECRETS;

const sealed = (secret: string) => Buffer.from(secret).toString('hex');

/** One save, as a form or a program sends it. */
function save(stored: StoredAuthentication | undefined, input: unknown, isMoved = false): StoredAuthentication {
  const authentication = AuthenticationInput.parse(input);
  const typed = typedSecret(authentication);
  return savedAuthentication(authentication, {
    stored,
    isMoved,
    sealed: typed === undefined ? undefined : sealed(typed),
  });
}

const kinds = fc.constantFrom<Kind>('none', 'apiKey', 'bearer', 'basic');
const secrets = fc.oneof(fc.constantFrom(undefined, null, ''), fc.stringMatching(/^[!-~]{8,40}$/));
const saves = fc.array(fc.record({ type: kinds, secret: secrets, isMoved: fc.boolean() }), { maxLength: 12 });

describe('secrets', () => {
  it('are kept by a blank, replaced by a typed one, needed anew for another type or server, and gone with none', () => {
    fc.assert(
      fc.property(saves, (list) => {
        let stored: StoredAuthentication = { type: 'none' };
        let model: { type: Kind; secret?: string } = { type: 'none' };
        for (const { type, secret, isMoved } of list) {
          const input = {
            type,
            ...(type !== 'none' && { [SECRETS[type]]: secret }),
            ...(type === 'basic' && { username: 'u' }),
          };
          const isRefused = type !== 'none' && !secret && (isMoved || type !== model.type);
          if (isRefused) {
            expect(() => save(stored, input, isMoved)).toThrow(
              expect.objectContaining({ status: 400, code: 'secret-required' }),
            );
          } else {
            stored = save(stored, input, isMoved);
            const current = secret || model.secret;
            model = type === 'none' || current === undefined ? { type } : { type, secret: current };
          }
          expect('secret' in stored ? stored.secret : undefined).toBe(model.secret && sealed(model.secret));
          expect(presentAuthentication(stored)).toMatchObject({ type: model.type, secretSet: model.type !== 'none' });
          const view = JSON.stringify(presentAuthentication(stored));
          if (model.secret) expect(view).not.toContain(sealed(model.secret));
        }
      }),
    );
  });

  it('are kept when an answer is sent back as it is', () => {
    for (const input of [
      { type: 'none' },
      { type: 'apiKey', headerName: 'X-Own', key: 'k' },
      { type: 'bearer', token: 't' },
      { type: 'basic', username: 'u', password: 'p' },
    ]) {
      const stored = save(undefined, input);
      expect(save(stored, presentAuthentication(stored))).toEqual(stored);
    }
  });

  it.each([
    ['line breaks', 'a\r\nX-Evil: 1'],
    ['a line feed', 'a\nb'],
    ['NUL', 'a\0b'],
    ['a tab', 'a\tb'],
    ['what no header can carry', 'snow\u2603man'],
    ['a blank at its end', 'key '],
    ['only blanks', '   '],
    ['too many bytes', 'x'.repeat(4_097)],
    ['too many bytes in UTF-8', 'ü'.repeat(2_049)],
    ['a number', 5],
  ])('are refused with %s', (_what, secret) => {
    expect(AuthenticationInput.safeParse({ type: 'apiKey', key: secret }).success).toBe(false);
    expect(AuthenticationInput.safeParse({ type: 'bearer', token: secret }).success).toBe(false);
  });

  it('of Basic are any text without control characters, for a name without a colon', () => {
    const basic = (username: unknown, password: unknown) =>
      AuthenticationInput.safeParse({ type: 'basic', username, password }).success;
    expect(basic('Jörg', ' snow\u2603man: ')).toBe(true);
    expect(basic('a:b', 'p')).toBe(false);
    expect(basic('a', 'p\n')).toBe(false);
    expect(basic('a', '\ud800')).toBe(false);
    expect(() => save(undefined, { type: 'basic', password: 'p' })).toThrow(Refusal);
  });

  it('stand where their type has them, or nowhere', () => {
    expect(AuthenticationInput.safeParse({ type: 'apiKey', token: 'x' }).success).toBe(false);
    expect(AuthenticationInput.safeParse({ type: 'none', password: 'x' }).success).toBe(false);
    expect(AuthenticationInput.safeParse({ type: 'none', password: '', key: null }).success).toBe(true);
    expect(AuthenticationInput.safeParse({ type: 'digest' }).success).toBe(false);
  });
});

describe('the header of an API key', () => {
  const header = (headerName: unknown) => save(undefined, { type: 'apiKey', key: 'k', headerName });

  it('is X-Api-Key unless another one is named, and stays when it is not mentioned', () => {
    for (const blank of [undefined, null, '']) expect(header(blank)).toMatchObject({ headerName: 'X-Api-Key' });
    const own = header('X-Own');
    expect(save(own, { type: 'apiKey' })).toMatchObject({ headerName: 'X-Own' });
    expect(save(own, { type: 'apiKey', headerName: '' })).toMatchObject({ headerName: 'X-Api-Key' });
  });

  it.each([
    'Content-Type',
    'content-length',
    'HOST',
    'Connection',
    'Transfer-encoding',
    'X-Service-IDEMPOTENCY-Key',
    'two words',
    'a:b',
    'a\r\nb',
    'ü',
    'x'.repeat(101),
  ])('cannot be %j', (name) => {
    expect(AuthenticationInput.safeParse({ type: 'apiKey', key: 'k', headerName: name }).success).toBe(false);
  });
});
