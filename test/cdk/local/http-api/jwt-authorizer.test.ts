import { generateKeyPairSync } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { authorize, TokenIssuers } from '../../../../cdk/local/http-api/jwt-authorizer.ts';

const ISSUER = 'https://issuer.example';
const NOW = new Date('2026-03-01T12:00:00Z');
const seconds = NOW.getTime() / 1000;
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 });

const issuers = new TokenIssuers();
issuers.add(ISSUER, (keyId) => (keyId === 'key' ? publicKey : undefined));

const good: JWTPayload = { iss: ISSUER, aud: 'client', sub: 'user', iat: seconds - 10, exp: seconds + 60 };

const sign = (claims: JWTPayload, { key = privateKey, kid = 'key', alg = 'RS256' } = {}) =>
  new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);

function check(header: string | undefined, scopes: string[] = [], identitySource = '$request.header.Authorization') {
  const request = {
    method: 'GET',
    target: '/?token=nothing',
    rawHeaders: header === undefined ? [] : ['authorization', header],
    body: Buffer.alloc(0),
    sourceIp: '127.0.0.1',
    requestId: 'r',
    time: NOW,
  };
  return authorize(request, {
    authorizer: { issuer: ISSUER, audience: ['client', 'other'], identitySource },
    scopes,
    issuers,
  });
}

describe('a good token', () => {
  it('lets the caller in, with or without Bearer', async () => {
    const token = await sign(good);
    expect(await check(`Bearer ${token}`)).toMatchObject({ kind: 'allowed', scopes: null });
    expect(await check(token)).toMatchObject({ kind: 'allowed' });
  });

  it('hands over its claims as text', async () => {
    const token = await sign({ ...good, 'cognito:groups': ['a', 'b'], flag: true, nested: { x: 1 }, nothing: null });
    expect(await check(`Bearer ${token}`)).toMatchObject({
      claims: {
        sub: 'user',
        exp: String(seconds + 60),
        'cognito:groups': '[a b]',
        flag: 'true',
        nested: '{"x":1}',
        nothing: 'null',
      },
    });
  });

  it('may name its client instead of an audience', async () => {
    const { aud: _, ...rest } = good;
    expect(await check(await sign({ ...rest, client_id: 'other' }))).toMatchObject({ kind: 'allowed' });
  });

  it('needs one of the scopes of the route', async () => {
    const token = await sign({ ...good, scope: 'read write' });
    expect(await check(token, ['write', 'admin'])).toMatchObject({ kind: 'allowed', scopes: ['read', 'write'] });
    expect(await check(token, ['admin'])).toEqual({
      kind: 'forbidden',
      challenge: 'Bearer scope="admin" error="insufficient_scope"',
      reason: 'insufficient_scope',
    });
    expect(await check(await sign({ ...good, scp: ['admin'] }), ['admin'])).toMatchObject({ kind: 'allowed' });
  });
});

describe('a request without a good token', () => {
  it('is asked for one', async () => {
    expect(await check(undefined)).toMatchObject({ kind: 'unauthorized', challenge: 'Bearer' });
    expect(await check('')).toMatchObject({ kind: 'unauthorized' });
  });

  it.each<[string, () => Promise<string>]>([
    ['has expired', () => sign({ ...good, exp: seconds })],
    ['never expires', () => sign({ iss: ISSUER, aud: 'client' })],
    ['is not valid yet', () => sign({ ...good, nbf: seconds + 1 })],
    ['is from the future', () => sign({ ...good, iat: seconds + 1 })],
    ['is of another issuer', () => sign({ ...good, iss: 'https://other.example' })],
    ['is for another audience', () => sign({ ...good, aud: 'stranger' })],
    ['is for nobody', () => sign({ ...good, aud: [] })],
    ['is signed with an unknown key', () => sign(good, { kid: 'unknown' })],
    ['is signed by a stranger', () => sign(good, { key: stranger.privateKey })],
    ['is signed in another way', () => sign(good, { alg: 'PS256' })],
    ['is no token', () => Promise.resolve('abc.def.ghi')],
    ['is a password', () => Promise.resolve('Basic dXNlcjpwYXNz')],
  ])('is refused: it %s', async (_, token) => {
    expect(await check(`Bearer ${await token()}`)).toMatchObject({
      kind: 'unauthorized',
      challenge: expect.stringContaining('error="invalid_token"'),
    });
  });

  it('is refused when an unsigned token claims to be good', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = `${part({ alg: 'none', kid: 'key' })}.${part(good)}.`;
    expect(await check(forged)).toMatchObject({ kind: 'unauthorized' });
  });
});

describe('an issuer whose keys are not on this machine', () => {
  it('is refused at the start', () => {
    expect(() => issuers.require('https://elsewhere.example')).toThrow('is no user pool of this cloud');
  });
});
