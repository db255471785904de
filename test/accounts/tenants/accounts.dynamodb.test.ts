import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATA_PLANS } from '../../../cdk/settings.ts';
import { createDataToken, revokeDataToken } from '../../../functions/accounts/data-tokens/data-token.ts';
import { dataTokenStore } from '../../../functions/accounts/data-tokens/data-token-store.dynamodb.ts';
import {
  type Account,
  type AccountChange,
  accountById,
  changeAccount,
  createAccount,
  NewAccount,
  presentAccount,
} from '../../../functions/accounts/tenants/account.ts';
import { accountStore } from '../../../functions/accounts/tenants/account-store.dynamodb.ts';
import { dataTokenId } from '../../../shared/auth/data-token.ts';
import { knownTokens } from '../../../shared/auth/data-token-items.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());

const at = (second: number) => Date.UTC(2026, 0, 1, 0, 0, second);
const page = { limit: 50 };

describe('accounts in DynamoDB', () => {
  it('are found again as they were stated, with an id made from the name', async () => {
    const input = NewAccount.parse({ name: 'Ácme, Inc.', organization: 'Acme', email: 'a@example.com' });
    const account = await createAccount(accountStore(table), input, at(0));
    expect(account.id).toBe('acme-inc');
    expect(await accountById(accountStore(table), 'acme-inc')).toEqual({
      ...input,
      id: 'acme-inc',
      active: true,
      createdAt: new Date(at(0)).toISOString(),
    });
  });

  it('are not created twice, and the second try changes nothing', async () => {
    const store = accountStore(table);
    await createAccount(store, NewAccount.parse({ name: 'Twice', plan: 'growth' }), at(1));
    await expect(createAccount(store, NewAccount.parse({ name: 'twice' }), at(2))).rejects.toMatchObject({
      status: 409,
      code: 'account-exists',
    });
    expect((await accountById(store, 'twice')).plan).toBe('growth');
  });

  it('are not refused when the first answer was lost and the same write comes again', async () => {
    const account: Account = {
      ...NewAccount.parse({ name: 'again' }),
      id: 'again',
      active: true,
      createdAt: new Date(at(3)).toISOString(),
    };
    expect(await accountStore(table).add(account)).toBe(true);
    expect(await accountStore(table).add(account)).toBe(true);
  });

  it('change in the named fields only', async () => {
    const store = accountStore(table);
    await createAccount(store, NewAccount.parse({ name: 'Change', email: 'old@example.com', lastName: 'Old' }), at(4));
    const changed = await changeAccount(store, 'change', { lastName: 'New' }, at(5));
    expect(changed).toMatchObject({ email: 'old@example.com', lastName: 'New', name: 'Change' });
    await expect(changeAccount(store, 'nobody', { lastName: 'x' }, at(5))).rejects.toMatchObject({ status: 404 });
  });

  it('keep the time of the first suspension until they are resumed', async () => {
    const store = accountStore(table);
    const time = (second: number) => new Date(at(second)).toISOString();
    await createAccount(store, NewAccount.parse({ name: 'Pausing' }), at(4));
    const change = (fields: AccountChange, second: number) => changeAccount(store, 'pausing', fields, at(second));
    expect(presentAccount(await change({ active: false }, 5))).toMatchObject({ active: false, suspendedAt: time(5) });
    expect(await change({ active: false, lastName: 'Again' }, 6)).toMatchObject({ suspendedAt: time(5) });
    const resumed = await change({ active: true }, 7);
    expect(resumed).toMatchObject({ active: true, deliveriesResumedAt: time(7) });
    expect(resumed.suspendedAt).toBeUndefined();
    expect((await change({ active: true }, 8)).deliveriesResumedAt).toBe(time(7));
  });

  it('resume webhooks when the last of the two reasons for a pause is gone', async () => {
    const store = accountStore(table);
    await createAccount(store, NewAccount.parse({ name: 'Two reasons' }), at(4));
    const change = (fields: AccountChange, second: number) => changeAccount(store, 'two-reasons', fields, at(second));
    expect(await change({ apiIntegration: false, active: false }, 5)).toMatchObject({ apiIntegration: false });
    expect((await change({ active: true }, 6)).deliveriesResumedAt).toBeUndefined();
    expect((await change({ apiIntegration: true }, 7)).deliveriesResumedAt).toBe(new Date(at(7)).toISOString());
  });

  it('lose neither of two changes that operators make at the same time', async () => {
    const store = accountStore(table);
    await createAccount(store, NewAccount.parse({ name: 'Crowd' }), at(4));
    await Promise.all([
      changeAccount(store, 'crowd', { active: false }, at(5)),
      changeAccount(store, 'crowd', { apiIntegration: false }, at(5)),
      changeAccount(store, 'crowd', { lastName: 'Crowded' }, at(5)),
    ]);
    expect(await accountById(store, 'crowd')).toMatchObject({
      active: false,
      apiIntegration: false,
      lastName: 'Crowded',
      suspendedAt: new Date(at(5)).toISOString(),
    });
  });

  it('that were stored before there was a switch for webhooks have it on and can be changed', async () => {
    const store = accountStore(table);
    const { apiIntegration: _, ...old } = NewAccount.parse({ name: 'Old' });
    await store.add({ ...old, id: 'old', active: true, createdAt: new Date(at(4)).toISOString() } as Account);
    expect(await accountById(store, 'old')).toMatchObject({ apiIntegration: true });
    expect(await changeAccount(store, 'old', { apiIntegration: false }, at(5))).toMatchObject({
      apiIntegration: false,
    });
  });

  it('are listed newest first, page by page, each once', async () => {
    const fresh = await createTable(endpoint, 'listed');
    const store = accountStore(fresh);
    for (let i = 0; i < 7; i += 1) await createAccount(store, NewAccount.parse({ name: `a${i}` }), at(i));
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await store.list({ limit: 3, ...(cursor && { cursor }) });
      ids.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor);
    expect(ids).toEqual(['a6', 'a5', 'a4', 'a3', 'a2', 'a1', 'a0']);
  });

  it('take no cursor of another list', async () => {
    const { nextCursor = '' } = await accountStore(table).list({ limit: 1 });
    await expect(dataTokenStore(table).list('acme-inc', { limit: 1, cursor: nextCursor })).rejects.toMatchObject({
      status: 400,
      code: 'invalid-cursor',
    });
    await expect(accountStore(table).list({ limit: 1, cursor: 'rubbish' })).rejects.toMatchObject({ status: 400 });
  });
});

describe('data tokens in DynamoDB', () => {
  const input = { availableDownloads: 100, planId: 'basic' };
  const plans = DATA_PLANS;

  it('authenticate by the secret that was shown once, of which nothing is stored', async () => {
    const { secret, token } = await createDataToken(
      { tokens: dataTokenStore(table), plans },
      'acme-inc',
      input,
      at(10),
    );
    expect(await knownTokens(table).byTokenId(dataTokenId(secret))).toMatchObject({
      tenant: 'acme-inc',
      ...input,
      tokenId: token.tokenId,
    });
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }));
    expect(JSON.stringify(Items)).not.toContain(secret);
  });

  it('are revoked by their own tenant only, and are then refused', async () => {
    const tokens = dataTokenStore(table);
    const { secret, token } = await createDataToken({ tokens, plans }, 'acme-inc', input, at(11));
    await expect(revokeDataToken(tokens, { tenant: 'twice', id: token.tokenId }, at(12))).rejects.toMatchObject({
      status: 404,
    });
    expect((await knownTokens(table).byTokenId(dataTokenId(secret)))?.revokedAt).toBeUndefined();
    await revokeDataToken(tokens, { tenant: 'acme-inc', id: token.tokenId }, at(13));
    await revokeDataToken(tokens, { tenant: 'acme-inc', id: token.tokenId }, at(14));
    expect((await knownTokens(table).byTokenId(dataTokenId(secret)))?.revokedAt).toBe(new Date(at(13)).toISOString());
  });

  it('are listed for their tenant alone', async () => {
    const tokens = dataTokenStore(table);
    const { token } = await createDataToken({ tokens, plans }, 'lister', input, at(15));
    expect((await tokens.list('lister', page)).items.map(({ tokenId }) => tokenId)).toEqual([token.tokenId]);
    expect((await tokens.list('nobody', page)).items).toEqual([]);
  });
});
