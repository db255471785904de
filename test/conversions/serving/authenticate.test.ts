import { createHmac } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { newAccessToken, TOKEN_SECONDS } from '../../../functions/conversions/billing/credentials/access-token.ts';
import { authenticator } from '../../../functions/conversions/serving/authenticate.ts';
import { Problem } from '../../../functions/conversions/serving/problem.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import { newKey } from '../../../shared/auth/self-proving-key.ts';

const SECRETS = { 1: 'the first server secret of the keys', 2: 'the second server secret of the keys' };
const NOW = Date.UTC(2026, 10, 15);
const live = newKey({ kind: 'cv_live', tenant: 'acme', id: 'kabc' }, SECRETS);
const test = newKey({ kind: 'cv_test', tenant: 'acme', id: 'kdef' }, SECRETS);
const SUBJECT = { tenant: 'acme', clientId: 'kclient' };

const authenticate = authenticator(
  async () => SECRETS,
  async (tenant) => ({ active: tenant !== 'suspended', apiIntegration: true }),
);
const caller = (authorization: string | undefined, now = NOW) => authenticate(authorization, now);
async function refused(authorization: string | undefined, now = NOW): Promise<Problem> {
  const result = await caller(authorization, now).catch((error: unknown) => error);
  if (result instanceof Problem) return result;
  throw new Error(`${authorization} was let in.`);
}

describe('a key', () => {
  it('that this service has made is its tenant in its mode', async () => {
    const expected = { tenant: 'acme', mode: 'live', credentialId: 'kabc', hash: live.hash };
    expect(await caller(`Bearer ${live.key}`)).toEqual(expected);
    expect(await caller(`bearer   ${live.key}  `)).toEqual(expected);
    expect(await caller(`Bearer ${test.key}`)).toMatchObject({ mode: 'test', credentialId: 'kdef' });
    const old = newKey({ kind: 'cv_live', tenant: 'acme', id: 'kold' }, { 1: SECRETS[1] });
    expect(await caller(`Bearer ${old.key}`)).toMatchObject({ credentialId: 'kold' });
  });

  it('that is changed or truncated anywhere is refused', async () => {
    for (let at = 0; at < live.key.length; at += 1) {
      const letter = live.key[at] === 'x' ? 'y' : 'x';
      expect((await refused(`Bearer ${live.key.slice(0, at)}${letter}${live.key.slice(at + 1)}`)).status).toBe(401);
      expect((await refused(`Bearer ${live.key.slice(0, at)}`)).status).toBe(401);
    }
  });

  it.each([
    [
      'of another service',
      newKey({ kind: 'cv_live', tenant: 'acme', id: 'kabc' }, { 1: 'the secret of another service' }).key,
    ],
    ['of another kind', newKey({ kind: 'cv_secret', tenant: 'acme', id: 'kabc' }, SECRETS).key],
    [
      'of a version that is gone',
      newKey({ kind: 'cv_live', tenant: 'acme', id: 'kabc' }, { 9: 'some other secret' }).key,
    ],
    ['in capitals', live.key.toUpperCase()],
    ['twice', `${live.key}${live.key}`],
    ['of 10,000 letters', `cv_live_${'a'.repeat(10_000)}`],
  ])('%s is refused', async (_what, key) => {
    expect(await refused(`Bearer ${key}`)).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('an Authorization header', () => {
  it.each([
    ['nothing', undefined],
    ['no text', ''],
    ['no scheme', live.key],
    ['another scheme', `Basic ${Buffer.from(`${live.key}:`).toString('base64')}`],
    ['only the scheme', 'Bearer '],
    ['two keys', `Bearer ${live.key}, Bearer ${test.key}`],
    ['signs that no credential has', 'Bearer ключ'],
  ])('of %s is refused, and the 401 says how to authenticate without repeating it', async (_what, header) => {
    const problem = await refused(header);
    expect(problem).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(problem.headers['www-authenticate']).toContain('Bearer');
    expect(problem.detail).not.toContain(live.key);
  });
});

/** As `access-token.ts` signs: the secret is known here, so that all but one thing can be right. */
const signingKey = (version: 1 | 2) =>
  new Uint8Array(createHmac('sha256', SECRETS[version]).update('access tokens of conversions').digest());
function tokenWith(header: object = {}, claims: object = {}) {
  const issued = NOW / 1_000;
  const all = {
    tenant: 'acme',
    sub: 'kclient',
    iss: 'five-services',
    aud: 'conversions',
    iat: issued,
    exp: issued + 900,
    ...claims,
  };
  const token = new SignJWT(all).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: '2', ...header });
  return { signed: (key: Parameters<typeof token.sign>[0] = signingKey(2)) => token.sign(key) };
}

/** Signed by hand: jose takes no short key for this algorithm. */
function resigned(token: string): string {
  const said = token.slice(0, token.lastIndexOf('.'));
  return `${said}.${createHmac('sha512', signingKey(2)).update(said).digest('base64url')}`;
}

describe('an access token', () => {
  it('stands for its test client until it expires', async () => {
    const token = await newAccessToken(SUBJECT, SECRETS, NOW);
    const expected = { tenant: 'acme', mode: 'test', credentialId: 'kclient' };
    expect(await caller(`Bearer ${token}`)).toEqual(expected);
    expect(await caller(`Bearer ${token}`, NOW + (TOKEN_SECONDS - 1) * 1_000)).toEqual(expected);
    expect((await refused(`Bearer ${token}`, NOW + TOKEN_SECONDS * 1_000)).detail).toContain('/oauth/token');
    expect(await caller(`Bearer ${await tokenWith().signed()}`)).toEqual(expected);
    expect(await caller(`Bearer ${await tokenWith({ kid: '1' }).signed(signingKey(1))}`)).toEqual(expected);
  });

  it.each([
    ['with the algorithm HS512', () => tokenWith({ alg: 'HS512' }).signed(new Uint8Array(64).fill(1))],
    [
      'with HS512 and the right key',
      async () => resigned(await tokenWith({ alg: 'HS512' }).signed(new Uint8Array(64))),
    ],
    ['with RS256', async () => tokenWith({ alg: 'RS256' }).signed((await generateKeyPair('RS256')).privateKey)],
    ['of another version', () => tokenWith({ kid: '1' }).signed()],
    ['of no version', () => tokenWith({ kid: undefined }).signed()],
    ['of a version that is no own member', () => tokenWith({ kid: '__proto__' }).signed()],
    ['of another type', () => tokenWith({ typ: 'JWT' }).signed()],
    ['of another issuer', () => tokenWith({}, { iss: 'others' }).signed()],
    ['for another audience', () => tokenWith({}, { aud: 'records' }).signed()],
    ['without an end', () => tokenWith({}, { exp: undefined }).signed()],
    ['without a beginning', () => tokenWith({}, { iat: undefined }).signed()],
    ['without a tenant', () => tokenWith({}, { tenant: undefined }).signed()],
    ['whose tenant is no text', () => tokenWith({}, { tenant: ['acme'] }).signed()],
    ['of another key', () => tokenWith().signed(new Uint8Array(32))],
  ])('%s is refused', async (_what, token) => {
    expect(await refused(`Bearer ${await token()}`)).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('without a signature, or with that of other claims, is refused', async () => {
    const [header, claims, signature] = (await newAccessToken(SUBJECT, SECRETS, NOW)).split('.');
    const none = new UnsecuredJWT({ tenant: 'acme', sub: 'kclient' }).setExpirationTime('1h').encode();
    const others = Buffer.from(JSON.stringify({ tenant: 'other', sub: 'kclient' })).toString('base64url');
    for (const token of [
      none,
      `${header}.${claims}.`,
      `${header}.${others}.${signature}`,
      `${header}.${claims}.${'A'.repeat(43)}`,
    ]) {
      expect((await refused(`Bearer ${token}`)).status).toBe(401);
    }
  });
});

it('a key and an access token of a suspended account are refused, whichever they open', async () => {
  const tenant = 'suspended';
  for (const kind of ['cv_live', 'cv_test']) {
    const { key } = newKey({ kind, tenant, id: 'kabc' }, SECRETS);
    expect(await refused(`Bearer ${key}`)).toMatchObject({ status: 403, code: 'account-suspended' });
  }
  const token = await newAccessToken({ tenant, clientId: 'kclient' }, SECRETS, NOW);
  expect(await refused(`Bearer ${token}`)).toMatchObject({ status: 403, code: 'account-suspended' });
  const forged = newKey({ kind: 'cv_live', tenant, id: 'kabc' }, { 1: 'a secret of somebody else' }).key;
  expect((await refused(`Bearer ${forged}`)).status).toBe(401);
});

it('a credential is neither accepted nor refused while the server secrets cannot be read', async () => {
  const blind = authenticator(
    async () => {
      throw new Error('Secrets Manager is down.');
    },
    async () => UNRESTRICTED,
  );
  await expect(blind(`Bearer ${live.key}`, NOW)).rejects.toMatchObject({ status: 503, code: 'unavailable' });
  await expect(blind(undefined, NOW)).rejects.toMatchObject({ status: 401 });
});
