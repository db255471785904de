import { beforeEach, describe, expect, it } from 'vitest';
import type { HttpEvent } from '../../../shared/http/http-handler.ts';
import { newAnonymousToken } from '../../../shared/loyalty/anonymous-token.ts';
import { AppSettings, type KnownApp } from '../../../shared/loyalty/app.ts';
import { appSecretHash } from '../../../shared/loyalty/app-secret.ts';
import type { KnownCustomer } from '../../../shared/loyalty/customer.ts';
import { loyaltyCallers, requireCustomer } from '../../../shared/loyalty/loyalty-caller.ts';
import { presentCustomer } from '../../../shared/loyalty/present-customer.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const SECRETS = { 1: 'the first secret' };

const appOf = (id: string, tenant: string, secret: string): KnownApp => ({
  ...AppSettings.parse({ name: id }),
  id,
  tenant,
  createdAt: '2026-01-01T00:00:00.000Z',
  secretHash: appSecretHash(secret),
});

/** What the accounts table holds, and how often it was read. */
let apps: Map<string, KnownApp>;
let customers: Map<string, KnownCustomer>;
let reads: string[];
let active: boolean;
let erased: Set<string>;
let identify: ReturnType<typeof loyaltyCallers>;
beforeEach(() => {
  apps = new Map([
    ['shop', appOf('shop', 'acme', 's:e:cret')],
    ['other', appOf('other', 'else', 'hidden')],
  ]);
  customers = new Map([
    ['acme/u1', { id: 'u1', externalId: 'ext 1' }],
    ['acme/u2', { id: 'u2' }],
    ['else/u3', { id: 'u3', externalId: 'ext 3' }],
  ]);
  reads = [];
  active = true;
  erased = new Set();
  identify = loyaltyCallers({
    apps: {
      byId: async (id) => {
        reads.push(id);
        return apps.get(id);
      },
    },
    customers: {
      byId: async ({ tenant, id }) => {
        reads.push(`${tenant}/${id}`);
        return customers.get(`${tenant}/${id}`);
      },
      byExternalId: async (tenant, externalId) => {
        reads.push(`${tenant}//${externalId}`);
        return [...customers]
          .filter(([key]) => key.startsWith(`${tenant}/`))
          .map(([, one]) => one)
          .find((one) => one.externalId === externalId);
      },
      anonymous: async ({ tenant, id }) => (erased.has(`${tenant}/${id}`) ? undefined : { id }),
    },
    secretsOf: async () => SECRETS,
    statusOf: async () => ({ active, apiIntegration: true }),
  });
});

interface Call {
  readonly path?: Readonly<Record<string, string | undefined>>;
  readonly basic?: string;
  readonly authorization?: string;
  readonly query?: string;
  readonly at?: number;
}

function priv({ path = {}, basic, authorization, query = '', at = NOW }: Call = {}) {
  const header = basic === undefined ? authorization : `Basic ${Buffer.from(basic).toString('base64')}`;
  return identify(event('/priv/v1/apps/{api_key}/x', { api_key: 'shop', ...path }, query, header), at);
}
const api = ({ path = {}, query = '', authorization, at = NOW }: Call = {}) =>
  identify(event('/api/v1/apps/{api_key}/x', { api_key: 'shop', ...path }, query, authorization), at);
const event = (route: string, pathParameters: object, rawQueryString: string, authorization: string | undefined) =>
  ({
    routeKey: `GET ${route}`,
    pathParameters,
    rawQueryString,
    headers: authorization === undefined ? {} : { authorization },
  }) as unknown as HttpEvent;

const GOOD = 'shop:s:e:cret';
const denied = { status: 401, code: 'access_denied' };
const tokenOf = (change: object = {}, now = NOW, secrets = SECRETS) =>
  newAnonymousToken({ tenant: 'acme', app: 'shop', customer: 'anon_1', ...change }, secrets, now);

describe('an anonymous customer', () => {
  it('is refused within ten seconds of being erased, in its own tenant alone', async () => {
    const query = `auth_token=${await tokenOf()}`;
    erased.add('else/anon_1');
    expect((await api({ query })).customer).toEqual({ id: 'anon_1', anonymous: true });
    erased.add('acme/anon_1');
    const refused = { status: 401, code: 'invalid_auth_token' };
    await expect(api({ query, at: NOW + 10_000 })).rejects.toMatchObject(refused);
    await expect(priv({ basic: GOOD, query, at: NOW + 10_000 })).rejects.toMatchObject(refused);
  });
});

describe('a caller of /priv', () => {
  it('is the app whose key and secret it sends, without a customer if it names none', async () => {
    const caller = await priv({ basic: GOOD });
    expect(caller.app).toMatchObject({ id: 'shop', tenant: 'acme', limit: 20 });
    expect(caller.customer).toBeUndefined();
  });

  it.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Bearer abc' }],
    ['no base64', { authorization: 'Basic shop:s:e:cret' }],
    ['no colon', { basic: 'shop' }],
    ['a wrong secret', { basic: 'shop:wrong' }],
    ['no secret', { basic: 'shop:' }],
    ['a part of the secret', { basic: 'shop:s' }],
    ['the secret of another app', { basic: 'shop:hidden' }],
    ['the hash in place of the secret', { basic: `shop:${appSecretHash('s:e:cret')}` }],
    ['the key and secret of another app than that of the path', { basic: 'other:hidden' }],
    ['the key of another app, with the secret of that of the path', { basic: 'other:s:e:cret' }],
  ])('is refused with %s', async (_what, call) => {
    await expect(priv(call)).rejects.toMatchObject(denied);
  });

  it.each(['nobody:s:e:cret', ':s:e:cret', `${'k'.repeat(101)}:s:e:cret`])(
    'gets an error that the api key is unknown: %j',
    async (basic) => {
      await expect(priv({ basic })).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    },
  );

  it('is refused where the path names no app, or names it in another way', async () => {
    for (const key of ['', 'Shop', 'shop ', 'other']) {
      await expect(priv({ basic: GOOD, path: { api_key: key } })).rejects.toMatchObject(denied);
    }
  });

  it('names a customer by id or by external id', async () => {
    const { customer } = await priv({ basic: GOOD, path: { user_id: 'u1' } });
    expect(customer).toEqual({ id: 'u1', externalId: 'ext 1', anonymous: false });
    const { customer: same } = await priv({ basic: GOOD, path: { external_id: 'ext 1' } });
    expect(same).toEqual(customer);
    expect((await priv({ basic: GOOD, path: { user_id: 'u2' } })).customer).toEqual({ id: 'u2', anonymous: false });
  });

  it.each([
    { user_id: 'nobody' },
    { user_id: 'u3' },
    { user_id: '' },
    { user_id: 'ext 1' },
    { user_id: 'anon_1' },
    { user_id: 'u'.repeat(101) },
    { external_id: 'nobody' },
    { external_id: 'ext 3' },
    { external_id: '' },
    { external_id: 'u1' },
    { external_id: 'e'.repeat(201) },
  ])('gets an error that its tenant has no customer %j', async (path) => {
    await expect(priv({ basic: GOOD, path })).rejects.toMatchObject({ status: 404, code: 'user_not_found' });
  });

  it('learns of no customer without the secret', async () => {
    await expect(priv({ basic: 'shop:wrong', path: { user_id: 'u1' } })).rejects.toMatchObject(denied);
    await expect(priv({ basic: 'shop:wrong', path: { user_id: 'nobody' } })).rejects.toMatchObject(denied);
    expect(reads).toEqual(['shop']);
  });

  it('names an anonymous customer by auth_token, where the path names none', async () => {
    const query = `auth_token=${await tokenOf()}`;
    expect((await priv({ basic: GOOD, query })).customer).toEqual({ id: 'anon_1', anonymous: true });
    expect((await priv({ basic: GOOD, query, path: { user_id: 'u1' } })).customer?.id).toBe('u1');
  });

  it('is refused with an invalid auth_token, instead of being served without one', async () => {
    for (const token of ['', 'x', await tokenOf({ app: 'other' })]) {
      await expect(priv({ basic: GOOD, query: `auth_token=${token}` })).rejects.toMatchObject({
        status: 401,
        code: 'invalid_auth_token',
      });
    }
  });

  it('needs the secret, whatever token it has', async () => {
    await expect(priv({ query: `auth_token=${await tokenOf()}` })).rejects.toMatchObject(denied);
  });
});

describe('while its account is suspended', () => {
  const suspended = { status: 403, code: 'account_suspended' };

  it('an app is refused with the secret, and learns nothing without it', async () => {
    active = false;
    await expect(priv({ basic: GOOD })).rejects.toMatchObject(suspended);
    await expect(priv({ basic: GOOD, path: { user_id: 'nobody' } })).rejects.toMatchObject(suspended);
    await expect(priv({ basic: 'shop:wrong' })).rejects.toMatchObject(denied);
  });

  it('an anonymous customer is refused with a good token, and learns nothing with another', async () => {
    active = false;
    await expect(api({ query: `auth_token=${await tokenOf()}` })).rejects.toMatchObject(suspended);
    await expect(api({ query: 'auth_token=x' })).rejects.toMatchObject({ status: 401, code: 'invalid_auth_token' });
  });
});

describe('a caller of /api', () => {
  it('is an anonymous customer of the app, by its token', async () => {
    const { app, customer } = await api({ query: `auth_token=${await tokenOf()}` });
    expect([app.id, customer]).toEqual(['shop', { id: 'anon_1', anonymous: true }]);
  });

  it('names an app that exists', async () => {
    const query = `auth_token=${await tokenOf({ app: 'nobody' })}`;
    for (const key of ['nobody', '', 'k'.repeat(101)]) {
      await expect(api({ path: { api_key: key }, query })).rejects.toMatchObject({
        status: 401,
        code: 'invalid_api_key',
      });
    }
  });

  it('needs a token of this app, of this service, that has not expired', async () => {
    const bad = [
      '',
      'auth_token=',
      'auth_token=x',
      `Auth_Token=${await tokenOf()}`,
      `auth_token=${await tokenOf({ app: 'other' })}`,
      `auth_token=${await tokenOf({ tenant: 'else' })}`,
      `auth_token=${await tokenOf({}, NOW - 30 * 86_400_000)}`,
      `auth_token=${await tokenOf({}, NOW, { 1: 'a foreign secret' })}`,
      `auth_token=${'x'.repeat(100_000)}`,
    ];
    for (const query of bad) {
      await expect(api({ query }), query.slice(0, 60)).rejects.toMatchObject({
        status: 401,
        code: 'invalid_auth_token',
      });
    }
  });

  it('is not identified by key and secret', async () => {
    const authorization = `Basic ${Buffer.from(GOOD).toString('base64')}`;
    await expect(api({ authorization })).rejects.toMatchObject({ code: 'invalid_auth_token' });
  });

  it('sends the token in any encoding of a query, and only once', async () => {
    const token = await tokenOf();
    const encoded = token.replaceAll('.', '%2E');
    expect((await api({ query: `a=b&auth%5Ftoken=${encoded}` })).customer?.id).toBe('anon_1');
    await expect(api({ query: `auth_token=${token}&auth_token=x` })).rejects.toMatchObject({ code: 'argument_error' });
    await expect(api({ query: `auth_token=x&auth_token=${token}` })).rejects.toMatchObject({
      code: 'invalid_auth_token',
    });
  });
});

describe('the cache of callers', () => {
  it('reads once in ten seconds', async () => {
    const call = (at: number) => priv({ basic: GOOD, path: { user_id: 'u1' }, at });
    await call(NOW);
    await call(NOW + 9_999);
    expect(reads).toEqual(['shop', 'acme/u1']);
    await call(NOW + 10_000);
    expect(reads).toEqual(['shop', 'acme/u1', 'shop', 'acme/u1']);
  });

  it('forgets a deleted app, secret or customer within ten seconds', async () => {
    await priv({ basic: GOOD, path: { user_id: 'u1' } });
    customers.delete('acme/u1');
    const user = { basic: GOOD, path: { user_id: 'u1' }, at: NOW + 10_000 };
    await expect(priv(user)).rejects.toMatchObject({ code: 'user_not_found' });
    apps.set('shop', appOf('shop', 'acme', 'a new one'));
    await expect(priv({ basic: GOOD, at: NOW + 20_000 })).rejects.toMatchObject(denied);
    expect((await priv({ basic: 'shop:a new one', at: NOW + 20_000 })).app.id).toBe('shop');
    apps.delete('shop');
    const gone = priv({ basic: 'shop:a new one', at: NOW + 30_000 });
    await expect(gone).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('never remembers that a customer does not exist: a new one is served at once', async () => {
    await expect(priv({ basic: GOOD, path: { user_id: 'u9' } })).rejects.toMatchObject({ code: 'user_not_found' });
    customers.set('acme/u9', { id: 'u9' });
    expect((await priv({ basic: GOOD, path: { user_id: 'u9' } })).customer?.id).toBe('u9');
  });

  it('remembers for a minute that an app does not exist, because nobody can have its key before it does', async () => {
    const call = (at: number) => priv({ basic: 'nobody:s', path: { api_key: 'nobody' }, at });
    for (const at of [NOW, NOW + 1, NOW + 59_999]) {
      await expect(call(at)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
    expect(reads).toEqual(['nobody']);
    await expect(call(NOW + 60_000)).rejects.toMatchObject({ code: 'invalid_api_key' });
    expect(reads).toEqual(['nobody', 'nobody']);
  });

  it('does not look up ids that are longer than any', async () => {
    const long = 'k'.repeat(3_000);
    await expect(priv({ basic: `${long.slice(0, 500)}:s` })).rejects.toThrow();
    await expect(api({ path: { api_key: long } })).rejects.toThrow();
    expect(reads).toEqual([]);
    await expect(priv({ basic: GOOD, path: { user_id: long } })).rejects.toThrow();
    await expect(priv({ basic: GOOD, path: { external_id: long } })).rejects.toThrow();
    expect(reads).toEqual(['shop']);
  });

  it('is separate per tenant, and for ids and external ids', async () => {
    customers.set('acme/same', { id: 'same' });
    customers.set('acme/x', { id: 'x', externalId: 'same' });
    expect((await priv({ basic: GOOD, path: { user_id: 'same' } })).customer?.id).toBe('same');
    expect((await priv({ basic: GOOD, path: { external_id: 'same' } })).customer?.id).toBe('x');
    const other = { basic: 'other:hidden', path: { api_key: 'other', user_id: 'same' } };
    await expect(priv(other)).rejects.toMatchObject({ code: 'user_not_found' });
  });
});

describe('a customer', () => {
  it('is required by a call that cannot do without', async () => {
    const caller = await priv({ basic: GOOD });
    expect(() => requireCustomer(caller)).toThrow(
      expect.objectContaining({ status: 200, code: 'requires_registered_user' }),
    );
    expect(requireCustomer(await priv({ basic: GOOD, path: { user_id: 'u1' } })).id).toBe('u1');
  });

  it('is shown by its ids only, and an anonymous one by its id', () => {
    const stored = { id: 'u1', externalId: 'ext 1', email: 'a@example.com', attributes: { a: 1 } };
    expect(presentCustomer({ ...stored, anonymous: false })).toEqual({ id: 'u1', external_id: 'ext 1' });
    expect(presentCustomer({ id: 'u2', anonymous: false })).toEqual({ id: 'u2' });
    expect(presentCustomer({ ...stored, anonymous: true })).toEqual({ id: 'u1' });
  });
});
