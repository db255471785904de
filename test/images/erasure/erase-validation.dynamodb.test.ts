import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerAwardsKey } from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import { pointTo } from '../../../functions/images/duplicates/look-alikes.dynamodb.ts';
import { dueErasuresIn, erasingAgain } from '../../../functions/images/erasure/due-erasures.dynamodb.ts';
import { eraseCustomer } from '../../../functions/images/erasure/erase-customer.ts';
import { erasedObjectsIn } from '../../../functions/images/erasure/erase-pictures.s3.ts';
import { eraseValidation } from '../../../functions/images/erasure/erase-validation.ts';
import { customerErasureIn } from '../../../functions/images/erasure/erased-customer.dynamodb.ts';
import { erasedItemsIn } from '../../../functions/images/erasure/erased-items.dynamodb.ts';
import { type FinishingDeps, finishErasures } from '../../../functions/images/erasure/finish-erasures.ts';
import { commitSubmission } from '../../../functions/images/submissions/submission-items.dynamodb.ts';
import { examinationKey, pictureKey, uploadKey } from '../../../functions/images/validations/picture-keys.ts';
import { openReview } from '../../../functions/images/validations/review-items.dynamodb.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { changeValidation } from '../../../functions/images/validations/validation-items.dynamodb.ts';
import { newId, type TenantKey } from '../../../shared/ids.ts';
import { marshalled } from '../../../shared/table/table.dynamodb.ts';
import { Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { hashOfSeed } from '../../support/images/examinations.ts';
import { type ImagesDesk, openImagesDesk } from '../../support/images/images-desk.ts';
import { newValidation, store, storedImage } from '../../support/images/validations.ts';
import { deaths, MOMENTS, times } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

const put = (key: string, body: string) =>
  desk.s3.send(new PutObjectCommand({ Bucket: desk.bucket, Key: key, Body: body }));

/** What examining an image leaves: the examination, and pointers to its bytes and its perceptual hash. */
async function examined(validation: Validation, slot: string, seed: number): Promise<void> {
  const perceptualHash = hashOfSeed(seed);
  await put(examinationKey(validation, slot), JSON.stringify({ perceptualHash, receipt: { store: 'Corner Shop' } }));
  await pointTo(desk.table, validation, {
    name: slot,
    traits: { sha256: slot, perceptualHash, content: '2026-03-05 1870' },
    now: NOW,
  });
}

/** A validation of two examined images, with a review, and an upload that has not been received. */
async function examinedRecord(tenant: string, slots = ['a1'.repeat(32), 'b2'.repeat(32)]): Promise<Validation> {
  const blank = newValidation({ tenant });
  const images = slots.map((slot) => ({ ...storedImage(blank, slot), sha256: slot }));
  const validation = await store(desk.table, { ...blank, images, imageCount: images.length });
  for (const [at, slot] of slots.entries()) {
    await put(pictureKey(validation, slot), 'picture');
    await examined(validation, slot, at + 1);
  }
  await openReview(desk.table, { ...validation, token: 'token', requestedAt: '2026-11-22T10:00:00.000Z' });
  await put(uploadKey(validation, 'img_late'), 'late');
  return validation;
}

/** The same with one image that was pointed to by its bytes alone: few calls, so that a process can die at each. */
async function submittedRecord(tenant: string): Promise<Validation> {
  const blank = newValidation({ tenant });
  const sha256 = 'a1'.repeat(32);
  const record = await store(desk.table, { ...blank, images: [{ ...storedImage(blank, sha256), sha256 }] });
  await put(pictureKey(record, sha256), 'picture');
  await pointTo(desk.table, record, { name: sha256, traits: { sha256 }, now: NOW });
  await openReview(desk.table, { ...record, token: 'token', requestedAt: '2026-11-22T10:00:00.000Z' });
  return record;
}

interface Rest {
  readonly items: readonly string[];
  readonly objects: readonly string[];
}

/** Keys of everything that is stored of a tenant. */
async function restOf(tenant: string): Promise<Rest> {
  const items: string[] = [];
  let start: Record<string, never> | undefined;
  do {
    const page = await desk.table.client.send(
      new ScanCommand({ TableName: desk.table.name, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    for (const item of page.Items ?? []) items.push(`${unmarshall(item)['pk']} ${unmarshall(item)['sk']}`);
    start = page.LastEvaluatedKey as typeof start;
  } while (start);
  const objects = [
    ...(await desk.keysUnder(`validations/${tenant}/`)),
    ...(await desk.keysUnder(`uploads/${tenant}/`)),
  ];
  return { items: items.filter((key) => key.includes(`#${tenant}#`)).sort(), objects: objects.sort() };
}
const NOTHING: Rest = { items: [], objects: [] };

function parts(mortality = new Mortality()): FinishingDeps {
  const table = { name: desk.table.name, client: mortality.bind(desk.table.client) };
  return {
    erasures: dueErasuresIn(table),
    validation: {
      ...erasedItemsIn(table),
      ...erasedObjectsIn(desk.bucket, mortality.bind(desk.s3)),
      eraseAgainLater: erasingAgain(table, { now: () => NOW, newId: () => newId('era') }),
    },
    failed: (_, error) => unlessKilled(error),
  };
}

const erase = ({ tenant, id }: Validation, by = parts()) => eraseValidation(by.validation, { tenant, id, marks: [] });

/** The schedule, an hour later. */
const finish = (by = parts()) => finishErasures(by, NOW + 3_600_000);

describe('erasing a validation', () => {
  it('leaves nothing of it, and everything of a validation with the same picture', async () => {
    const tenant = newId('t');
    const other = await examinedRecord(tenant);
    const before = await restOf(tenant);
    const record = await examinedRecord(tenant);
    await erase(record);
    const after = await restOf(tenant);
    expect(after.items.filter((key) => !key.startsWith('ERASURE#'))).toEqual(before.items);
    expect(after.objects).toEqual(before.objects);
    expect(before.items.filter((key) => key.startsWith('POINTER#'))).toHaveLength(34);
    await finish();
    expect(await restOf(tenant)).toEqual(before);
    expect(await desk.validation(other)).toEqual(other);
  });

  it('ends complete wherever a function dies, and however often it runs', async () => {
    for (const mortality of deaths()) {
      const tenant = newId('t');
      const record = await submittedRecord(tenant);
      const whole = await restOf(tenant);
      const mortal = parts(mortality);
      await erase(record, mortal).catch(unlessKilled);
      await finish(mortal).catch(unlessKilled);
      const rest = await restOf(tenant);
      const isQueued = rest.items.some((key) => key.startsWith('ERASURE#'));
      // A client that was not answered repeats its call: nothing has happened yet.
      if (mortality.diedAt !== undefined && !isQueued && rest.items.length > 0) {
        expect(rest, String(mortality)).toEqual(whole);
        await erase(record);
      }
      await finish();
      await finish();
      expect(await restOf(tenant), String(mortality)).toEqual(NOTHING);
    }
  });

  it('also catches what functions write that had read the validation before', async () => {
    const tenant = newId('t');
    const record = await examinedRecord(tenant);
    await erase(record);
    // One examines an image, one points to an image that it examined before, one asks for a review, one stores an image.
    await put(examinationKey(record, 'a1'.repeat(32)), JSON.stringify({ perceptualHash: hashOfSeed(9) }));
    await pointTo(desk.table, record, {
      name: 'b2'.repeat(32),
      traits: { perceptualHash: hashOfSeed(2), content: '2026-03-05 1870' },
      now: NOW,
    });
    await openReview(desk.table, { ...record, token: 'late', requestedAt: '2026-11-22T10:01:00.000Z' });
    await put(pictureKey(record, 'c3'.repeat(32)), 'late picture');
    expect(await finishErasures(parts(), NOW)).toBe(0);
    expect(await finish()).toBe(1);
    expect(await restOf(tenant)).toEqual(NOTHING);
  });

  it('knows the perceptual hashes of an image also when a pass has died with the examination half removed', async () => {
    for (const dies of MOMENTS) {
      const tenant = newId('t');
      const record = await examinedRecord(tenant, ['a1'.repeat(32)]);
      const { validation, ...rest } = parts();
      const removeObjects: typeof validation.removeObjects = async (key) => {
        if (dies === 'after') await validation.removeObjects(key);
        throw new Error('died');
      };
      const removePointers = async () => {};
      const by = { ...rest, validation: { ...validation, removePointers, removeObjects } };
      await expect(erase(record, by)).rejects.toThrow('died');
      expect((await restOf(tenant)).items.filter((key) => key.startsWith('POINTER#'))).toHaveLength(17);
      await finish();
      expect(await restOf(tenant)).toEqual(NOTHING);
    }
  });

  it('also erases an image that comes while the validation is being erased', async () => {
    const tenant = newId('t');
    const record = await examinedRecord(tenant, ['a1'.repeat(32)]);
    const slot = 'd4'.repeat(32);
    const { validation: deps } = parts();
    let isFirst = true;
    const removeRecord: typeof deps.removeRecord = async (validation) => {
      if (isFirst) {
        isFirst = false;
        const image = { ...storedImage(record, slot), sha256: slot };
        const after = { ...record, revision: record.revision + 1, images: [...record.images, image] };
        expect(await changeValidation(desk.table, after, record)).toBe(true);
        await pointTo(desk.table, record, { name: slot, traits: { sha256: slot }, now: NOW });
      }
      return deps.removeRecord(validation);
    };
    await eraseValidation({ ...deps, removeRecord }, { ...record, marks: [] });
    await finish();
    expect(await restOf(tenant)).toEqual(NOTHING);
  });

  it('goes on where an examination cannot be read', async () => {
    const tenant = newId('t');
    const record = await examinedRecord(tenant);
    await put(examinationKey(record, 'e5'.repeat(32)), 'no json');
    await put(examinationKey(record, 'f6'.repeat(32)), '{"perceptualHash":"short"}');
    await erase(record);
    await finish();
    expect(await restOf(tenant)).toEqual(NOTHING);
  });

  it('that fails stays to be done, and keeps no other from being finished', async () => {
    const tenant = newId('t');
    const [broken, other] = [await examinedRecord(tenant), await examinedRecord(tenant)];
    for (const record of [broken, other]) await erase(record);
    const failed: string[] = [];
    const { validation, ...rest } = parts();
    const removeReview: typeof validation.removeReview = async (key) => {
      if (key.id === broken.id) throw new Error('unavailable');
      return validation.removeReview(key);
    };
    const by = { ...rest, validation: { ...validation, removeReview }, failed: ({ id }: TenantKey) => failed.push(id) };
    expect(await finish(by)).toBe(1);
    expect(failed).toEqual([broken.id]);
    expect(await finish()).toBe(1);
    expect(await restOf(tenant)).toEqual(NOTHING);
  });
});

describe('erasing a customer', () => {
  it('leaves nothing of its validations and counts, and everything of others, wherever a function dies', async () => {
    const tenant = newId('t');
    const campaign = { tenant, campaignId: 1 };
    const submitted = async (customer: string) => {
      const blank = newValidation({ tenant, customer });
      const sha256 = 'a1'.repeat(32);
      const record = { ...blank, images: [{ ...storedImage(blank, sha256), sha256 }] };
      await commitSubmission(desk.table, record, { tenant, id: customer, day: '2026-11-22', limit: 99 });
      await put(pictureKey(record, sha256), 'picture');
      return record;
    };
    const award = (customer: string) =>
      desk.table.client.send(
        new PutItemCommand({
          TableName: desk.table.name,
          Item: marshalled({ ...customerAwardsKey(campaign, customer), count: 1 }),
        }),
      );
    await submitted('stays');
    await award('stays');
    const before = await restOf(tenant);
    expect(before.items).toHaveLength(3);
    for (const mortality of deaths()) {
      const customer = newId('cus');
      for (let n = 0; n < times(2); n += 1) await submitted(customer);
      await award(customer);
      const mortal = parts(mortality);
      const client = mortality.bind(desk.table.client);
      const own = { ...mortal.validation, ...customerErasureIn({ name: desk.table.name, client }) };
      await eraseCustomer(own, { tenant, id: customer }).catch(unlessKilled);
      const again = { ...parts().validation, ...customerErasureIn(desk.table) };
      await eraseCustomer(again, { tenant, id: customer });
      await finish();
      expect(await restOf(tenant), String(mortality)).toEqual(before);
    }
  });

  it('reads all pages of its validations', async () => {
    const [tenant, customer] = [newId('t'), newId('cus')];
    await Promise.all(
      Array.from({ length: 52 }, () => store(desk.table, newValidation({ tenant, customer, images: [] }))),
    );
    const deps = { ...parts().validation, ...customerErasureIn(desk.table) };
    // One of each page is enough to see that it was read.
    const pages: (readonly Validation[])[] = [];
    async function* recordsOf(key: TenantKey) {
      for await (const page of deps.recordsOf(key)) {
        pages.push(page);
        yield page.slice(0, 1);
      }
    }
    await eraseCustomer({ ...deps, recordsOf }, { tenant, id: customer });
    await finish();
    expect(pages.map(({ length }) => length)).toEqual([50, 2]);
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(52);
    expect((await restOf(tenant)).items).toHaveLength(50);
  });
});
