import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customerStore } from '../../../functions/accounts/customers/customer-store.dynamodb.ts';
import type { Customer } from '../../../functions/accounts/customers/manage-customers.ts';
import type { Campaign } from '../../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../../functions/images/campaigns/campaign-store.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { newId } from '../../../shared/ids.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { base64Image, imageBytes } from '../../support/images/image-bytes.ts';
import { imageCampaign } from '../../support/images/image-campaigns.ts';
import { stepsInOrder } from '../../support/runner/steps-in-order.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';

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
      const made = await post(
        `${path}/image_validations${query}`,
        request([inline(`a${at}`)], { image_count: 2 }),
        authorization,
      );
      expect(made.json.image_validation, made.text).toMatchObject({ user_id: user.id, status: 'incomplete' });
      const { id } = made.json.image_validation;
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
    const submit = (name: string) => post(`${user}/image_validations`, request([inline(name)]), authorization);
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
        body: JSON.stringify(request([{ base64_data: inline('f').base64_data }])),
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
    const made = async (path: string, body: object) => manage('POST', path, body, foreign);
    const { id: app, apiSecret } = await made('apps', { name: 'Foreign' });
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
