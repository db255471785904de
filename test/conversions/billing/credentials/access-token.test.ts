import { createHmac, generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { newAccessToken, subjectOf } from '../../../../functions/conversions/billing/credentials/access-token.ts';
import { newKey } from '../../../../shared/auth/self-proving-key.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const SECRETS = { 1: 'the first secret', 2: 'the second secret' };
const SUBJECT = { tenant: 'acme', clientId: 'k123456789' };
const issued = NOW / 1_000;

/** As the service derives it: a test that signs for itself must know how. */
const keyOf = (secret: string) => createHmac('sha256', secret).update('access tokens of conversions').digest();
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'HS256', typ: 'at+jwt', kid: '2' };
const CLAIMS: JWTPayload = {
  tenant: 'acme',
  sub: 'k123456789',
  iss: 'five-services',
  aud: 'conversions',
  iat: issued,
  exp: issued + 900,
};
const without = (name: string) => Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name));

const signed = (header: object, claims: JWTPayload, key: Uint8Array = keyOf(SECRETS[2])) =>
  new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header }).sign(key);
const read = (token: string, now = NOW, secrets: Record<string, string> = SECRETS) => subjectOf(token, secrets, now);

describe('an access token', () => {
  it('stands for its client for a quarter of an hour', async () => {
    const token = await newAccessToken(SUBJECT, SECRETS, NOW);
    expect(await read(token)).toEqual(SUBJECT);
    expect(await read(token, NOW + 899_999)).toEqual(SUBJECT);
    expect(await read(token, NOW + 900_000)).toBeUndefined();
  });

  it('is what a test signs in the same way', async () => {
    expect(await read(await signed({}, CLAIMS))).toEqual(SUBJECT);
  });

  it('is signed with the newest secret, and good as long as that one is listed', async () => {
    const token = await newAccessToken(SUBJECT, { 1: SECRETS[1] }, NOW);
    expect(await read(token)).toEqual(SUBJECT);
    expect(await read(token, NOW, { 2: SECRETS[2] })).toBeUndefined();
    const [header = ''] = (await newAccessToken(SUBJECT, SECRETS, NOW)).split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual(HEADER);
  });

  it('cannot be made without a secret', async () => {
    await expect(newAccessToken(SUBJECT, {}, NOW)).rejects.toThrow('no key');
  });
});

describe('no access token', () => {
  it('is one signed with a foreign secret', async () => {
    expect(await read(await signed({}, CLAIMS, keyOf('a foreign secret')))).toBeUndefined();
  });

  it('is one signed with the server secret itself, which proves keys', async () => {
    expect(await read(await signed({}, CLAIMS, Buffer.from(SECRETS[2])))).toBeUndefined();
  });

  it('is one signed with the secret of another version than it names', async () => {
    expect(await read(await signed({ kid: '1' }, CLAIMS))).toBeUndefined();
  });

  it.each(['3', '', '__proto__', 'constructor', 'toString'])('is one that names the secret %j', async (kid) => {
    expect(await read(await signed({ kid }, CLAIMS))).toBeUndefined();
  });

  it('is one that names no secret', async () => {
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' }).sign(keyOf(SECRETS[2]));
    expect(await read(token)).toBeUndefined();
  });

  it.each(['none', 'None', 'NONE', ''])('is one of the algorithm %j, signed or not', async (alg) => {
    const text = `${base64url({ ...HEADER, alg })}.${base64url(CLAIMS)}`;
    const signature = createHmac('sha256', keyOf(SECRETS[2])).update(text).digest('base64url');
    expect(await read(`${text}.`)).toBeUndefined();
    expect(await read(`${text}.${signature}`)).toBeUndefined();
  });

  it.each(['HS384', 'HS512'])('is one of the algorithm %s with the right secret', async (alg) => {
    const long = Buffer.concat([keyOf(SECRETS[2]), keyOf(SECRETS[2])]);
    expect(await read(await signed({ alg }, CLAIMS, long))).toBeUndefined();
    const text = `${base64url({ ...HEADER, alg })}.${base64url(CLAIMS)}`;
    const signature = createHmac(alg.replace('HS', 'sha'), keyOf(SECRETS[2])).update(text).digest('base64url');
    expect(await read(`${text}.${signature}`)).toBeUndefined();
  });

  it('is one of an asymmetric algorithm', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ ...HEADER, alg: 'ES256' }).sign(privateKey);
    expect(await read(token)).toBeUndefined();
  });

  it.each([
    ['of another type', { typ: 'JWT' }],
    ['without a type', { typ: undefined }],
    ['with a critical extension', { crit: ['x'], x: 1 }],
  ])('is one %s', async (_which, header) => {
    const text = `${base64url({ ...HEADER, ...header })}.${base64url(CLAIMS)}`;
    const signature = createHmac('sha256', keyOf(SECRETS[2])).update(text).digest('base64url');
    expect(await read(`${text}.${signature}`)).toBeUndefined();
  });

  it.each([
    ['of another issuer', { iss: 'another' }],
    ['for another audience', { aud: 'webhooks' }],
    ['that is expired', { exp: issued - 1 }],
    ['that is not good yet', { nbf: issued + 60 }],
    ['whose tenant is no text', { tenant: 7 }],
  ])('is one %s', async (_which, claims) => {
    expect(await read(await signed({}, { ...CLAIMS, ...claims }))).toBeUndefined();
  });

  it.each(['iss', 'aud', 'exp', 'iat', 'sub', 'tenant'])('is one without %s', async (name) => {
    expect(await read(await signed({}, without(name)))).toBeUndefined();
  });

  it('is one whose claims or signature were changed', async () => {
    const [header = '', , signature = ''] = (await newAccessToken(SUBJECT, SECRETS, NOW)).split('.');
    expect(await read(`${header}.${base64url({ ...CLAIMS, tenant: 'victim' })}.${signature}`)).toBeUndefined();
    expect(await read(`${header}.${base64url(CLAIMS)}.${signature.slice(0, -2)}`)).toBeUndefined();
    expect(await read(`${header}.${base64url(CLAIMS)}.`)).toBeUndefined();
  });

  it.each(['', '.', '..', 'a.b.c', 'a.b', 'a.b.c.d', '\u0000', '{}.{}.{}'])('is the text %j', async (text) => {
    expect(await read(text)).toBeUndefined();
  });

  it('is a key of the service', async () => {
    expect(await read(newKey({ kind: 'cv_live', tenant: 'acme', id: 'k1' }, SECRETS).key)).toBeUndefined();
  });
});
