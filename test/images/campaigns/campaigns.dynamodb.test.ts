import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CampaignChange, CampaignFields, CampaignReplacement } from '../../../functions/images/campaigns/campaign.ts';
import { campaignByPermalink, campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import {
  campaignByKey,
  changeCampaign,
  createCampaign,
  deleteCampaign,
} from '../../../functions/images/campaigns/manage-campaigns.ts';
import { LOCALES } from '../../../functions/images/receipts/locales.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { newIntegerId } from '../../support/cloud/integer-ids.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { Killed, Mortality } from '../../support/faults/mortal-clients.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const iso = (at: number) => new Date(at).toISOString();

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

const campaigns = () => campaignStore(table);
const STATED = {
  permalink: 'spring',
  name: 'Spring',
  type: 'receipt',
  startsAt: iso(NOW),
  endsAt: iso(NOW + 1),
  country: 'US',
  currency: 'USD',
};
const create = (tenant: string, own: object = {}, { now = NOW, on = table } = {}) =>
  createCampaign(campaignStore(on), CampaignFields.parse({ ...STATED, ...own }), {
    tenant,
    campaignId: newIntegerId(),
    now,
  });
const change = (tenant: string, input: object, id = 'spring') =>
  changeCampaign(campaigns(), CampaignChange.parse(input), { tenant, id, now: NOW + 1_000 });
const replace = (tenant: string, input: object, id = 'spring') =>
  changeCampaign(campaigns(), CampaignReplacement.parse(input), { tenant, id, now: NOW + 1_000 });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, detail }) => ({ code, detail }),
  );
const missing = { status: 404, code: 'not-found' };

const COUNTRIES = Object.keys(LOCALES).join(', ');

describe('a new campaign', () => {
  it('is found by its permalink, by its own tenant alone', async () => {
    const tenant = newId('t');
    const products = [
      { name: 'Tea', upc: '01234567', points: 5 },
      { name: 'Milk', points: 0 },
    ];
    const made = await create(tenant, { products, stores: ['Walmart'], maxAwards: 7, regions: ['WA'] });
    expect(made).toMatchObject({ tenant, id: 'spring', revision: 1, createdAt: iso(NOW), updatedAt: iso(NOW) });
    expect(await campaignByPermalink(table, tenant, 'spring')).toEqual(made);
    expect(await campaignByPermalink(table, newId('t'), 'spring')).toBeUndefined();
    await expect(campaignByKey(campaigns(), { tenant: newId('t'), id: 'spring' })).rejects.toMatchObject(missing);
  });

  it('is refused a permalink that its tenant already uses, and leaves the other campaign unchanged', async () => {
    const [tenant, other] = [newId('t'), newId('t')];
    const first = await create(tenant);
    await expect(create(tenant, { name: 'Again' })).rejects.toMatchObject({ status: 409, code: 'permalink-taken' });
    expect(await campaignByPermalink(table, tenant, 'spring')).toEqual(first);
    await create(other);
    await deleteCampaign(campaigns(), { tenant, id: 'spring' });
    expect((await create(tenant, { name: 'Again' })).campaignId).not.toBe(first.campaignId);
  });

  it('gets its permalink once when many callers create it at the same time', async () => {
    const tenant = newId('t');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => create(tenant, { name: `N${n}` })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'permalink-taken' });
    }
  });

  it.each([
    ['ends when it starts', { endsAt: iso(NOW) }, 'endsAt must be later than startsAt'],
    ['ends before it starts', { endsAt: iso(NOW - 1) }, 'endsAt must be later than startsAt'],
    [
      'is of receipts that cannot be read',
      { country: 'PT', currency: 'EUR' },
      `country: Receipts are read of ${COUNTRIES}`,
    ],
    [
      'is in a currency that receipts of the country are not read in',
      { country: 'US', currency: 'MYR' },
      'currency: Receipts of US are read in USD',
    ],
  ])('that %s is refused', async (_what, own, detail) => {
    const tenant = newId('t');
    expect(await refusalOf(create(tenant, own))).toEqual({ code: 'invalid-input', detail });
    expect(await campaignByPermalink(table, tenant, 'spring')).toBeUndefined();
  });

  it('of photos is of any country', async () => {
    const tenant = newId('t');
    await create(tenant, { type: 'image', country: 'DE', currency: 'EUR' });
    await change(tenant, { country: 'PT' });
  });

  it('may end after the year 9999, so that it never ends', async () => {
    await create(newId('t'), { endsAt: '9999-12-31T23:59:59-05:00' });
    const turned = { startsAt: '9999-12-31T23:59:59-05:00', endsAt: iso(NOW) };
    await expect(create(newId('t'), turned)).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('is refused if it is larger than an item, and stored up to that size', async () => {
    const products = (count: number) => Array.from({ length: count }, () => ({ name: '語'.repeat(200), points: 1 }));
    const large = await create(newId('t'), { products: products(500) });
    expect(await campaignByPermalink(table, large.tenant, 'spring')).toEqual(large);
    const stores = Array.from({ length: 200 }, () => '語'.repeat(200));
    const { code, detail } = (await refusalOf(create(newId('t'), { products: products(500), stores }))) as never;
    expect([code, detail]).toEqual(['invalid-input', expect.stringContaining('350000 bytes')]);
  });

  it('is stored or not after a crash at any call, and repeating the request creates it or reports that it exists', async () => {
    for (const when of ['before', 'after'] as const) {
      const tenant = newId('t');
      const on = { name: table.name, client: new Mortality(1, when).bind(table.client) };
      await expect(create(tenant, {}, { on })).rejects.toThrow(Killed);
      const again = create(tenant);
      if (when === 'before') expect(await again).toMatchObject({ revision: 1 });
      else await expect(again).rejects.toMatchObject({ code: 'permalink-taken' });
    }
  });
});

describe('a change of a campaign', () => {
  it('keeps the fields that it omits, and checks dates and country of the result', async () => {
    const tenant = newId('t');
    const made = await create(tenant, { stores: ['Walmart'] });
    const changed = await change(tenant, { name: 'Summer' });
    expect(changed).toEqual({ ...made, name: 'Summer', revision: 2, updatedAt: iso(NOW + 1_000) });
    expect(await campaignByPermalink(table, tenant, 'spring')).toEqual(changed);
    for (const wrong of [{ endsAt: iso(NOW) }, { startsAt: iso(NOW + 1) }, { country: 'MY' }, { currency: 'MYR' }]) {
      await expect(change(tenant, wrong)).rejects.toMatchObject({ status: 400, code: 'invalid-input' });
    }
    expect(await campaignByPermalink(table, tenant, 'spring')).toEqual(changed);
    expect(await change(tenant, { country: 'MY', currency: 'MYR' })).toMatchObject({ revision: 3, country: 'MY' });
  });

  it('as a whole resets the fields that it omits', async () => {
    const tenant = newId('t');
    const { campaignId } = await create(tenant, { stores: ['Walmart'], maxAwards: 5 });
    const { permalink: _p, type: _t, ...rest } = STATED;
    expect(await replace(tenant, rest)).toMatchObject({ campaignId, stores: [], maxAwards: null, revision: 2 });
    expect(await replace(tenant, STATED)).toMatchObject({ revision: 3 });
  });

  it('never changes permalink and type', async () => {
    const tenant = newId('t');
    await create(tenant);
    expect(await refusalOf(replace(tenant, { ...STATED, permalink: 'summer' }))).toEqual({
      code: 'invalid-input',
      detail: 'permalink stays spring',
    });
    expect(await refusalOf(change(tenant, { name: 'x', type: 'image' }))).toEqual({
      code: 'invalid-input',
      detail: 'type stays receipt',
    });
    expect(await campaignByPermalink(table, tenant, 'summer')).toBeUndefined();
  });

  it('of a revision that is not current is refused, and one of several at the same time succeeds', async () => {
    const tenant = newId('t');
    await create(tenant);
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => change(tenant, { name: `N${n}`, revision: 1 })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(change(tenant, { name: 'x', revision: 1 }))).toEqual({
      code: 'changed-meanwhile',
      detail: 'The campaign has revision 2. Read it again.',
    });
    expect(await change(tenant, { name: 'x', revision: 2 })).toMatchObject({ revision: 3 });
  });

  it('does not lose other changes at the same time', async () => {
    const tenant = newId('t');
    await create(tenant);
    const changes = [{ name: 'New' }, { stores: ['A'] }, { maxAwards: 5 }, { endsAt: iso(NOW + 5) }];
    await Promise.all(changes.map((one) => change(tenant, one)));
    expect(await campaignByPermalink(table, tenant, 'spring')).toMatchObject(
      Object.assign({ revision: 5 }, ...changes),
    );
  });

  it('does not affect a campaign that was deleted, belongs to another tenant, or was created again with its permalink', async () => {
    const [tenant, other] = [newId('t'), newId('t')];
    const first = await create(tenant);
    await expect(change(other, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(deleteCampaign(campaigns(), { tenant: other, id: 'spring' })).rejects.toMatchObject(missing);
    await deleteCampaign(campaigns(), first);
    await expect(deleteCampaign(campaigns(), first)).rejects.toMatchObject(missing);
    await expect(change(tenant, { name: 'x' })).rejects.toMatchObject(missing);
    expect(await campaigns().change({ ...first, revision: 2 }, first)).toBe(false);
    const second = await create(tenant, { name: 'Second' });
    expect(await campaigns().change({ ...first, revision: 2 }, first)).toBe(false);
    expect(await campaignByPermalink(table, tenant, 'spring')).toEqual(second);
  });
});

describe('the campaigns of a tenant', () => {
  it('are listed newest first, page by page, and no other tenant sees them', async () => {
    const [tenant, other] = [newId('t'), newId('t')];
    await create(other);
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await create(tenant, { permalink: `c${n}` }, { now: NOW + n }));
    const newestFirst = made.toReversed();
    const first = await campaigns().list(tenant, { limit: 3 });
    expect(first.items).toEqual(newestFirst.slice(0, 3));
    const rest = await campaigns().list(tenant, { limit: 3, cursor: first.nextCursor });
    expect([rest.items, rest.nextCursor]).toEqual([newestFirst.slice(3), undefined]);
    const stolen = campaigns().list(other, { limit: 3, cursor: first.nextCursor });
    await expect(stolen).rejects.toMatchObject({ code: 'invalid-cursor' });
    await deleteCampaign(campaigns(), { tenant, id: 'c4' });
    expect((await campaigns().list(tenant, { limit: 50 })).items).toEqual(newestFirst.slice(1));
  });
});
