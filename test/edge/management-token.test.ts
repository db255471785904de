import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';
import { exportJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { callerOfToken, type TokenRules } from '../../functions/edge/management-token.ts';
import type { PersonStanding } from '../../shared/auth/person.ts';
import { CODE_POINT } from '../support/runner/code-points.ts';

const NOW = Date.UTC(2026, 0, 1);
const SECONDS = NOW / 1_000;
const ISSUER = 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_pool';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PUBLIC: JWK = await exportJWK(publicKey);
const NOT_VALID = { refused: 'The token is not valid.' };

const RITA: PersonStanding = {
  tenant: 'acme',
  role: 'reviewer',
  active: true,
  createdAt: '2025-12-01T00:00:00.700Z',
  lastSeenAt: new Date(NOW - 60_000).toISOString(),
};
const CREATED = Date.parse(RITA.createdAt.replace('.700', '')) / 1_000;
const peopleWith = (person: PersonStanding | undefined, seen: string[] = []) => ({
  byId: async (id: string) => (id === 'rita' ? person : undefined),
  recordRequest: async (id: string) => void seen.push(id),
});

const rules: TokenRules = {
  issuer: ISSUER,
  audiences: ['client', 'console'],
  consoleAudience: 'console',
  people: peopleWith(RITA),
  signingKeys: async (kid) => (kid === 'known' ? PUBLIC : undefined),
};
const read = (token: string, change: Partial<TokenRules> = {}) => callerOfToken(token, { ...rules, ...change }, NOW);

const CLAIMS = {
  iss: ISSUER,
  aud: 'client',
  exp: SECONDS + 60,
  token_use: 'id',
  'custom:tenant': 'acme',
};
interface Signature {
  readonly alg?: string;
  readonly kid?: string;
  readonly key?: KeyObject | Uint8Array;
}
function token(change: JWTPayload = {}, { alg = 'RS256', kid = 'known', key = privateKey }: Signature = {}) {
  return new SignJWT({ ...CLAIMS, ...change }).setProtectedHeader({ alg, kid }).sign(key);
}

describe('an ID token of the user pool', () => {
  it('stands for its tenant, with all scopes, and for an operator by the group alone', async () => {
    const identity = await read(await token({ sub: 'somebody' }));
    const person = {
      tenant: 'acme',
      operator: false,
      role: 'admin',
      scopes: ['manage'],
      credential: 'person',
      isConsole: false,
    };
    expect(identity).toEqual({ ...person, subject: 'somebody' });
    expect(await read(await token())).toEqual(person);
    const groups = { 'cognito:groups': ['auditor', 'operator'] };
    expect(await read(await token(groups))).toMatchObject({ tenant: 'acme', operator: true, role: 'operator' });
    expect(await read(await token({ 'cognito:groups': ['operators'] }))).toMatchObject({ operator: false });
    expect(await read(await token({ ...groups, 'custom:tenant': undefined }))).toMatchObject({ tenant: '' });
  });

  it('is one of the console by its audience alone', async () => {
    const own = { 'cognito:username': 'rita', auth_time: SECONDS };
    expect(await read(await token({ ...own, aud: 'console' }))).toMatchObject({ isConsole: true });
    expect(await read(await token({ ...own, aud: 'client', isConsole: true }))).toMatchObject({ isConsole: false });
    expect(await read(await token({ ...own, aud: ['console', 'other'] }))).toMatchObject({ isConsole: false });
  });

  describe('of the console', () => {
    const ENDED = { refused: 'The session has ended. Sign in again.' };
    const asRita = async (person: PersonStanding | undefined, change: JWTPayload = {}) => {
      const claims = { aud: 'console', 'cognito:username': 'rita', auth_time: SECONDS, ...change };
      return read(await token(claims), { people: peopleWith(person) });
    };

    it('has the role that the person has now, whatever its groups say', async () => {
      expect(await asRita(RITA)).toMatchObject({ role: 'reviewer', operator: false });
      expect(await asRita(RITA, { 'cognito:groups': ['operator'] })).toMatchObject({ operator: false });
      expect(await asRita({ ...RITA, role: 'operator' })).toMatchObject({ role: 'operator', operator: true });
    });

    it('is refused while the person is disabled, or unknown, or of another tenant', async () => {
      expect(await asRita({ ...RITA, active: false })).toEqual(ENDED);
      expect(await asRita(undefined)).toEqual(ENDED);
      expect(await asRita(RITA, { 'cognito:username': 'somebody' })).toEqual(ENDED);
      expect(await asRita(RITA, { 'cognito:username': undefined })).toEqual(ENDED);
      expect(await asRita({ ...RITA, tenant: 'other' })).toEqual(ENDED);
    });

    it('is refused if the sign-in is no later than the second of a sign-out, however often it was refreshed', async () => {
      const signedOut = { ...RITA, signedOutAt: new Date(NOW + 400).toISOString() };
      expect(await asRita(signedOut, { auth_time: SECONDS - 1 })).toEqual(ENDED);
      expect(await asRita(signedOut)).toEqual(ENDED);
      expect(await asRita(signedOut, { auth_time: SECONDS + 1 })).toMatchObject({ role: 'reviewer' });
      expect(await asRita(signedOut, { auth_time: undefined })).toEqual(ENDED);
    });

    it('is refused if the person was deleted and invited again after the sign-in', async () => {
      expect(await asRita(RITA, { auth_time: CREATED - 1 })).toEqual(ENDED);
      expect(await asRita(RITA, { auth_time: CREATED })).toMatchObject({ role: 'reviewer' });
    });

    it('records the first request of the person, and another one after an hour', async () => {
      const seen: string[] = [];
      const ask = async (lastSeenAt: string | undefined) => {
        const claims = { aud: 'console', 'cognito:username': 'rita', auth_time: SECONDS };
        await read(await token(claims), { people: peopleWith({ ...RITA, lastSeenAt }, seen) });
        return seen.length;
      };
      expect(await ask(undefined)).toBe(1);
      expect(await ask(new Date(NOW - 3_599_999).toISOString())).toBe(1);
      expect(await ask(new Date(NOW - 3_600_000).toISOString())).toBe(2);
    });
  });

  it('names its person for others to read: by the name, else by the name of the user, cut where it is long', async () => {
    const user = { 'cognito:username': 'rita-1' };
    expect(await read(await token(user))).toMatchObject({ name: 'rita-1' });
    expect(await read(await token({ ...user, name: 'Rita' }))).toMatchObject({ name: 'Rita' });
    expect(await read(await token({ name: 'R'.repeat(2_048) }))).toMatchObject({ name: 'R'.repeat(100) });
  });

  it('is refused from the second in which it expires', async () => {
    expect(await read(await token({ exp: SECONDS + 1 }))).toMatchObject({ tenant: 'acme' });
    expect(await read(await token({ exp: SECONDS }))).toEqual({ refused: 'The token has expired.' });
  });

  it.each<[string, JWTPayload]>([
    ['of another issuer', { iss: `${ISSUER}2` }],
    ['for another client', { aud: 'other' }],
    ['for no client', { aud: undefined, client_id: 'client' }],
    ['that never expires', { exp: undefined }],
    ['that is not valid yet', { nbf: SECONDS + 1 }],
    ['of the kind access', { token_use: 'access' }],
    ['of no kind', { token_use: undefined }],
    ['whose groups are no list', { 'cognito:groups': 'operator' }],
  ])('is refused if it is one %s', async (_what, change) => {
    expect(await read(await token(change))).toEqual(NOT_VALID);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['by nobody', () => new UnsecuredJWT(CLAIMS).encode()],
    ['with the public key as a shared secret', () => token({}, { alg: 'HS256', key: Buffer.from(PUBLIC.n ?? '') })],
    ['by another algorithm of the same key', () => token({}, { alg: 'RS512' })],
    ['by another algorithm of RSA', () => token({}, { alg: 'PS256' })],
    [
      'by a key of somebody else',
      () => token({}, { key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    ],
    ['by a key that the pool does not have', () => token({}, { kid: 'other' })],
  ])('is refused if it is signed %s', async (_how, made) => {
    expect(await read(await made())).toEqual(NOT_VALID);
  });

  it('is refused when any character of it is another one', async () => {
    const good = await token();
    // The last character of a part holds bits that are no data.
    const ends = Array.from(good)
      .flatMap((one, at) => (one === '.' ? [at - 1] : []))
      .concat(good.length - 1);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.constantFrom(...Array.from('abXY09-_.~')), async (at, character) => {
        fc.pre(good[at] !== character && !ends.includes(at));
        expect(await read(good.slice(0, at) + character + good.slice(at + 1))).toHaveProperty('refused');
      }),
      { numRuns: 200 },
    );
  });

  it('is refused, whatever else stands in its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: CODE_POINT }), async (text) => {
        expect(await read(text)).toEqual(NOT_VALID);
      }),
    );
  });

  it('is neither accepted nor refused while its key cannot be looked up', async () => {
    const signingKeys = () => Promise.reject(new Error('The issuer does not answer.'));
    await expect(read(await token(), { signingKeys })).rejects.toThrow('does not answer');
  });
});
