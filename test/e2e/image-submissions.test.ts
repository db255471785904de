import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign } from '../../functions/images/campaigns/campaign.ts';
import { campaignStore } from '../../functions/images/campaigns/campaign-store.dynamodb.ts';
import { dynamoDbClient } from '../../shared/table.dynamodb.ts';
import { base64Image, imageBytes } from '../support/image-bytes.ts';
import { imageCampaign } from '../support/image-campaigns.ts';
import { clientOptions, eventually } from '../support/local-cloud.ts';
import { type RunningService, startService } from '../support/running-service.ts';

const APP = '/priv/v1/apps/demo-app';
const BASIC = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;

let aheadMillis = 0;
const now = () => Date.now() + aheadMillis;
let service: RunningService;
let manager: string;
let receipts: Campaign;

beforeAll(async () => {
  service = await startService({ now: () => new Date(now()) });
  manager = await service.managementToken('--tenant', 'demo');
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
const imagesTable = () => ({
  name: service.cloud.outputs['ImagesTable'] ?? '',
  client: dynamoDbClient(clientOptions(service.cloud)),
});
/** Campaigns are managed by other routes, with tests of their own. */
async function campaign(fields: Partial<Campaign> & Pick<Campaign, 'permalink'>): Promise<Campaign> {
  const made = imageCampaign({ tenant: 'demo', ...fields });
  expect(await campaignStore(imagesTable()).add(made)).toBe(true);
  return made;
}
const newCustomer = async (fields: object = {}): Promise<string> => (await manage('POST', 'customers', fields)).id;

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
    const data = '{"order":12345678901234567890,"price":1.10,"__proto__":{"a":1e400}}';
    const body = JSON.stringify(request([inline('a')], { data: 'DATA' })).replace('"DATA"', data);
    const { text } = await post(`${user}/image_validations`, body);
    expect(text).toContain(`"data":${data}`);
    expect((await get(`${user}/image_validations`)).text).toContain(`"data":${data}`);
  });
});
