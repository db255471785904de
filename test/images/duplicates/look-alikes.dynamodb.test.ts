import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImageTraits } from '../../../functions/images/duplicates/duplicate-images.ts';
import { lookAlikesOf, pointTo } from '../../../functions/images/duplicates/look-alikes.dynamodb.ts';
import type { Scope } from '../../../functions/images/duplicates/pointer.ts';
import {
  ownerOf,
  type Reservation,
  reservationWrite,
} from '../../../functions/images/duplicates/reservations.dynamodb.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { newId } from '../../../shared/ids.ts';
import { marshalled, type Table, transact } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { hashOfSeed } from '../../support/images/examinations.ts';
import { newValidation, store } from '../../support/images/validations.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
});
afterAll(() => endpoint.close());

const tenantWith = () => {
  const tenant = newId('t');
  let records = 0;
  return {
    tenant,
    traits: async (traits: ImageTraits, own: Partial<Validation> = {}): Promise<Validation> => {
      records += 1;
      const record = await store(table, newValidation({ tenant, id: String(records), ...own }));
      await pointTo(table, record, { name: 'one', traits, now: NOW });
      return record;
    },
  };
};
/** Who looks: a validation of the tenant that is stored nowhere. */
const looking = (tenant: string, id = '0', campaignId = 1) => newValidation({ tenant, id, campaignId });
interface Looker {
  readonly id?: string;
  readonly campaignId?: number;
  readonly scope?: Scope;
}
const idsOf = async (
  tenant: string,
  traits: ImageTraits,
  { id = '0', campaignId = 1, scope = 'campaign' }: Looker = {},
) =>
  (await lookAlikesOf(table, looking(tenant, id, campaignId), { ...traits, scope })).map(
    ({ validation }) => validation.id,
  );

describe('validations that have an image in common', () => {
  const perceptualHash = hashOfSeed(1);
  const nearby = `${perceptualHash.slice(0, 4)}${hashOfSeed(2).slice(4)}`;

  it('are found by its bytes, and by any part of its perceptual hash, once each', async () => {
    const { tenant, traits } = tenantWith();
    await traits({ sha256: 'aa' });
    await traits({ sha256: 'bb', perceptualHash, content: 'x' });
    await traits({ sha256: 'cc', perceptualHash: nearby });
    await traits({ sha256: 'dd', perceptualHash: hashOfSeed(3) });
    expect(await idsOf(tenant, { sha256: 'aa' })).toEqual(['1']);
    const result = await lookAlikesOf(table, looking(tenant), { sha256: 'ee', perceptualHash, scope: 'campaign' });
    expect(result.map(({ validation: { id }, perceptualHash: own, content }) => [id, own, content])).toEqual([
      ['2', perceptualHash, 'x'],
      ['3', nearby, undefined],
    ]);
  });

  it('include neither the validation itself nor one of another tenant', async () => {
    const { tenant, traits } = tenantWith();
    const { id } = await traits({ sha256: 'aa', perceptualHash });
    expect(await idsOf(tenant, { sha256: 'aa', perceptualHash }, { id })).toEqual([]);
    expect(await idsOf(tenantWith().tenant, { sha256: 'aa', perceptualHash })).toEqual([]);
  });

  it('are read as they are now, and left out if the validation is gone', async () => {
    const { tenant, traits } = tenantWith();
    await traits({ sha256: 'aa' }, { status: 'valid' });
    await pointTo(table, looking(tenant, '2'), { name: 'one', traits: { sha256: 'aa' }, now: NOW });
    const result = await lookAlikesOf(table, looking(tenant), { sha256: 'aa', scope: 'campaign' });
    expect(result.map(({ validation: { id, status } }) => [id, status])).toEqual([['1', 'valid']]);
  });

  it('are the oldest fifty if there are more, because the first validation of a picture counts', async () => {
    const { tenant, traits } = tenantWith();
    for (let n = 0; n < 60; n += 1) await traits({ sha256: 'aa' });
    const result = await idsOf(tenant, { sha256: 'aa' });
    expect(result.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
  });
});

describe('validations of several campaigns that have an image in common', () => {
  it('are those of one campaign, or of all if the scope is the tenant', async () => {
    const { tenant, traits } = tenantWith();
    const perceptualHash = hashOfSeed(4);
    for (const campaignId of [7, 70]) await traits({ sha256: 'aa', perceptualHash }, { campaignId });
    for (const [campaignId, scope, ids] of [
      [7, 'campaign', ['1']],
      [70, 'campaign', ['2']],
      [700, 'campaign', []],
      [7, 'tenant', ['1', '2']],
      [700, 'tenant', ['1', '2']],
    ] as const) {
      for (const image of [{ sha256: 'aa' }, { perceptualHash }]) {
        expect(await idsOf(tenant, image, { campaignId, scope }), `${campaignId} ${scope}`).toEqual(ids);
      }
    }
  });
});

describe('a reservation, which is awarded once', () => {
  const awardIn = async (scope: Scope, record: Validation, ...reservations: Reservation[]) =>
    (
      await transact(
        table,
        reservations.map((reservation) => reservationWrite(table, record, { ...reservation, scope })),
      )
    ).done;
  const award = (record: Validation, ...reservations: Reservation[]) => awardIn('campaign', record, ...reservations);

  it('belongs to the first validation that reserves it, which may do so again', async () => {
    const tenant = newId('t');
    const [first, second] = [newValidation({ tenant, id: '1' }), newValidation({ tenant, id: '2' })];
    const [bytes, content] = [
      { kind: 'bytes', digest: 'aa' },
      { kind: 'content', digest: 'aa', transaction: 'T-1' },
    ] as const;
    expect(await award(first, bytes, content)).toBe(true);
    expect(await award(first, bytes, content)).toBe(true);
    expect(await award(second, bytes)).toBe(false);
    expect(await award(second, { kind: 'bytes', digest: 'bb' }, content)).toBe(false);
    expect(await ownerOf(table, first, { ...content, scope: 'campaign' })).toEqual({
      validation: '1',
      transaction: 'T-1',
    });
    expect(await ownerOf(table, first, { kind: 'bytes', digest: 'bb', scope: 'campaign' })).toBeUndefined();
    expect(await award(newValidation({ id: '2', tenant: newId('t') }), bytes, content)).toBe(true);
  });

  it('belongs to one validation per campaign, or to one per tenant if the scope is the tenant', async () => {
    const tenant = newId('t');
    const bytes = { kind: 'bytes', digest: 'aa' } as const;
    const inCampaign = (campaignId: number, id: string) => newValidation({ tenant, campaignId, id });
    const owner = async (campaignId: number, scope: Scope) =>
      (await ownerOf(table, { tenant, campaignId }, { ...bytes, scope }))?.validation;
    expect(await award(inCampaign(1, '1'), bytes)).toBe(true);
    expect(await award(inCampaign(2, '2'), bytes)).toBe(true);
    expect(await award(inCampaign(2, '3'), bytes)).toBe(false);
    expect(await awardIn('tenant', inCampaign(3, '4'), bytes)).toBe(false);
    expect([await owner(1, 'campaign'), await owner(2, 'campaign'), await owner(3, 'campaign')]).toEqual([
      '1',
      '2',
      undefined,
    ]);
    expect(await owner(3, 'tenant')).toBe('2');
    const fresh = { kind: 'bytes', digest: 'bb' } as const;
    for (const expected of [true, true]) {
      expect(await awardIn('tenant', inCampaign(3, '4'), fresh)).toBe(expected);
    }
    expect(await awardIn('tenant', inCampaign(4, '5'), fresh)).toBe(false);
  });

  it('belongs in every campaign to the validation that an earlier version of the service awarded', async () => {
    const tenant = newId('t');
    const Item = marshalled({
      pk: `RESERVATION#${tenant}#bytes#aa`,
      sk: 'RESERVATION',
      validation: '1',
      transaction: 'T-1',
    });
    await table.client.send(new PutItemCommand({ TableName: table.name, Item }));
    const bytes = { kind: 'bytes', digest: 'aa' } as const;
    expect(await award(newValidation({ tenant, id: '2', campaignId: 2 }), bytes)).toBe(false);
    expect(await ownerOf(table, { tenant, campaignId: 2 }, { ...bytes, scope: 'campaign' })).toEqual({
      validation: '1',
      transaction: 'T-1',
    });
  });
});
