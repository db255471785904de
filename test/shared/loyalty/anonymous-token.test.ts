import { createHmac, generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { newAccessToken } from '../../../functions/conversions/billing/credentials/access-token.ts';
import { newKey } from '../../../shared/auth/self-proving-key.ts';
import { anonymousExpiry, customerOf, newAnonymousToken } from '../../../shared/loyalty/anonymous-token.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const DAYS = 86_400_000;
const SECRETS = { 1: 'the first secret', 2: 'the second secret' };
const APP = { id: 'app_1', tenant: 'acme' };
const SUBJECT = { tenant: 'acme', app: 'app_1', customer: 'anon_7' };
const issued = NOW / 1_000;

/** As the service derives it: a test that signs for itself must know how. */
const keyOf = (secret: string) => createHmac('sha256', secret).update('anonymous tokens of loyalty apps').digest();
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'HS256', typ: 'anonymous+jwt', kid: '2' };
const CLAIMS: JWTPayload = {
  tenant: 'acme',
  app: 'app_1',
  sub: 'anon_7',
  iss: 'five-services',
  aud: 'loyalty',
  iat: issued,
  exp: issued + 30 * 86_400,
};
const without = (name: string) => Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

const signed = (header: object, claims: JWTPayload, key: Uint8Array = keyOf(SECRETS[2])) =>
  new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header }).sign(key);
const byHand = (header: object, claims: object, hash = 'sha256') => {
  const text = `${base64url(header)}.${base64url(claims)}`;
  return `${text}.${createHmac(hash, keyOf(SECRETS[2])).update(text).digest('base64url')}`;
};
const read = (token: string, now = NOW, secrets: Record<string, string> = SECRETS, app = APP) =>
  customerOf(token, app, secrets, now);

describe('an anonymous token', () => {
  it('identifies its customer for thirty days', async () => {
    const token = await newAnonymousToken(SUBJECT, SECRETS, NOW);
    expect(anonymousExpiry(NOW)).toBe(NOW + 30 * DAYS);
    expect(await read(token)).toBe('anon_7');
    expect(await read(token, NOW + 30 * DAYS - 1)).toBe('anon_7');
    expect(await read(token, NOW + 30 * DAYS)).toBeUndefined();
  });

  it('expires at the stated time, to the second', async () => {
    const token = await newAnonymousToken(SUBJECT, SECRETS, NOW + 999);
    expect(await read(token, anonymousExpiry(NOW + 999) - 1)).toBe('anon_7');
    expect(await read(token, anonymousExpiry(NOW + 999))).toBeUndefined();
  });

  it('is what a test signs in the same way', async () => {
    expect(await read(await signed({}, CLAIMS))).toBe('anon_7');
    expect(await read(byHand(HEADER, CLAIMS))).toBe('anon_7');
  });

  it('is not valid with another app, or an app of that name of another tenant', async () => {
    const token = await newAnonymousToken(SUBJECT, SECRETS, NOW);
    expect(await read(token, NOW, SECRETS, { id: 'app_2', tenant: 'acme' })).toBeUndefined();
    expect(await read(token, NOW, SECRETS, { id: 'app_1', tenant: 'other' })).toBeUndefined();
  });

  it('is signed with the newest secret, and valid as long as that one is listed', async () => {
    const token = await newAnonymousToken(SUBJECT, { 1: SECRETS[1] }, NOW);
    expect(await read(token)).toBe('anon_7');
    expect(await read(token, NOW, { 2: SECRETS[2] })).toBeUndefined();
    const [header = ''] = (await newAnonymousToken(SUBJECT, SECRETS, NOW)).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(HEADER);
  });

  it('cannot be made without a secret', async () => {
    await expect(newAnonymousToken(SUBJECT, {}, NOW)).rejects.toThrow('no key');
  });
});

describe('no anonymous token', () => {
  it('is one signed with a foreign secret, or with that of another version than it names', async () => {
    expect(await read(await signed({}, CLAIMS, keyOf('a foreign secret')))).toBeUndefined();
    expect(await read(await signed({ kid: '1' }, CLAIMS))).toBeUndefined();
  });

  it('is one signed with the server secret itself, which proves keys', async () => {
    expect(await read(await signed({}, CLAIMS, Buffer.from(SECRETS[2])))).toBeUndefined();
  });

  it('is another token or key of this service', async () => {
    const access = await newAccessToken({ tenant: 'acme', clientId: 'anon_7' }, SECRETS, NOW);
    expect(await read(access)).toBeUndefined();
    expect(await read(newKey({ kind: 'mk', tenant: 'acme', id: 'k1' }, SECRETS).key)).toBeUndefined();
    const accessKey = createHmac('sha256', SECRETS[2]).update('access tokens of conversions').digest();
    expect(await read(await signed({}, CLAIMS, accessKey))).toBeUndefined();
  });

  it.each(['3', '', '__proto__', 'constructor', 'toString'])('is one that names the secret %j', async (kid) => {
    expect(await read(await signed({ kid }, CLAIMS))).toBeUndefined();
  });

  it('is one that names no secret', async () => {
    const { kid: _, ...header } = HEADER;
    expect(await read(byHand(header, CLAIMS))).toBeUndefined();
  });

  it.each(['none', 'None', 'NONE', ''])('is one of the algorithm %j, signed or not', async (alg) => {
    const token = byHand({ ...HEADER, alg }, CLAIMS);
    expect(await read(token)).toBeUndefined();
    expect(await read(token.slice(0, token.lastIndexOf('.') + 1))).toBeUndefined();
  });

  it.each(['HS384', 'HS512'])('is one of the algorithm %s with the right secret', async (alg) => {
    expect(await read(byHand({ ...HEADER, alg }, CLAIMS, alg.replace('HS', 'sha')))).toBeUndefined();
  });

  it('is one of an asymmetric algorithm', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ ...HEADER, alg: 'ES256' }).sign(privateKey);
    expect(await read(token)).toBeUndefined();
  });

  it.each([
    ['of another type', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['of the type of access tokens', { typ: 'at+jwt' }],
    ['with a critical extension', { crit: ['x'], x: 1 }],
  ])('is one %s', async (_which, header) => {
    expect(await read(byHand({ ...HEADER, ...header }, CLAIMS))).toBeUndefined();
  });

  it.each([
    ['of another issuer', { iss: 'another' }],
    ['for another audience', { aud: 'conversions' }],
    ['that is expired', { exp: issued - 1 }],
    ['that is not good yet', { nbf: issued + 60 }],
    ['whose app is no text', { app: 7 }],
    ['whose customer is no text', { sub: 7 as unknown as string }],
  ])('is one %s', async (_which, claims) => {
    expect(await read(byHand(HEADER, { ...CLAIMS, ...claims }))).toBeUndefined();
  });

  it.each(['iss', 'aud', 'exp', 'iat', 'sub', 'tenant', 'app'])('is one without %s', async (name) => {
    expect(await read(await signed({}, without(name)))).toBeUndefined();
  });

  it('is one whose claims or signature were changed', async () => {
    const [header = '', , signature = ''] = (await newAnonymousToken(SUBJECT, SECRETS, NOW)).split('.');
    expect(await read(`${header}.${base64url({ ...CLAIMS, sub: 'anon_8' })}.${signature}`)).toBeUndefined();
    expect(await read(`${header}.${base64url(CLAIMS)}.${signature.slice(0, -2)}`)).toBeUndefined();
    expect(await read(`${header}.${base64url(CLAIMS)}.`)).toBeUndefined();
  });

  it('is one with any character changed, cut or added', async () => {
    const token = await newAnonymousToken(SUBJECT, SECRETS, NOW);
    // Not the last one: its lowest bits are padding, which decoders ignore.
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 2), fc.constantFrom(...Array.from('aZ09_-.=')), async (at, character) => {
        fc.pre(token[at] !== character);
        expect(await read(token.slice(0, at) + character + token.slice(at + 1))).toBeUndefined();
        expect(await read(token.slice(0, at))).toBeUndefined();
      }),
      { numRuns: isThorough ? 300 : 60 },
    );
    expect(await read(`${token}.`)).toBeUndefined();
    expect(await read(` ${token}`)).toBeUndefined();
  });

  it('is one of more than 2,000 characters, however well it is signed', async () => {
    const long = (length: number) => signed({}, { ...CLAIMS, more: 'm'.repeat(length) });
    expect(await read(await long(1_000))).toBe('anon_7');
    expect(await read(await long(2_000))).toBeUndefined();
  });

  it('is any text', async () => {
    for (const text of ['', '.', '..', 'a.b.c', 'a.b', 'a.b.c.d', '\u0000', '{}.{}.{}']) {
      expect(await read(text)).toBeUndefined();
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: CODE_POINT }), async (text) => {
        expect(await read(text)).toBeUndefined();
      }),
    );
  });
});
