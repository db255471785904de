import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  awardCounts,
  awardShardKey,
  customerAwardsKey,
} from '../../../functions/images/campaigns/award-counters.dynamodb.ts';
import { submissionsOn } from '../../../functions/images/submissions/submission-items.dynamodb.ts';
import { isStored, type Validation } from '../../../functions/images/validations/validation.ts';
import type { Key } from '../../../shared/table/table.dynamodb.ts';
import { marshalled } from '../../../shared/table/table.dynamodb.ts';
import { Interlude, Killed, Mortality } from '../../support/faults/mortal-clients.ts';
import { base64Image, imageBytes } from '../../support/images/image-bytes.ts';
import { codeOf, type ImagesDesk, openImagesDesk, submission } from '../../support/images/images-desk.ts';
import { newApp, newCaller } from '../../support/places/places-desk.ts';
import { MOMENTS } from '../../support/runner/thoroughness.ts';

const NOW = Date.parse('2026-11-22T10:00:00.000Z');
const DAY = '2026-11-22';

let desk: ImagesDesk;
beforeAll(async () => {
  desk = await openImagesDesk();
});
afterAll(() => desk.close());

const inline = (name: string, id?: string) => ({ ...(id !== undefined && { id }), base64_data: base64Image(name) });
const upload = (id?: string) => ({ ...(id !== undefined && { id }), upload: true, mime_type: 'image/heic' });

/** A customer of an app of its own tenant, who may submit to `coffee`. */
async function customer(settings: Parameters<typeof newApp>[0] = {}, campaign: object = {}) {
  const app = newApp(settings);
  await desk.campaign({ tenant: app.tenant, ...campaign });
  return newCaller(app, { externalId: 'crm-1' });
}
type Caller = Awaited<ReturnType<typeof customer>>;
const dayOf = ({ app, customer: { id } }: Caller, day = DAY) => ({ tenant: app.tenant, id, day, limit: 20 });
const countOf = (caller: Caller, day?: string) => submissionsOn(desk.table, dayOf(caller, day));
const shapeOf = ({ status, imageCount, images }: Validation) => [status, imageCount, images.map(isStored)];

describe('a submission', () => {
  it('creates a validation with its pictures, and counts for its day', async () => {
    const caller = await customer();
    const made = await desk.submit(caller, submission([inline('a', 'mine'), inline('b')], { data: { n: 1 } }));
    expect(await desk.validation(made)).toEqual(made);
    expect(made).toMatchObject({
      tenant: caller.app.tenant,
      revision: 1,
      app: caller.app.id,
      customer: caller.customer.id,
      customerExternalId: 'crm-1',
      anonymous: false,
      validationType: 'receipt',
      campaignId: 4_711,
      campaignPermalink: 'coffee',
      data: '{"n":1}',
      status: 'pending',
      imageCount: 2,
      createdAt: '2026-11-22T10:00:00.000Z',
      updatedAt: '2026-11-22T10:00:00.000Z',
      restarts: 0,
    });
    const [first, second] = made.images.filter(isStored);
    expect([first?.id, second?.id]).toEqual(['mine', expect.stringMatching(/^img_/)]);
    expect(await desk.bytesAt(first?.key ?? '')).toEqual(imageBytes('a'));
    expect(await desk.bytesAt(second?.key ?? '')).toEqual(imageBytes('b'));
    expect(await countOf(caller)).toBe(1);
  });

  it.each([
    ['all inline', [inline('a'), inline('b')], {}, ['pending', 2, [true, true]]],
    ['one to be uploaded', [upload('a')], {}, ['incomplete', 1, [false]]],
    ['both mixed', [inline('a'), upload()], {}, ['incomplete', 2, [true, false]]],
    ['more to come', [inline('a')], { image_count: 3 }, ['incomplete', 3, [true]]],
    ['none to come', [inline('a')], { image_count: 1 }, ['pending', 1, [true]]],
    ['the same image twice', [inline('a', 'x'), inline('a', 'x')], {}, ['pending', 1, [true]]],
    ['the same bytes with two ids', [inline('a', 'x'), inline('a', 'y')], {}, ['pending', 2, [true, true]]],
    ['an upload that is inline too', [upload('x'), inline('a', 'x')], {}, ['pending', 1, [true]]],
    ['an inline image to be uploaded too', [inline('a', 'x'), upload('x')], {}, ['pending', 1, [true]]],
    [
      'as many as the app takes',
      Array.from({ length: 3 }, (_, n) => inline(`${n}`)),
      {},
      ['pending', 3, [true, true, true]],
    ],
  ])('of %s has the status that follows', async (_what, images, more, shape) => {
    const made = await desk.submit(await customer({ imagesPerRecord: 3 }), submission(images, more));
    expect(shapeOf(made)).toEqual(shape);
    for (const image of made.images) if (isStored(image)) expect(await desk.bytesAt(image.key)).toBeDefined();
  });

  it.each([
    ['an unknown campaign', [inline('a')], { campaign_permalink: 'tea' }, 'campaign_unavailable'],
    [
      'no permalink that there could be',
      [inline('a')],
      { campaign_permalink: 'Coffee/'.repeat(400) },
      'campaign_unavailable',
    ],
    ['a campaign of another type', [inline('a')], { validation_type: 'image' }, 'campaign_unavailable'],
    ['more images than image_count', [inline('a'), inline('b')], { image_count: 1 }, 'validation'],
    ['more images than the app takes', ['a', 'b', 'c', 'd'].map((name) => inline(name)), {}, 'validation'],
    ['an image_count above what the app takes', [inline('a')], { image_count: 4 }, 'validation'],
    ['two images with one id', [inline('a', 'x'), inline('b', 'x')], {}, 'validation'],
  ])('of %s is refused, stores nothing and does not count', async (_what, images, more, code) => {
    const caller = await customer({ imagesPerRecord: 3 });
    const before = await desk.keysUnder('');
    expect(await codeOf(desk.submit(caller, submission(images, more)))).toBe(code);
    expect(await desk.keysUnder('')).toEqual(before);
    expect(await countOf(caller)).toBe(0);
  });

  it('of another tenant’s campaign is refused', async () => {
    await customer();
    const stranger = newCaller(newApp());
    expect(await codeOf(desk.submit(stranger, submission([inline('a')])))).toBe('campaign_unavailable');
  });

  it('before the start or after the end of a campaign is accepted, and left to the verdict', async () => {
    const caller = await customer({}, { startsAt: '2030-01-01T00:00:00.000Z' });
    expect((await desk.submit(caller, submission([inline('a')]))).status).toBe('pending');
  });

  it('needs a customer, and an app that takes images', async () => {
    const { app } = await customer();
    expect(await codeOf(desk.submit({ app }, submission([inline('a')])))).toBe('requires_registered_user');
    const off = await customer({ imagesEnabled: false });
    const refusal = desk.submit(off, submission([inline('a')]));
    await expect(refusal).rejects.toMatchObject({ code: 'access_denied', status: 200 });
  });
});

describe('awards of a campaign', () => {
  async function award(key: Key, count: number) {
    await desk.table.client.send(
      new PutItemCommand({ TableName: desk.table.name, Item: marshalled({ ...key, count }) }),
    );
  }

  it('are refused to a customer who has received all of them, and to no other one', async () => {
    const caller = await customer({}, { awardsPerCustomer: 2, maxAwards: 3 });
    const campaign = { tenant: caller.app.tenant, campaignId: 4_711, maxAwards: 3 };
    await award(awardShardKey(campaign, 0), 2);
    await award(awardShardKey(campaign, 15), 1);
    await award(customerAwardsKey(campaign, caller.customer.id), 1);
    expect(await awardCounts(desk.table, campaign, caller.customer.id)).toEqual({ total: 3, ofCustomer: 1 });
    expect(await codeOf(desk.submit(caller, submission([inline('a')])))).toBeUndefined();
    await award(customerAwardsKey(campaign, caller.customer.id), 2);
    expect(await codeOf(desk.submit(caller, submission([inline('a')])))).toBe('campaign_unavailable');
    const other = newCaller(caller.app);
    expect(await awardCounts(desk.table, campaign, other.customer.id)).toEqual({ total: 3, ofCustomer: 0 });
    expect(await codeOf(desk.submit(other, submission([inline('a')])))).toBeUndefined();
  });
});

describe('the limit of a day', () => {
  it('admits exactly that many of those that arrive at the same time', async () => {
    const caller = await customer({ submissionsPerDay: 3 });
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, n) => codeOf(desk.submit(caller, submission([inline(`${n}`)])))),
    );
    expect(codes.filter((code) => code === undefined)).toHaveLength(3);
    expect(codes.filter((code) => code === 'validation')).toHaveLength(9);
    expect(await countOf(caller)).toBe(3);
  });

  it('starts again at midnight in UTC, for each customer, and no picture of a refused submission is stored', async () => {
    const caller = await customer({ submissionsPerDay: 1 });
    const last = Date.parse('2026-11-22T23:59:59.999Z');
    const at = (now: number, who: Caller = caller) => codeOf(desk.submit(who, submission([inline('a')]), { now }));
    expect(await at(last)).toBeUndefined();
    const before = await desk.keysUnder('');
    expect(await at(last)).toBe('validation');
    expect(await desk.keysUnder('')).toEqual(before);
    expect(await at(last, newCaller(caller.app))).toBeUndefined();
    expect(await at(last + 1)).toBeUndefined();
    expect(await at(last + 1)).toBe('validation');
    expect([await countOf(caller), await countOf(caller, '2026-11-23')]).toEqual([1, 1]);
  });

  it('applies to later submissions after it was lowered', async () => {
    const caller = await customer({ submissionsPerDay: 5 });
    await desk.submit(caller, submission([inline('a')]));
    await desk.submit(caller, submission([inline('b')]));
    const lowered = { ...caller, app: { ...caller.app, submissionsPerDay: 2 } };
    expect(await codeOf(desk.submit(lowered, submission([inline('c')])))).toBe('validation');
  });
});

describe('a repeated call', () => {
  const body = (more: object = {}) => submission([inline('a', 'x'), inline('b', 'y')], more);

  it('returns the first validation in its current state, and counts once', async () => {
    const caller = await customer({ submissionsPerDay: 1 }, { awardsPerCustomer: 1 });
    const made = await desk.submit(caller, body({ image_count: 3 }));
    expect(await desk.submit(caller, body({ image_count: 3 }))).toEqual(made);
    const added = await desk.add(caller, made.id, inline('c', 'z'));
    await desk.table.client.send(
      new PutItemCommand({
        TableName: desk.table.name,
        Item: marshalled({ ...customerAwardsKey({ ...caller.app, campaignId: 4_711 }, caller.customer.id), count: 1 }),
      }),
    );
    expect(await desk.submit(caller, body({ image_count: 3 }))).toEqual(added);
    expect(await countOf(caller)).toBe(1);
  });

  it.each([
    ['of another customer', (caller: Caller) => newCaller(caller.app), body()],
    ['with other bytes', (caller: Caller) => caller, submission([inline('a', 'x'), inline('c', 'y')])],
    ['with other ids', (caller: Caller) => caller, submission([inline('a', 'x'), inline('b', 'z')])],
    ['with another member', (caller: Caller) => caller, body({ external_id: 'e' })],
  ])('%s is another submission', async (_what, callerOf, other) => {
    const caller = await customer();
    const made = await desk.submit(caller, body());
    expect((await desk.submit(callerOf(caller), other)).id).not.toBe(made.id);
  });

  it('without ids of its images is another submission, unless it has a key', async () => {
    const caller = await customer();
    const nameless = submission([inline('a'), inline('b', 'y')]);
    const ids = new Set<string>();
    for (const idempotencyKey of [undefined, undefined, 'k', 'k', 'l']) {
      ids.add((await desk.submit(caller, nameless, { ...(idempotencyKey && { idempotencyKey }) })).id);
    }
    expect(ids.size).toBe(4);
  });

  it('with a key of another body is refused', async () => {
    const caller = await customer();
    await desk.submit(caller, body(), { idempotencyKey: 'k' });
    const other = desk.submit(caller, body({ external_id: 'e' }), { idempotencyKey: 'k' });
    expect(await codeOf(other)).toBe('argument_error');
    const stranger = newCaller(caller.app);
    expect(await codeOf(desk.submit(stranger, body({ external_id: 'e' }), { idempotencyKey: 'k' }))).toBeUndefined();
  });

  it('is recognised for a day, to the millisecond', async () => {
    const caller = await customer();
    const made = await desk.submit(caller, body());
    const at = (now: number) => desk.submit(caller, body(), { now });
    expect((await at(NOW + 86_399_999)).id).toBe(made.id);
    const next = await at(NOW + 86_400_000);
    expect(next.id).not.toBe(made.id);
    expect((await at(NOW + 86_400_001)).id).toBe(next.id);
  });

  it('with uploads is recognised until the first has arrived, because other images can have the same call', async () => {
    const caller = await customer();
    const uploads = submission([upload('1'), upload('2')]);
    const made = await desk.submit(caller, uploads);
    expect((await desk.submit(caller, uploads)).id).toBe(made.id);
    const keyed = await desk.submit(caller, uploads, { idempotencyKey: 'k' });
    for (const { images } of [made, keyed]) {
      const [image] = images;
      const key = image && !isStored(image) ? image.uploadKey : '';
      await desk.upload(key, imageBytes('a'));
      expect(await desk.receive(key)).toBe('stored');
    }
    const next = await desk.submit(caller, uploads);
    expect(next.id).not.toBe(made.id);
    expect((await desk.submit(caller, uploads)).id).toBe(next.id);
    expect((await desk.submit(caller, uploads, { idempotencyKey: 'k' })).id).toBe(keyed.id);
  });

  it('creates a new validation if the first one was erased', async () => {
    const caller = await customer();
    const made = await desk.submit(caller, body());
    const Key = marshalled({ pk: `VALIDATION#${made.tenant}#${made.id}`, sk: 'VALIDATION' });
    await desk.table.client.send(new DeleteItemCommand({ TableName: desk.table.name, Key }));
    const next = await desk.submit(caller, body());
    expect(next.id).not.toBe(made.id);
    expect((await desk.submit(caller, body())).id).toBe(next.id);
  });

  it('creates one validation, which counts once, however many arrive at the same time', async () => {
    const caller = await customer({ submissionsPerDay: 1 });
    const validations = await Promise.all(Array.from({ length: 10 }, () => desk.submit(caller, body())));
    expect(new Set(validations.map(({ id }) => id)).size).toBe(1);
    expect(await countOf(caller)).toBe(1);
  });

  it('creates one validation if the same call runs between any two of its calls to AWS', async () => {
    let call = 1;
    for (let happened = true; happened; call += 1) {
      const caller = await customer({ submissionsPerDay: 1 });
      let other: Validation | undefined;
      const interlude = new Interlude(call, async () => {
        other = await desk.submit(caller, body());
      });
      const made = await desk.submit(caller, body(), { by: desk.parts(interlude) });
      happened = interlude.calls >= call;
      // Without the other call, this one is the first.
      expect([other?.id ?? made.id, happened]).toEqual([made.id, other !== undefined]);
      expect(await countOf(caller)).toBe(1);
    }
    expect(call).toBeGreaterThan(5);
  });

  it('creates one validation wherever the first process crashed', async () => {
    const calm = new Mortality();
    await desk.submit(await customer(), body(), { by: desk.parts(calm) });
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of MOMENTS) {
        const caller = await customer();
        const by = desk.parts(new Mortality(call, when));
        await expect(desk.submit(caller, body(), { by })).rejects.toThrow(Killed);
        const made = await desk.submit(caller, body());
        expect((await desk.submit(caller, body())).id).toBe(made.id);
        expect(await countOf(caller)).toBe(1);
        for (const image of made.images) if (isStored(image)) expect(await desk.bytesAt(image.key)).toBeDefined();
      }
    }
  });
});

describe('a new id', () => {
  it('that collides is replaced by another one, and the other validation does not change', async () => {
    const caller = await customer();
    const first = await desk.submit(caller, submission([inline('a')]));
    const ids = [first.id, first.id, '42'];
    const { submit, ...others } = desk.parts();
    const by = { ...others, submit: { ...submit, newId: async () => ids.shift() ?? 'none' } };
    const second = await desk.submit(caller, submission([inline('b')]), { by });
    expect(second.id).toBe('42');
    expect(await desk.validation(first)).toEqual(first);
    expect(second.images.filter(isStored).every(({ key }) => key.includes('/42/'))).toBe(true);
    expect(await countOf(caller)).toBe(2);
  });

  it('that always collides is a fault, not a refusal', async () => {
    const caller = await customer();
    const first = await desk.submit(caller, submission([inline('a')]));
    const { submit, ...others } = desk.parts();
    const by = { ...others, submit: { ...submit, newId: async () => first.id } };
    await expect(desk.submit(caller, submission([inline('b')]), { by })).rejects.toThrow('ids were taken');
    expect(await countOf(caller)).toBe(1);
  });
});

describe('a process that crashes at any call of a submission', () => {
  it('leaves the whole validation and its pictures, or no validation and no count', async () => {
    const body = submission([inline('a'), upload('u')], { image_count: 3 });
    const calm = new Mortality();
    await desk.submit(await customer({}, { awardsPerCustomer: 5 }), body, { by: desk.parts(calm) });
    expect(calm.calls).toBe(5);
    for (let call = 1; call <= calm.calls; call += 1) {
      for (const when of MOMENTS) {
        const caller = await customer({}, { awardsPerCustomer: 5 });
        const by = desk.parts(new Mortality(call, when));
        const ids: string[] = [];
        const noting = {
          ...by,
          submit: { ...by.submit, newId: async (of: string) => ids[ids.push(await by.submit.newId(of)) - 1] ?? '' },
        };
        await expect(desk.submit(caller, body, { by: noting })).rejects.toThrow(Killed);
        const wasMade = call === calm.calls && when === 'after';
        expect(await countOf(caller)).toBe(wasMade ? 1 : 0);
        const left = await desk.validation({ tenant: caller.app.tenant, id: ids[0] ?? 'none' });
        expect(left !== undefined).toBe(wasMade);
        for (const image of left?.images ?? []) {
          if (isStored(image)) expect(await desk.bytesAt(image.key)).toEqual(imageBytes('a'));
        }
        expect((await desk.submit(caller, body)).status).toBe('incomplete');
        expect(await countOf(caller)).toBe(wasMade ? 2 : 1);
      }
    }
  });
});

it('a validation is never visible to another tenant or customer', async () => {
  const made = await desk.submit(await customer(), submission([inline('a')], { image_count: 2 }), { now: NOW });
  const stranger = await customer();
  for (const caller of [stranger, newCaller({ ...stranger.app, tenant: made.tenant })]) {
    expect(await codeOf(desk.add(caller, made.id, inline('b')))).toBe('not_found');
  }
});
