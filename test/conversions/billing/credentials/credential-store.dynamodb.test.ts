import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mode } from '../../../../functions/conversions/billing/balances/account.ts';
import {
  type Credential,
  createCredential,
  presentClient,
  presentKey,
  revokeCredential,
} from '../../../../functions/conversions/billing/credentials/credential.ts';
import {
  CLIENT_SECRET_KIND,
  KEY_KINDS,
} from '../../../../functions/conversions/billing/credentials/credential-kinds.ts';
import { credentialStore } from '../../../../functions/conversions/billing/credentials/credential-store.dynamodb.ts';
import { AccountCache } from '../../../../functions/conversions/billing/metering/account-cache.ts';
import { admit } from '../../../../functions/conversions/billing/metering/meter.ts';
import { meterStore } from '../../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { provenKey } from '../../../../shared/auth/self-proving-key.ts';
import type { Table } from '../../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import { BOOKED_AT, booked, itemOf, itemsOf, killedEverywhere } from '../../../support/conversions/booked-accounts.ts';

const SECRETS = { 1: 'a secret of the server' };
const NOW = BOOKED_AT;
const page = { limit: 50 };

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'conversions');
});
afterAll(() => endpoint.close());

const account = () => booked(table, 'growth', { credentials: {} });
interface CredentialInput {
  readonly kind?: Credential['kind'];
  readonly mode?: Mode;
  readonly on?: Table;
  readonly now?: number;
}
const create = (tenant: string, { kind = 'key', mode = 'live', on = table, now = NOW }: CredentialInput = {}) =>
  createCredential(credentialStore(on), { tenant, kind, mode }, { secrets: SECRETS, now });
const revoke = (credential: Pick<Credential, 'tenant' | 'id' | 'kind'>, on = table) =>
  revokeCredential(credentialStore(on), { tenant: credential.tenant, id: credential.id, kind: credential.kind }, NOW);
const inline = async (tenant: string) => Object.keys((await itemOf(table, tenant)).credentials);
const idsOf = async (tenant: string, kind: Credential['kind']) =>
  (await credentialStore(table).list(tenant, kind, page)).items.map(({ id }) => id);

/** Returns whether the meter takes it, in a function that knows nothing yet. */
async function works({ credential, secret }: { credential: Credential; secret: string }): Promise<boolean> {
  const { tenant, id, mode, kind } = credential;
  const proven = provenKey(secret, [...Object.values(KEY_KINDS), CLIENT_SECRET_KIND], SECRETS);
  if (proven?.id !== id || proven.tenant !== tenant) throw new Error('The secret does not prove its credential.');
  const store = meterStore(table, { advance: async () => undefined, now: () => NOW });
  const parts = { store, cache: new AccountCache(), now: () => NOW * 1_000, report: () => undefined };
  const caller = { tenant, mode: kind === 'client' ? ('test' as const) : mode, credentialId: id, hash: proven.hash };
  return (await admit(parts, { caller, counts: false }, AbortSignal.timeout(60_000))).kind === 'admitted';
}

describe('a credential', () => {
  it('is found by the meter in the account, and its secret is stored nowhere', async () => {
    const tenant = await account();
    const live = await create(tenant);
    const test = await create(tenant, { mode: 'test' });
    const client = await create(tenant, { kind: 'client', mode: 'test' });
    expect(live.secret).toMatch(new RegExp(`^cv_live_${tenant}_k[a-z0-9]{9}_`));
    expect(test.secret).toMatch(/^cv_test_/);
    expect(client.secret).toMatch(/^cv_secret_/);
    for (const one of [live, test, client]) expect(await works(one)).toBe(true);
    const { credentials: ks } = await itemOf(table, tenant);
    expect(ks).toEqual({
      [live.credential.id]: { mode: 'live', state: 'active', hash: live.credential.hash },
      [test.credential.id]: { mode: 'test', state: 'active', hash: test.credential.hash },
      [client.credential.id]: { mode: 'test', state: 'active', hash: client.credential.hash },
    });
    const stored = JSON.stringify([ks, await credentialStore(table).list(tenant, 'key', page)]);
    for (const { secret } of [live, test, client]) expect(stored).not.toContain(secret);
  });

  it('changes no version of the limits', async () => {
    const tenant = await account();
    const one = await create(tenant);
    await revoke(one.credential);
    expect((await itemOf(table, tenant)).version).toBe(1);
  });

  it('is presented without hash and tenant', async () => {
    const { credential } = await create(await account());
    const createdAt = new Date(NOW).toISOString();
    const { id, tenant } = credential;
    const key = {
      id,
      name: null,
      mode: 'live',
      prefix: `cv_live_${tenant}_${id}_`,
      createdAt,
      createdBy: null,
      lastUsedAt: null,
    };
    expect(presentKey(credential)).toEqual(key);
    expect(presentClient({ ...credential, mode: 'test', revokedAt: 'then' })).toEqual({
      id: credential.id,
      clientId: credential.id,
      mode: 'test',
      createdAt,
      createdBy: null,
      lastUsedAt: null,
      revokedAt: 'then',
    });
  });

  it('beyond twelve is an item of its own, which works like the others', async () => {
    const tenant = await account();
    const made = [];
    for (let n = 0; n < 14; n += 1) made.push(await create(tenant, { now: NOW + n }));
    expect(made.map(({ credential: { id } }) => id[0]).join('')).toBe('kkkkkkkkkkkkxx');
    expect(await inline(tenant)).toHaveLength(12);
    for (const one of made) expect(await works(one)).toBe(true);
    expect(await idsOf(tenant, 'key')).toEqual(made.map(({ credential: { id } }) => id).toReversed());
  });

  it('made by thirty at the same time is in the account twelve times, and all work', async () => {
    const tenant = await account();
    const made = await Promise.all(Array.from({ length: 30 }, () => create(tenant)));
    expect(await inline(tenant)).toHaveLength(12);
    expect(made.filter(({ credential: { id } }) => id.startsWith('k'))).toHaveLength(12);
    expect(await Promise.all(made.map(works))).toEqual(Array.from({ length: 30 }, () => true));
    expect(await idsOf(tenant, 'key')).toHaveLength(30);
  });

  it('of an account that does not exist is a 404, and nothing is stored', async () => {
    await expect(create('nobody')).rejects.toMatchObject({ status: 404, code: 'not-found' });
    expect(await idsOf('nobody', 'key')).toEqual([]);
  });

  it('made by a process that dies on the way is there whole or not at all', async () => {
    const tenants = await killedEverywhere(table, account, (mortal, tenant) => create(tenant, { on: mortal }));
    for (const tenant of tenants)
      expect((await inline(tenant)).toSorted()).toEqual((await idsOf(tenant, 'key')).toSorted());
  });
});

describe('a credential that is revoked', () => {
  it('stops at once in the account, leaves its place to another, and is listed with the time', async () => {
    const tenant = await account();
    const made = [];
    for (let n = 0; n < 12; n += 1) made.push(await create(tenant));
    const [first] = made;
    await revoke(first!.credential);
    expect(await works(first!)).toBe(false);
    expect(await works(made[1]!)).toBe(true);
    const next = await create(tenant);
    expect(next.credential.id).toMatch(/^k/);
    expect(await works(next)).toBe(true);
    const { items } = await credentialStore(table).list(tenant, 'key', page);
    expect(items.filter(({ revokedAt }) => revokedAt !== undefined).map(({ id }) => id)).toEqual([
      first!.credential.id,
    ]);
  });

  it('stops where it is an item of its own, for every function that has not seen it', async () => {
    const tenant = await account();
    for (let n = 0; n < 12; n += 1) await create(tenant);
    const outside = await create(tenant);
    expect(await works(outside)).toBe(true);
    await revoke(outside.credential);
    expect(await works(outside)).toBe(false);
    expect(await inline(tenant)).toHaveLength(12);
  });

  it('may be revoked again and by many at the same time, and keeps the first time', async () => {
    const { credential } = await create(await account());
    await Promise.all(Array.from({ length: 5 }, () => revoke(credential)));
    await revokeCredential(credentialStore(table), credential, NOW + 60_000);
    const [stored] = await itemsOf(table, 'CREDENTIAL#', credential.id);
    expect(stored).toMatchObject({ revokedAt: new Date(NOW).toISOString() });
  });

  it('is revoked by a process that dies on the way, whole or not at all, and then by the next', async () => {
    const done = await killedEverywhere(
      table,
      () => account().then((tenant) => create(tenant)),
      (mortal, { credential }) => revoke(credential, mortal),
    );
    expect(done).toHaveLength(5);
    for (const one of done) expect(await works(one)).toBe(false);
  });

  it.each([
    ['of another tenant', { tenant: 'other' }],
    ['that never was', { id: 'kabcdefghi' }],
    ['of another kind', { kind: 'client' as const }],
  ])('%s is a 404, and the one that exists works on', async (_which, other) => {
    const made = await create(await account());
    const target = { ...made.credential, ...other };
    await expect(revoke(target)).rejects.toMatchObject({ status: 404, code: 'not-found' });
    expect(await works(made)).toBe(true);
    expect(await inline(made.credential.tenant)).toEqual([made.credential.id]);
  });
});

describe('credentials', () => {
  it('of another kind or tenant are in other lists', async () => {
    const [one, two] = [await account(), await account()];
    const key = await create(one);
    const client = await create(one, { kind: 'client', mode: 'test' });
    await create(two);
    expect(await idsOf(one, 'key')).toEqual([key.credential.id]);
    expect(await idsOf(one, 'client')).toEqual([client.credential.id]);
  });
});
