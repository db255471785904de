import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerStore } from '../../../functions/accounts/customers/customer-store.dynamodb.ts';
import type { Customer } from '../../../functions/accounts/customers/manage-customers.ts';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { AMERICAN, drawn } from '../../images/drawn-receipts.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { base64Image, imageBytes } from '../../support/images/image-bytes.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { webhookEvents } from '../../support/webhooks/webhook-events.ts';

stepsInOrder();

const APP = '/priv/v1/apps/demo-app';
const BASIC = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;

const now = () => service.cloud.clock.millis();
let service: RunningService;
let manager: string;
let receipts: Campaign;

beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  manager = await service.managementToken('demo');
  receipts = await campaign({ permalink: 'coffee' });
  await campaign({ permalink: 'photos', type: 'image', campaignId: 4_712 });
});
afterAll(() => service?.close());

async function manage(method: string, path: string, body?: unknown, as = manager) {
  const answer = await service.call(`/manage/v1/loyalty/${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}
const table = (of: 'Accounts' | 'Images') => ({
  name: service.cloud.outputs[`${of}Table`] ?? '',
  client: dynamoDbClient(clientOptions(service.cloud)),
});
/**
 * Campaigns are managed by other routes, with tests of their own. These have no awards left, so that the validations are
 * decided without an examination of their images, which are none.
 */
async function campaign(fields: Partial<Campaign> & Pick<Campaign, 'permalink'>): Promise<Campaign> {
  const campaign = imageCampaign({ tenant: 'demo', maxAwards: 0, ...fields });
  expect(await campaignStore(table('Images')).add(campaign)).toBe(true);
  return campaign;
}
async function newCustomer(fields: Partial<Customer> = {}): Promise<string> {
  const [id, at] = [newId('cus'), isoTime(now())];
  const customer = { id, tenant: 'demo', attributes: {}, createdAt: at, updatedAt: at, ...fields };
  expect(await customerStore(table('Accounts')).add(customer)).toBe('added');
  return id;
}

async function newApp(settings: object) {
  const { id, apiSecret } = await manage('POST', 'apps', { name: 'Another', ...settings });
  return {
    path: `/priv/v1/apps/${id}`,
    authorization: `Basic ${Buffer.from(`${id}:${apiSecret}`).toString('base64')}`,
  };
}

function post(path: string, body: unknown, authorization = BASIC) {
  const init = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };
  return service.call(path, { ...init, body: typeof body === 'string' ? body : JSON.stringify(body) });
}
const get = async (path: string, authorization = BASIC) => service.call(path, { headers: { authorization } });
const error = (code: string) => ({ status: 'error', errors: { code, message: expect.any(String) } });

const inline = (name: string, more: object = {}) => ({
  id: name,
  base64_data: base64Image(name),
  mime_type: 'image/jpg',
  ...more,
});
const request = (images: unknown, more: object = {}) => ({
  image_validation: { validation_type: 'receipt', campaign_permalink: 'coffee', images, ...more },
});
const create = (user: string, images: unknown, more: object = {}) =>
  post(`${user}/image_validations`, request(images, more));
async function created(user: string, images: unknown, more: object = {}) {
  const { status, json, text } = await create(user, images, more);
  expect([status, json.status], text).toEqual([200, 'ok']);
  return json.image_validation;
}
const add = (user: string, id: number, image: unknown) =>
  post(`${user}/image_validations/${id}/images`, image === undefined ? {} : { image });
const list = async (user: string, query = '') => (await get(`${user}/image_validations?${query}`)).json;
const listed = async (user: string, id: number) =>
  (await list(user)).image_validations.find((one: { id: number }) => one.id === id);

const upload = (url: string, body: Buffer) => fetch(url, { method: 'PUT', body: new Uint8Array(body) });
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());

describe('a submission', () => {
  it('with its images inline is pending at once, with every field of the specification', async () => {
    const customer = await newCustomer();
    const { json } = await post(`${APP}/users/${customer}/image_validations`, {
      user: { ignored: true },
      image_validation: {
        validation_type: 'receipt',
        campaign_permalink: 'coffee',
        campaign_id: 1,
        placement_id: 9_007_199_254_740_993n.toString(),
        external_id: 'mine',
        images: [inline('front'), { base64_data: base64Image('back', { format: 'pdf' }), mime_type: 'image/jpg' }],
        data: { note: 'ä', list: [1, { deep: null }] },
      },
    });
    expect(json).toEqual({
      status: 'ok',
      image_validation: {
        id: expect.any(Number),
        validation_type: 'receipt',
        campaign_id: receipts.campaignId,
        campaign_permalink: 'coffee',
        placement_id: '9007199254740993',
        external_id: 'mine',
        user_id: customer,
        status: 'pending',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        image_count: 2,
        images: [
          { id: 'front', url: expect.stringMatching(/^http/), mime_type: 'image/jpeg' },
          { id: expect.stringMatching(/^img_/), url: expect.stringMatching(/^http/), mime_type: 'application/pdf' },
        ],
        data: { note: 'ä', list: [1, { deep: null }] },
      },
    });
    const { id, images, created_at } = json.image_validation;
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(Math.abs(Date.parse(`${created_at.replace(' ', 'T')}Z`) - now())).toBeLessThan(600_000);
    expect(await bytesAt(images[0].url)).toEqual(imageBytes('front'));
    expect(await bytesAt(images[1].url)).toEqual(imageBytes('back', { format: 'pdf' }));
  });

  it('keeps every digit of the numbers in its data', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const body = (of: string) =>
      JSON.stringify(request([inline('a')], { image_count: 2, data: 'DATA' })).replace('"DATA"', of);
    const data = '{"order":12345678901234567890,"price":1.10,"__proto__":{"a":1e400}}';
    const { text } = await post(`${user}/image_validations`, body(data));
    expect(text).toContain(`"data":${data}`);
    expect((await get(`${user}/image_validations`)).text).toContain(`"data":${data}`);
  });
});

describe('a record of several images', () => {
  it('is filled one image at a time, and pending with the last one', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const { id, status } = await created(user, [inline('one')], { image_count: 3 });
    expect(status).toBe('incomplete');
    const second = await add(user, id, inline('two'));
    expect([second.status, second.json.status]).toEqual([200, 'ok']);
    expect(second.json.image_validation).toMatchObject({ id, status: 'incomplete', image_count: 3 });
    expect((await add(user, id, inline('two'))).json.image_validation.images).toHaveLength(2);
    const third = (await add(user, id, { base64_data: base64Image('three') })).json.image_validation;
    expect(third).toMatchObject({ status: 'pending', images: [{ id: 'one' }, { id: 'two' }, {}] });
    expect((await add(user, id, inline('four'))).json).toEqual(error('validation'));
  });

  it('takes what is uploaded by its links, in any order, beside what is inline', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const large = imageBytes('large', { format: 'png', bytes: isThorough ? 8_000_000 : 100_000 });
    const { id, status, images } = await created(user, [
      inline('front'),
      { id: 'back', mime_type: 'image/png', upload: true, size: large.length },
      { id: 'side', mime_type: 'image/jpg', upload: true },
    ]);
    expect([status, images.map((one: object) => Object.keys(one).sort())]).toEqual([
      'incomplete',
      [
        ['id', 'mime_type', 'url'],
        ['id', 'mime_type', 'upload_url'],
        ['id', 'mime_type', 'upload_url'],
      ],
    ]);
    const [, back, side] = images;
    expect((await upload(side.upload_url, Buffer.from('<html>'))).status).toBe(200);
    expect((await upload(back.upload_url, large.subarray(1))).status).toBe(403);
    expect((await upload(back.upload_url, large)).status).toBe(200);
    await eventually(
      service.cloud,
      () => listed(user, id),
      (one) => one.images[1].url !== undefined,
    );
    const waiting = await listed(user, id);
    expect([waiting.status, waiting.images[2].upload_url]).toEqual(['incomplete', expect.stringMatching(/^http/)]);
    // A new link, from the list, for the image that was none.
    expect((await upload(waiting.images[2].upload_url, imageBytes('side'))).status).toBe(200);
    // No awards are left, so that the execution, which starts with the last image, refuses it.
    const done = await eventually(
      service.cloud,
      () => listed(user, id),
      (one) => one.status === 'invalid',
    );
    expect(done.invalid_code).toBe(16);
    expect(done.images.map((one: { id: string; mime_type: string }) => [one.id, one.mime_type])).toEqual([
      ['front', 'image/jpeg'],
      ['back', 'image/png'],
      ['side', 'image/jpeg'],
    ]);
    expect((await bytesAt(done.images[1].url)).equals(large)).toBe(true);
  });
});

describe('an addition', () => {
  it('is an image as the body, or as a file of a form', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const { id } = await created(user, [inline('a')], { image_count: 3 });
    const path = `${user}/image_validations/${id}/images`;
    const form = new FormData();
    form.append('id', 'c');
    form.append('image', new Blob([new Uint8Array(imageBytes('c', { format: 'png' }))]), 'c.png');
    for (const [query, body, type] of [
      ['?id=b', new Uint8Array(imageBytes('b')), 'image/jpeg'],
      ['', form, undefined],
    ] as const) {
      const headers = { authorization: BASIC, ...(type !== undefined && { 'content-type': type }) };
      const { json, text } = await service.call(`${path}${query}`, { method: 'POST', headers, body });
      expect(json?.status, text).toBe('ok');
    }
    const { status, images } = await listed(user, id);
    expect([status, images.map((image: { id: string; mime_type: string }) => [image.id, image.mime_type])]).toEqual([
      'pending',
      [
        ['a', 'image/jpeg'],
        ['b', 'image/jpeg'],
        ['c', 'image/png'],
      ],
    ]);
    expect(await bytesAt(images[1].url)).toEqual(imageBytes('b'));
    expect(await bytesAt(images[2].url)).toEqual(imageBytes('c', { format: 'png' }));
  });
});

describe('the paths of a customer', () => {
  it('by user id and by external id lead to the same records', async () => {
    const external = `crm:${crypto.randomUUID()} ä`;
    const customer = await newCustomer({ externalId: external });
    const [byId, byExternal] = [`${APP}/users/${customer}`, `${APP}/external/users/${encodeURIComponent(external)}`];
    const { id, user_id } = await created(byExternal, [inline('a')], { image_count: 3 });
    expect(user_id).toBe(customer);
    expect((await add(byExternal, id, inline('b'))).json.image_validation.images).toHaveLength(2);
    expect((await add(byId, id, inline('c'))).json.image_validation.status).toBe('pending');
    expect((await listed(byId, id)).id).toBe(id);
    expect((await listed(byExternal, id)).id).toBe(id);
  });

  it('of an anonymous one work by the token alone, below /api and below /priv', async () => {
    const { auth_token: token, user } = (await post(`${APP}/anonymous_tokens`, {})).json;
    const routes = [
      ['/api/v1/apps/demo-app', ''],
      [APP, BASIC],
    ] as const;
    for (const [at, [path, authorization]] of routes.entries()) {
      const query = `?auth_token=${token}`;
      const submitted = await post(
        `${path}/image_validations${query}`,
        request([inline(`a${at}`)], { image_count: 2 }),
        authorization,
      );
      expect(submitted.json.image_validation, submitted.text).toMatchObject({ user_id: user.id, status: 'incomplete' });
      const { id } = submitted.json.image_validation;
      const added = await post(`${path}/image_validations/${id}/images${query}`, { image: inline('b') }, authorization);
      expect(added.json.image_validation, added.text).toMatchObject({ id, status: 'pending' });
      const { image_validations: records } = (await get(`${path}/image_validations${query}`, authorization)).json;
      expect(records[0].id).toBe(id);
    }
  });

  it('need a customer', async () => {
    for (const answer of [
      await create(APP, [inline('a')]),
      await add(APP, 1, inline('a')),
      await get(`${APP}/image_validations`),
    ]) {
      expect([answer.status, answer.json]).toEqual([200, error('requires_registered_user')]);
    }
  });
});

describe('a list', () => {
  it('has the newest records first, by pages', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    expect(await list(user)).toEqual({ status: 'ok', image_validations: [] });
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await created(user, [inline(`${n}`)], { image_count: 2 })).id);
    const idsAt = async (query: string) =>
      (await list(user, query)).image_validations.map(({ id }: { id: number }) => id);
    expect(await idsAt('')).toEqual(ids);
    expect([await idsAt('limit=2'), await idsAt('limit=2&page=2')]).toEqual([ids.slice(0, 2), ids.slice(2)]);
    expect(await idsAt('limit=2&page=3')).toEqual([]);
    const { status, json } = await get(`${user}/image_validations?page=1000`);
    expect([status, json]).toEqual([200, error('argument_error')]);
  });
});

describe('a submission is refused', () => {
  const two = [inline('a'), inline('b')];
  it.each(
    few<readonly [string, unknown, string]>(
      [
        ['no body', '', 'missing_data'],
        ['an unknown campaign', request(two, { campaign_permalink: 'tea' }), 'campaign_unavailable'],
      ],
      [
        ['broken JSON', '{"image_validation":', 'argument_error'],
        ['no image in the data', request([{ base64_data: 'aGVsbG8=' }]), 'validation'],
      ],
    ),
  )('for %s', async (_what, body, code) => {
    const { status, json } = await post(`${APP}/users/demo-user/image_validations`, body);
    expect([status, json]).toEqual([200, error(code)]);
  });

  it('beyond the limit of the day, until midnight in UTC', async () => {
    const { path, authorization } = await newApp({ submissionsPerDay: 2 });
    const user = `${path}/users/${await newCustomer()}`;
    // They lack an image, so that none is examined.
    const submit = (name: string) =>
      post(`${user}/image_validations`, request([inline(name)], { image_count: 2 }), authorization);
    const answers = [await submit('a'), await submit('b'), await submit('c')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.filter(({ json }) => json.status === 'ok')).toHaveLength(2);
    expect(answers.filter(({ json }) => json.errors?.code === 'validation')).toHaveLength(1);
    expect((await submit('a')).json.image_validation.id).toBe(answers[0]?.json.image_validation.id);
    service.cloud.clock.advance(86_400_000);
    manager = await service.managementToken('demo');
    const keyed = () =>
      service.call(`${user}/image_validations`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': 'k-1' },
        body: JSON.stringify(request([{ base64_data: inline('f').base64_data }], { image_count: 2 })),
      });
    const [made, repeated] = [(await keyed()).json, (await keyed()).json];
    expect([made.status, repeated.image_validation?.id]).toEqual(['ok', made.image_validation.id]);
  });

  it('where the app takes no images, as are additions and lists', async () => {
    const { path, authorization } = await newApp({ imagesEnabled: false });
    const user = `${path}/users/demo-user/image_validations`;
    for (const answer of [
      await post(user, request([inline('a')]), authorization),
      await post(`${user}/1/images`, { image: inline('a') }, authorization),
      await get(user, authorization),
    ]) {
      expect([answer.status, answer.json]).toEqual([200, error('access_denied')]);
    }
  });

  it.runIf(isThorough)('with a body that no function takes, and is carried out with one that just fits', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const fits = await create(user, [inline('a', { base64_data: base64Image('a', { bytes: 4_400_000 }) })]);
    expect([fits.status, fits.json?.status], fits.text.slice(0, 200)).toEqual([200, 'ok']);
    const tooLarge = await create(user, [inline('a', { base64_data: base64Image('a', { bytes: 5_000_000 }) })]);
    expect(tooLarge.status).toBe(413);
    expect((await list(user)).image_validations).toHaveLength(1);
  });

  it.each(
    few<readonly [string, string, number, string]>(
      [
        ['Basic nonsense', `${APP}/users/demo-user`, 401, 'access_denied'],
        ['', '/api/v1/apps/demo-app', 401, 'invalid_auth_token'],
      ],
      [
        [`Basic ${Buffer.from('nobody:x').toString('base64')}`, '/priv/v1/apps/nobody', 401, 'invalid_api_key'],
        [BASIC, `${APP}/users/nobody`, 404, 'user_not_found'],
      ],
    ),
  )('with %j at %s', async (authorization, path, status, code) => {
    for (const answer of [
      await post(`${path}/image_validations`, request([inline('a')]), authorization),
      await post(`${path}/image_validations/1/images`, { image: inline('a') }, authorization),
      await get(`${path}/image_validations`, authorization),
    ]) {
      expect([answer.status, answer.json]).toEqual([status, error(code)]);
    }
  });
});

describe('an addition is refused', () => {
  it('to a record that there is not, that another customer has, or another tenant', async () => {
    const own = `${APP}/users/${await newCustomer()}`;
    const { id } = await created(own, [inline('a')], { image_count: 2 });
    const other = `${APP}/users/${await newCustomer()}`;
    const foreign = await service.managementToken('other');
    const create = async (path: string, body: object) => manage('POST', path, body, foreign);
    const { id: app, apiSecret } = await create('apps', { name: 'Foreign' });
    const customer = await newCustomer({ tenant: 'other' });
    const authorization = `Basic ${Buffer.from(`${app}:${apiSecret}`).toString('base64')}`;
    const users = `/priv/v1/apps/${app}/users/${customer}`;
    for (const answer of [
      await add(own, 1, inline('b')),
      await add(own, 9_007_199_254_740_991, inline('b')),
      await post(`${own}/image_validations/nothing/images`, { image: inline('b') }),
      await add(other, id, inline('b')),
      await post(`${users}/image_validations/${id}/images`, { image: inline('b') }, authorization),
    ]) {
      expect([answer.status, answer.json]).toEqual([404, error('not_found')]);
    }
    expect((await get(`${users}/image_validations`, authorization)).json.image_validations).toEqual([]);
    expect((await add(own, id, inline('b'))).json.image_validation.status).toBe('pending');
  });

  it.each(
    few<readonly [string, unknown, string]>(
      [['other bytes with a known id', inline('a', { base64_data: base64Image('other') }), 'validation']],
      [
        ['no image', undefined, 'image_not_found'],
        ['an image of another shape', ['a'], 'argument_error'],
      ],
    ),
  )('for %s', async (_what, image, code) => {
    const user = `${APP}/users/${await newCustomer()}`;
    const { id } = await created(user, [inline('a')], { image_count: 3 });
    const { status, json } = await add(user, id, image);
    expect([status, json]).toEqual([200, error(code)]);
    expect(await listed(user, id)).toMatchObject({ status: 'incomplete', images: [{ id: 'a' }] });
  });
});

describe('a record that its tenant erases', () => {
  const erase = async (id: number, as = manager) => {
    const init = { method: 'DELETE', headers: { authorization: `Bearer ${as}` } };
    return (await service.call(`/manage/v1/image-validations/${id}`, init)).status;
  };

  it('is gone with its pictures, also with one that is uploaded afterwards', async () => {
    const user = `${APP}/users/${await newCustomer()}`;
    const survivor = await created(user, [inline('same')], { image_count: 2 });
    const { id, images } = await created(user, [inline('same'), { id: 'late', upload: true }], { image_count: 2 });
    expect((await fetch(images[0].url)).status).toBe(200);
    expect(await erase(id, await service.managementToken('other'))).toBe(404);
    expect([await erase(id), await erase(id), await erase(999_999)]).toEqual([204, 404, 404]);
    expect((await fetch(images[0].url)).ok).toBe(false);
    expect((await add(user, id, inline('b'))).json).toEqual(error('not_found'));
    expect((await upload(images[1].upload_url, imageBytes('late'))).status).toBe(200);
    const s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
    const objectsOf = async () => {
      const bucket = service.cloud.outputs['ImagesPicturesBucket'];
      const keys: string[] = [];
      for (const folder of ['uploads', 'validations']) {
        const page = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: `${folder}/demo/${id}/` }));
        keys.push(...(page.Contents ?? []).map(({ Key: key = '' }) => key));
      }
      return keys;
    };
    expect(await eventually(service.cloud, objectsOf, (keys) => keys.length === 0)).toEqual([]);
    expect((await list(user)).image_validations.map((one: { id: number }) => one.id)).toEqual([survivor.id]);
    expect((await fetch(survivor.images[0].url)).status).toBe(200);
  });
});

it('no link, no image and no credential is in a log', async () => {
  const lines = ['Submissions', 'AddImages', 'ListValidations', 'ReceiveUploads'].flatMap((name) =>
    service.cloud.logsOf(`Images/${name}/`),
  );
  expect(lines.length).toBeGreaterThan(20);
  const logged = JSON.stringify(lines);
  for (const secret of ['X-Amz-Signature', base64Image('front').slice(0, 12), 'demo-secret', BASIC]) {
    expect(logged).not.toContain(secret);
  }
});

describe('images that a tenant submits for a customer', () => {
  const submitted = (body: object, as = manager) =>
    service.call('/manage/v1/image-validations', {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const bodyFor = (customer: string, more: object = {}) => ({
    app: 'demo-app',
    customer,
    campaignPermalink: 'coffee',
    validationType: 'receipt',
    images: [{ id: 'front', mimeType: 'image/jpeg', size: imageBytes('front').length }],
    ...more,
  });

  it('are put to links, and the validation is the same as one of an app', async () => {
    const customer = await newCustomer();
    const { status, json, text, headers } = await submitted(bodyFor(customer));
    expect(status, text).toBe(201);
    expect(headers.get('location')).toBe(`/manage/v1/image-validations/${json.id}`);
    expect(json).toMatchObject({ status: 'incomplete', images: [{ id: 'front' }] });
    expect((await upload(json.images[0].uploadUrl, imageBytes('front'))).status).toBe(200);
    const arrived = await eventually(
      service.cloud,
      () => listed(`${APP}/users/${customer}`, json.id),
      ({ status }) => status !== 'incomplete',
    );
    expect(arrived).toMatchObject({ campaign_permalink: 'coffee', user_id: customer, image_count: 1 });
    expect(await bytesAt(arrived.images[0].url)).toEqual(imageBytes('front'));
  });

  // The same is tried beside the handlers of submissions.
  it.runIf(isThorough)(
    'are one validation if the call is repeated before they arrive, and another one afterwards',
    async () => {
      const customer = await newCustomer();
      const [first, second] = await Promise.all([submitted(bodyFor(customer)), submitted(bodyFor(customer))]);
      expect(second.json.id).toBe(first.json.id);
      expect((await upload(second.json.images[0].uploadUrl, imageBytes('front'))).status).toBe(200);
      await eventually(
        service.cloud,
        () => listed(`${APP}/users/${customer}`, first.json.id),
        ({ status }) => status !== 'incomplete',
      );
      expect((await submitted(bodyFor(customer))).json.id).not.toBe(first.json.id);
    },
  );

  it('are refused with the codes of the management API, and create nothing', async () => {
    const customer = await newCustomer();
    const strangers = await service.managementToken('strangers');
    const refused = async (more: object, as?: string) => {
      const { status, json } = await submitted(bodyFor(customer, more), as);
      return [status, json.code, json.errors?.map(({ pointer }: { pointer: string }) => pointer)];
    };
    const { id: closed } = await manage('POST', 'apps', { name: 'Without images', imagesEnabled: false });
    const { id: full } = await manage('POST', 'apps', { name: 'One a day', submissionsPerDay: 1 });
    expect(await refused({ app: 'no-app' })).toEqual([400, 'invalid-input', ['/app']]);
    expect(await refused({ customer: 'cus_nobody' })).toEqual([400, 'invalid-input', ['/customer']]);
    expect(await refused({}, strangers)).toEqual([400, 'invalid-input', ['/app']]);
    expect(await refused({ images: [] })).toEqual([400, 'invalid-input', ['/images']]);
    expect(await refused({ campaignPermalink: 'tea' })).toEqual([409, 'campaign-unavailable', undefined]);
    expect(await refused({ validationType: 'image' })).toEqual([409, 'campaign-unavailable', undefined]);
    expect(await refused({ app: closed })).toEqual([409, 'images-disabled', undefined]);
    expect((await list(`${APP}/users/${customer}`)).image_validations).toEqual([]);
    expect((await submitted(bodyFor(customer, { app: full }))).status).toBe(201);
    expect(await refused({ app: full, externalId: 'another' })).toEqual([409, 'submission-refused', undefined]);
  });
});

/** Print of a receipt is recognised twice here, since each time takes a second; the rest is in the long test. */
describe('a validation that is examined', () => {
  let images: ImageService;
  beforeAll(async () => {
    images = imageService(service, await service.managementToken('demo'));
  });

  /** A seed of reporting. */
  const PROVEN = 10_027;
  const decidedBy = { type: 'image', reviewsEveryImage: false, pointsPerValidation: 5 } as const;

  describe('a receipt of which everything is proven', () => {
    it('becomes valid with store, date, lines and points, is told of, and counts once', async () => {
      const { truth } = receiptOfSeed(PROVEN, { country: 'US' });
      const to = await images.campaign({
        stores: [truth.store, 'Another Store'],
        products: truth.items.slice(0, 2).map(({ name }, at) => ({ name, points: 3 + at })),
        pointsPerValidation: 10,
      });
      const customer = await images.newCustomer();
      const { bytes: picture } = await receiptOfSeed(PROVEN, {
        country: 'US',
        distortion: 'clean',
        file: 'jpeg',
      }).render();

      const record = await images.submit(customer, { to }, picture);
      const valid = await images.decided(customer, record);
      const counted = truth.items.slice(0, 2).map(({ name, price, quantity }, at) => ({
        id: `${record.id}-${at + 1}`,
        name,
        description: expect.any(String),
        price: price / 100,
        quantity,
        points: quantity * (3 + at),
      }));
      expect(valid).toMatchObject({ status: 'valid', store_name: truth.store, receipt_date: truth.date });
      expect(valid.results).toEqual(counted);
      const points = 10 + counted.reduce((sum, line) => sum + line.points, 0);
      expect(await images.points(customer)).toBe(points);
      // That the variables are those of the document, `test/reference/documents.test.ts` shows.
      expect(await webhookEvents(service.cloud)).toContainEqual(expect.stringMatching(`^images-${record.id}-`));

      const another = await images.newCustomer();
      const again = await images.submit(another, { to }, picture);
      expect(await images.decided(another, again)).toMatchObject({ invalid_code: 3 });
      expect([await images.points(customer), await images.points(another)]).toEqual([points, 0]);
    });
  });

  describe('a record that no machine can decide', () => {
    it('shows one reviewer, who claims it, what was read and why it waits, and becomes what is decided', async () => {
      const opened = { startsAt: '2018-01-01T00:00:00Z', reviewAboveTotal: 10 };
      const to = await images.campaign({ ...opened, pointsPerValidation: 7 });
      const customer = await images.newCustomer();
      const record = await images.submit(customer, { to }, await drawn(AMERICAN).jpeg().toBuffer());
      const view = await images.waiting(record);
      expect(view).toMatchObject({
        status: 'pending',
        review: { doubts: [{ code: 0 }] },
        reading: { storeName: 'GREEN VALLEY MARKET', receiptDate: '2018-03-05', total: '18.70' },
      });
      const { total } = view.reading.boxes;
      expect(total).toMatchObject({ text: expect.stringContaining('18.70'), confidence: expect.any(Number) });
      expect(total.corners).toHaveLength(4);
      const [{ url }] = view.images;
      expect(new URL(url).origin).toBe(new URL(service.cloud.awsUrl).origin);
      expect((await fetch(url)).status).toBe(200);
      expect(await webhookEvents(service.cloud)).toContainEqual(expect.stringMatching(`^images-${record.id}-`));

      const claim = `image-validations/${record.id}/claim`;
      const { json, status } = await images.manage('POST', claim);
      expect([status, json.claim.byName]).toEqual([200, 'tenant-demo']);
      const operator = imageService(service, await service.managementToken('demo', { operator: true }));
      const queue = 'image-validations?needsReview=true&order=oldest&count=true&tenant=demo';
      const { items, count } = (await operator.manage('GET', queue)).json;
      expect(items.find(({ id }: { id: number }) => id === record.id).claim).toEqual(json.claim);
      expect(count).toEqual({ value: items.length, isMore: false });
      const verdict = {
        status: 'valid',
        storeName: 'Heartland',
        results: [{ name: 'Bandages', price: '9.49', quantity: 2, points: 4 }],
        revision: view.revision,
      };
      const refused = await operator.manage('POST', `image-validations/${record.id}/review?tenant=demo`, verdict);
      expect([refused.status, refused.json.code]).toEqual([409, 'claimed']);

      expect((await images.review(record, verdict)).status).toBe(202);
      expect(await images.decided(customer, record)).toMatchObject({
        status: 'valid',
        store_name: 'Heartland',
        receipt_date: '2018-03-05',
        results: [{ id: `${record.id}-1`, name: 'Bandages', price: 9.49, quantity: 2, points: 4 }],
      });
      expect(await images.points(customer)).toBe(7 + 4);
      const late = await images.review(record, { status: 'invalid', invalidCode: 1 });
      expect([late.status, late.json.code]).toEqual([409, 'already-decided']);
    });
  });

  describe('without a person and without reading print', () => {
    it('code 10 is that of a picture that was submitted before, also if it was saved anew', async () => {
      const to = await images.campaign(decidedBy);
      const customer = await images.newCustomer();
      const submit = (bytes: Buffer) => images.submit(customer, { to, type: 'image' }, bytes);
      const picture = await blocksOfSeed(4);
      expect(await images.codeOf(customer, await submit(picture))).toBeUndefined();
      expect(await images.codeOf(customer, await submit(picture))).toBe(10);
      const savedAnew = await sharp(picture).jpeg({ quality: 60 }).toBuffer();
      expect(await images.codeOf(customer, await submit(savedAnew))).toBe(10);
      expect(await images.points(customer)).toBe(5);
    });
  });

  describe('campaigns', () => {
    const CAMPAIGNS = '/manage/v1/loyalty/campaigns';
    const STATED = {
      permalink: 'spring-2026',
      name: 'Spring',
      type: 'receipt',
      startsAt: '2026-03-01T00:00:00.000Z',
      endsAt: '2026-06-01T00:00:00.000Z',
      country: 'US',
      currency: 'USD',
      stores: ['Walmart'],
      products: [{ name: 'Tea', upc: '012345678905', points: 5 }],
      regions: ['WA', '981'],
      maxAwards: 1_000,
      awardsPerCustomer: 1,
      pointsPerValidation: 10,
    };

    let acme: string;
    let other: string;
    let operator: string;
    beforeAll(async () => {
      acme = await service.managementToken('acme');
      other = await service.managementToken('other');
      operator = await service.managementToken('ops', { operator: true });
    });

    const manage = (method: string, path: string, { as = acme, body }: { as?: string; body?: unknown } = {}) =>
      service.call(path, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });

    it('are made, listed, changed, replaced and deleted by their permalink', async () => {
      const { status, json: made, headers } = await manage('POST', CAMPAIGNS, { body: STATED });
      expect([status, headers.get('location')]).toEqual([201, `${CAMPAIGNS}/spring-2026`]);
      const one = `${CAMPAIGNS}/spring-2026`;
      expect(made).toEqual({
        ...STATED,
        id: expect.any(Number),
        reviewsEveryImage: true,
        reviewAboveTotal: null,
        decidesAlone: null,
        receiptsOnce: 'campaign',
        awards: 0,
        revision: 1,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: made.createdAt,
      });
      expect(Number.isSafeInteger(made.id)).toBe(true);
      expect((await manage('GET', one)).json).toEqual(made);
      expect((await manage('GET', `${CAMPAIGNS}?limit=1`)).json.items).toEqual([made]);

      const patched = await manage('PATCH', one, { body: { maxAwards: null } });
      expect([patched.status, patched.json]).toMatchObject([
        200,
        { ...made, maxAwards: null, awards: null, revision: 2, updatedAt: expect.any(String) },
      ]);
      const stale = await manage('PUT', one, { body: made });
      expect([stale.status, stale.json.code]).toEqual([409, 'changed-meanwhile']);
      const put = await manage('PUT', one, { body: { ...patched.json, stores: [] } });
      expect([put.status, put.json]).toMatchObject([200, { id: made.id, stores: [], maxAwards: null, revision: 3 }]);

      const again = await manage('POST', CAMPAIGNS, { body: STATED });
      expect([again.status, again.json.code]).toEqual([409, 'permalink-taken']);
      expect((await manage('DELETE', one)).status).toBe(204);
      for (const method of ['GET', 'DELETE']) expect((await manage(method, one)).status).toBe(404);
      expect((await manage('POST', CAMPAIGNS, { body: STATED })).status).toBe(201);
      expect((await manage('DELETE', one)).status).toBe(204);
    });

    it('of another tenant are missing, except for an operator who names it', async () => {
      const permalink = 'mine';
      const one = `${CAMPAIGNS}/${permalink}`;
      expect((await manage('POST', CAMPAIGNS, { body: { ...STATED, permalink } })).status).toBe(201);
      for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['PUT', STATED], ['DELETE']] as const) {
        const { status, json } = await manage(method, one, { as: other, body: body && { ...body, permalink } });
        expect([method, status, json.code]).toEqual([method, 404, 'not-found']);
      }
      expect((await manage('GET', CAMPAIGNS, { as: other })).json.items).toEqual([]);
      const seen = await manage('GET', `${one}?tenant=acme`, { as: operator });
      expect([seen.status, seen.json.permalink]).toEqual([200, permalink]);
      const theirs = await manage('POST', `${CAMPAIGNS}?tenant=other`, {
        as: operator,
        body: { ...STATED, permalink },
      });
      expect(theirs.headers.get('location')).toBe(`${one}?tenant=other`);
      expect((await manage('GET', one, { as: other })).json.id).toBe(theirs.json.id);
    });

    it('are refused with all faults at once, those of the schema and others', async () => {
      expect((await manage('POST', CAMPAIGNS, { body: { ...STATED, permalink: 'taken' } })).status).toBe(201);
      const { name: _, ...nameless } = STATED;
      const body = { ...nameless, permalink: 'taken', endsAt: '2026-01-01T00:00:00Z', country: 'PT', maxAwards: 0 };
      const { status, json } = await manage('POST', CAMPAIGNS, { body });
      const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer);
      expect([status, pointers.toSorted()]).toEqual([
        400,
        ['/country', '/endsAt', '/maxAwards', '/name', '/permalink'],
      ]);
    });

    it.each([
      ['nothing', undefined, 'invalid-json'],
      ['a member that there is not', { ...STATED, budget: 5 }, 'invalid-input'],
    ])('of %s are refused', async (_what, body, code) => {
      const { status, json, headers } = await manage('POST', CAMPAIGNS, { body });
      expect([status, json.code]).toEqual([400, code]);
      expect(headers.get('content-type')).toBe('application/problem+json');
    });
  });

  describe('the command that sends receipts', () => {
    it('prints why a picture was refused, and ends with 2', async () => {
      const command = 'functions/images/commands/receipts.command.ts';
      const picture = 'functions/images/commands/examples/cafe.jpg';
      const { code, stdout, stderr } = await service.run(command, '--campaign', 'no-such-campaign', picture);
      expect([code, stderr]).toEqual([2, '']);
      expect(stdout).toMatch(/^cafe\.jpg +refused +\S.*campaign/m);
    });
  });
});
