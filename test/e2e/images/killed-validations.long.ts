/** The whole cloud dies while validations come, are looked at and are decided. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../bench/records/generated-businesses.ts';
import { type MortalImages, startMortalImages } from '../../support/faults/mortal-images.ts';
import type { ShownRecord } from '../../support/images/image-service.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { elapsed } from '../../support/runner/machine-time.ts';

const KILLS = Number(process.env['KILLS'] ?? 16);
const random = new Random(20_261_122);

let mortal: MortalImages;
beforeAll(async () => {
  mortal = await startMortalImages();
});
afterAll(() => mortal?.close());

/** As the management API shows a record. */
interface ManagedRecord {
  readonly id: number;
  readonly status: string;
  readonly needsReview: boolean;
  readonly campaignPermalink: string;
  readonly customer: string;
  readonly invalidCode?: number;
  readonly images: readonly { readonly sha256: string }[];
}

const pictureOf = ({ images: [image] }: ManagedRecord): string => image?.sha256 ?? '';

/** Undefined where the answer was lost with the process. */
const orLost = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

const receipt = async (seed: number) =>
  (await receiptOfSeed(seed, { country: 'US', distortion: 'clean', file: 'jpeg' }).render()).bytes;

/** Campaigns by what becomes of their records: no one looks, a person does, or print is read. */
async function campaigns() {
  const type = 'image';
  const limited = { maxAwards: 1_000 };
  return {
    unseen: await mortal.images.campaign({ ...limited, type, pointsPerValidation: 5, reviewsEveryImage: false }),
    seen: await mortal.images.campaign({ ...limited, type, pointsPerValidation: 3 }),
    read: await mortal.images.campaign({ ...limited, pointsPerValidation: 7 }),
  };
}
type Campaigns = Awaited<ReturnType<typeof campaigns>>;
const WORTH: Readonly<Record<keyof Campaigns, number>> = { unseen: 5, seen: 3, read: 7 };

/** One picture of two customers, one for a person, at times a receipt, and decisions on what waited; then death. */
async function oneLife(to: Campaigns, life: number, reviews: ShownRecord[]): Promise<ShownRecord[]> {
  const { images } = mortal;
  const submit = async (campaign: keyof Campaigns, picture: Buffer) => {
    const type = campaign === 'read' ? 'receipt' : 'image';
    return images.submit(await images.newCustomer(), { to: to[campaign], type }, picture);
  };
  const [twin, other] = [await blocksOfSeed(2 * life), await blocksOfSeed(2 * life + 1)];
  const asked = orLost(submit('seen', other));
  const submitted = [orLost(submit('unseen', twin)), orLost(submit('unseen', twin)), asked];
  if (life % 3 === 0) submitted.push(orLost(submit('read', await receipt(10_020 + life))));
  const decisions = reviews.splice(0).map(async (record) => {
    await images.waiting(record);
    await images.review(record, { status: 'valid' });
  });
  const all = Promise.allSettled([...submitted, ...decisions]);
  // At times while they are submitted, mostly after: an execution takes a second or two, and longer where print is read.
  if (!random.chance(0.25)) await all;
  await elapsed(random.below(random.pick([100, 1_500, 5_000])));
  await mortal.dies();
  await all;
  const record = await asked;
  if (record) reviews.push(record);
  return (await Promise.all(submitted)).filter((one) => one !== undefined);
}

/** States in which executions were when the process died. */
async function statesOfRunning(): Promise<string[]> {
  const running = (await mortal.executions()).filter(({ status }) => status === 'RUNNING');
  return Promise.all(running.map(async (one) => (await mortal.statesOf(one)).at(-1) ?? 'none'));
}

/** Decides whatever waits for a person, until nothing is pending any more. */
async function allDecided(): Promise<ManagedRecord[]> {
  const { images } = mortal;
  for (const end = Date.now() + 300_000; Date.now() < end; await elapsed(500)) {
    const pending = await images.all<ManagedRecord>('image-validations?status=pending');
    for (const record of pending.filter(({ needsReview }) => needsReview)) {
      const { status } = await images.review(record, { status: 'valid' });
      expect([202, 409]).toContain(status);
    }
    if (pending.length > 0) continue;
    const listed = await images.all<ManagedRecord>('image-validations');
    return Promise.all(listed.map(async ({ id }) => (await images.manage('GET', `image-validations/${id}`)).json));
  }
  throw new Error('Records are pending still.');
}

it(`${KILLS} kills leave one verdict and one award of each`, async () => {
  const { images } = mortal;
  const to = await campaigns();
  const target = { name: 'Endpoint', targetUrl: 'https://hooks.invalid/x' };
  const { id: apiConfigurationId } = await images.made('api-configurations', target);
  await images.made('rules', { module: 'images', trigger: 'Validation is decided', apiConfigurationId, body: {} });

  const [acknowledged, reviews]: [ShownRecord[], ShownRecord[]] = [[], []];
  const states: string[] = [];
  for (let life = 0; life < KILLS; life += 1) {
    acknowledged.push(...(await oneLife(to, life, reviews)));
    states.push(...(await statesOfRunning()));
  }
  const records = await allDecided();
  const counted = Object.entries(Object.groupBy(states, (state) => state)).map(([state, all]) => [state, all?.length]);
  process.stdout.write(`${KILLS} kills, ${records.length} records; running then: ${JSON.stringify(counted)}\n`);

  expect(records.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged.map(({ id }) => id)));
  const valid = records.filter(({ status }) => status === 'valid');
  const codes = records.filter((one) => !valid.includes(one)).map(({ invalidCode }) => invalidCode);
  expect(codes.every((code) => code === 10)).toBe(true);
  // Of those with the same picture, one.
  expect(valid.map(pictureOf).toSorted()).toEqual([...new Set(records.map(pictureOf))].toSorted());

  for (const [name, permalink] of Object.entries(to) as [keyof Campaigns, string][]) {
    const awarded = valid.filter(({ campaignPermalink }) => campaignPermalink === permalink);
    expect(await mortal.awards(permalink)).toBe(awarded.length);
    for (const { customer } of awarded) expect(await images.points(customer)).toBe(WORTH[name]);
  }
  for (const { customer } of records.filter((one) => !valid.includes(one)))
    expect(await images.points(customer)).toBe(0);
  // Told once each. What a function was working on when it died comes back when its queue gives it out again.
  const told = async () => {
    const runs = await images.all<{ record: string }>('runs?module=images');
    return runs.map(({ record }) => record).toSorted();
  };
  const expected = records.map(({ id }) => `image validation: ${id}`).toSorted();
  await expect.poll(told, { timeout: 900_000, interval: 2_000 }).toEqual(expected);
  const ends = new Set((await mortal.executions()).map(({ status }) => status));
  expect([...ends]).toEqual(['SUCCEEDED']);
});
