import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DATA_PLANS } from '../../../cdk/settings.ts';
import {
  changeDataToken,
  createDataToken,
  presentDataToken,
} from '../../../functions/accounts/data-tokens/data-token.ts';
import { DataTokenChange, type NewDataToken } from '../../../functions/accounts/data-tokens/data-token-input.ts';
import { dataTokenStore } from '../../../functions/accounts/data-tokens/data-token-store.dynamodb.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable } from '../../support/cloud/local-table.ts';
import { Interlude, withMiddleware } from '../../support/faults/mortal-clients.ts';

const NOVEMBER = Date.UTC(2026, 10, 15);
const DECEMBER = Date.UTC(2026, 11, 1);
const JANUARY = Date.UTC(2027, 0, 1);

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createTable(endpoint, 'accounts');
});
afterAll(() => endpoint.close());

async function newToken(own: Partial<NewDataToken> = {}) {
  const store = dataTokenStore(table);
  const input = { availableDownloads: 100, planId: 'basic', ...own };
  const { token } = await createDataToken({ tokens: store, plans: DATA_PLANS }, 'acme', input, NOVEMBER);
  const key = { tenant: 'acme', id: token.tokenId };
  const change = (fields: object, now = NOVEMBER, tokens = store) =>
    changeDataToken({ tokens, plans: DATA_PLANS }, key, DataTokenChange.parse(fields), now);
  const credit = async (now: number) => presentDataToken((await store.byId(key.id))!, now).availableDownloads;
  return { key, change, credit };
}

describe('a data token', () => {
  it('has a changed credit and plan at once', async () => {
    const { change, credit } = await newToken();
    expect(presentDataToken(await change({ addDownloads: 50, planId: 'premium' }), NOVEMBER)).toMatchObject({
      availableDownloads: 150,
      planId: 'premium',
    });
    await change({ availableDownloads: 7 });
    expect(await credit(NOVEMBER)).toBe(7);
  });

  it('keeps every grant of many at the same time', async () => {
    const { change, credit } = await newToken({ availableDownloads: 0 });
    await Promise.all(Array.from({ length: 12 }, () => change({ addDownloads: 10 })));
    expect(await credit(NOVEMBER)).toBe(120);
  });

  it.each<[object, object, object]>([
    [{ addDownloads: 10 }, { planId: 'premium' }, { availableDownloads: 110, planId: 'premium' }],
    [{ planId: 'premium' }, { addDownloads: 10 }, { availableDownloads: 110, planId: 'premium' }],
    [{ addDownloads: 10 }, { addDownloads: 10 }, { availableDownloads: 120, planId: 'basic' }],
    [{ monthlyDownloads: 30 }, { planId: 'premium' }, { monthlyDownloads: 30, planId: 'premium' }],
  ])(
    'keeps both %j and %j, whenever the second is made between two calls of the first to AWS',
    async (one, other, both) => {
      let call = 1;
      for (let happened = true; happened; call += 1) {
        const { key, change } = await newToken();
        const interlude = new Interlude(call, () => change(other));
        const disturbed = dataTokenStore({ name: table.name, client: interlude.bind(table.client) });
        await change(one, NOVEMBER, disturbed);
        happened = interlude.calls >= call;
        if (!happened) await change(other);
        expect(await dataTokenStore(table).byId(key.id)).toMatchObject(both);
      }
      expect(call).toBeGreaterThan(2);
    },
  );

  it('is granted once, though the answer to the write was lost and the SDK writes again', async () => {
    const { change, credit } = await newToken({ availableDownloads: 0 });
    const twice =
      (next: (args: unknown) => Promise<unknown>, { commandName = '' }: { readonly commandName?: string }) =>
      async (args: unknown) => {
        if (commandName === 'UpdateItemCommand') await next(args);
        return next(args);
      };
    const repeating = { name: table.name, client: withMiddleware(table.client, 'twice', twice) };
    expect(await change({ addDownloads: 10 }, NOVEMBER, dataTokenStore(repeating))).toMatchObject({
      availableDownloads: 10,
    });
    expect(await credit(NOVEMBER)).toBe(10);
  });

  it('is renewed by the calendar month, and keeps what was granted beside', async () => {
    const { change, credit } = await newToken({ availableDownloads: 40, monthlyDownloads: 40 });
    expect(await credit(DECEMBER - 1)).toBe(40);
    expect(presentDataToken(await change({ addDownloads: 5 }), NOVEMBER)).toMatchObject({
      availableDownloads: 45,
      monthlyDownloads: 40,
      renewsAt: '2026-12-01T00:00:00.000Z',
    });
    await change({ availableDownloads: 3 }, DECEMBER);
    expect(await credit(DECEMBER)).toBe(3);
    expect(await credit(JANUARY)).toBe(40);
  });

  it('whose renewal is set later keeps all that it had, and is not renewed any more once that is taken away', async () => {
    const { change, credit } = await newToken({ availableDownloads: 100 });
    await change({ monthlyDownloads: 30 });
    expect(await credit(NOVEMBER)).toBe(100);
    expect(await credit(DECEMBER)).toBe(130);
    expect(presentDataToken(await change({ monthlyDownloads: null }, DECEMBER), JANUARY)).toEqual(
      expect.objectContaining({ availableDownloads: 130 }),
    );
    expect(await credit(JANUARY)).toBe(130);
  });

  it('of another tenant, or of none, is not there', async () => {
    const { key } = await newToken();
    for (const other of [
      { ...key, tenant: 'other' },
      { ...key, id: `tok_${'x'.repeat(32)}` },
    ]) {
      await expect(
        changeDataToken({ tokens: dataTokenStore(table), plans: DATA_PLANS }, other, { addDownloads: 1 }, NOVEMBER),
      ).rejects.toMatchObject({
        status: 404,
      });
    }
  });

  it('takes no change that says nothing, or two things of its credit, or more than a token holds', async () => {
    for (const fields of [{}, { addDownloads: 1, availableDownloads: 1 }, { addDownloads: 0 }, { addDownloads: 1.5 }]) {
      expect(DataTokenChange.safeParse(fields).success, JSON.stringify(fields)).toBe(false);
    }
    const { change } = await newToken({ availableDownloads: 1_000_000_000_000 });
    await expect(change({ addDownloads: 1 })).rejects.toMatchObject({ status: 400 });
  });

  it('is of a plan that the settings name, when it is made and when it is changed', async () => {
    const { change } = await newToken({ planId: 'basic' });
    expect(await change({ planId: 'premium' })).toMatchObject({ planId: 'premium' });
    const unknown = { status: 400, code: 'unknown-plan' };
    for (const planId of ['Basic', 'nothing', 'constructor', '__proto__']) {
      await expect(newToken({ planId })).rejects.toMatchObject(unknown);
      await expect(change({ planId })).rejects.toMatchObject(unknown);
    }
  });
});
