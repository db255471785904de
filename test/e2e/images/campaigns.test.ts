import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examinationKey } from '../../../functions/images/validations/picture-keys.ts';
import type { Validation } from '../../../functions/images/validations/validation.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { newValidation, store, storedImage } from '../../support/images/validations.ts';

const CAMPAIGNS = '/manage/v1/loyalty/campaigns';
const VALIDATIONS = '/manage/v1/image-validations';
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

let service: RunningService;
let acme: string;
let other: string;
let operator: string;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  [acme, other, operator] = await Promise.all([
    service.managementToken('acme'),
    service.managementToken('other'),
    service.managementToken('ops', { operator: true }),
  ]);
});
afterAll(() => service?.close());

const manage = (method: string, path: string, { as = acme, body }: { as?: string; body?: unknown } = {}) =>
  service.call(path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** A key of acme with this scope alone. */
async function keyWith(scope: string): Promise<string> {
  const path = '/manage/v1/accounts/acme/management-keys';
  const { status, json, text } = await manage('POST', path, { as: operator, body: { name: scope, scopes: [scope] } });
  expect(status, text).toBe(201);
  return json.key;
}

describe('campaigns', () => {
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
    const theirs = await manage('POST', `${CAMPAIGNS}?tenant=other`, { as: operator, body: { ...STATED, permalink } });
    expect(theirs.headers.get('location')).toBe(`${one}?tenant=other`);
    expect((await manage('GET', one, { as: other })).json.id).toBe(theirs.json.id);
  });

  it.each([
    ['nothing', undefined, 'invalid-json'],
    ['no object', [], 'invalid-input'],
    ['no permalink', { ...STATED, permalink: undefined }, 'invalid-input'],
    ['a permalink in capitals', { ...STATED, permalink: 'Spring' }, 'invalid-input'],
    ['turned dates', { ...STATED, startsAt: STATED.endsAt, endsAt: STATED.startsAt }, 'invalid-input'],
    ['a country of no locale', { ...STATED, country: 'DE' }, 'invalid-input'],
    ['another currency', { ...STATED, currency: 'EUR' }, 'invalid-input'],
    ['a member that there is not', { ...STATED, budget: 5 }, 'invalid-input'],
  ])('of %s are refused', async (_what, body, code) => {
    const { status, json, headers } = await manage('POST', CAMPAIGNS, { body });
    expect([status, json.code]).toEqual([400, code]);
    expect(headers.get('content-type')).toBe('application/problem+json');
  });

  it('are read with a key that may read, and changed with one that may manage', async () => {
    const account = { as: operator, body: { name: 'Acme' } };
    expect((await manage('POST', '/manage/v1/accounts', account)).json.id).toBe('acme');
    const [reads, announces, manages] = [await keyWith('read'), await keyWith('events'), await keyWith('manage')];
    const statuses = async (as: string) => [
      (await manage('GET', CAMPAIGNS, { as })).status,
      (await manage('POST', CAMPAIGNS, { as, body: { ...STATED, permalink: 'by-key' } })).status,
      (await manage('GET', `${VALIDATIONS}?needsReview=true`, { as })).status,
      (await manage('POST', `${VALIDATIONS}/1/review`, { as, body: { status: 'valid' } })).status,
    ];
    expect(await statuses(reads)).toEqual([200, 403, 200, 403]);
    expect(await statuses(announces)).toEqual([403, 403, 403, 403]);
    expect(await statuses(manages)).toEqual([200, 201, 200, 404]);
  });
});

describe('a record that waits for a person', () => {
  async function waiting(own: Partial<Validation> = {}): Promise<Validation> {
    const review = { requestedAt: '2026-11-15T10:30:00.000Z', until: '2026-11-18T10:30:00.000Z', doubts: [] };
    const client = dynamoDbClient(clientOptions(service.cloud));
    const table = { name: service.cloud.outputs['ImagesTable'] ?? '', client };
    return store(table, newValidation({ tenant: 'acme', review, ...own }));
  }

  it('is found in the queue, shown with its picture and reading, and decided once', async () => {
    const { tenant, id } = await waiting();
    const s3 = new S3Client({ ...clientOptions(service.cloud), forcePathStyle: true });
    const bucket = service.cloud.stacks
      .flatMap(({ resources }) => resources)
      .find(({ path }) => path.includes('Images/Pictures'))?.physicalId;
    const put = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
    expect((await manage('GET', `${VALIDATIONS}/${id}`)).json.images[0]).not.toHaveProperty('examination');
    await put(storedImage({ tenant, id }, 'one').key, 'bytes of a picture');
    const receipt = { store: 'Walmart', total: 1_999, items: [{ name: 'TEA', quantity: 1, price: 1_999 }] };
    await put(examinationKey({ tenant, id }, 'one'), JSON.stringify({ cut: [], receipt }));

    for (const query of ['', '?status=pending', '?needsReview=true', '?customer=demo-user']) {
      const { json } = await manage('GET', `${VALIDATIONS}${query}`);
      expect([query, json.items?.map((one: { id: number }) => one.id)]).toEqual([query, [Number(id)]]);
    }
    const { status, json } = await manage('GET', `${VALIDATIONS}/${id}`);
    expect([status, json.reading]).toMatchObject([200, { storeName: 'Walmart', total: '19.99' }]);
    expect(await (await fetch(json.images[0].url)).text()).toBe('bytes of a picture');

    const review = (body: object, as = acme) => manage('POST', `${VALIDATIONS}/${id}/review`, { as, body });
    const verdict = { status: 'valid', results: [{ name: 'Tea', price: '19.99', points: 5 }], revision: json.revision };
    expect((await review(verdict, other)).status).toBe(404);
    const decided = await review(verdict);
    expect([decided.status, decided.json.decision]).toMatchObject([202, { status: 'valid', by: expect.any(String) }]);
    expect((await review(verdict)).json).toEqual(decided.json);
    const late = await review({ status: 'invalid', invalidCode: 1 });
    expect([late.status, late.json.code]).toEqual([409, 'already-decided']);
  });

  it('fires a webhook, as one does that is decided, and one that is incomplete does not', async () => {
    const tenant = 'told';
    const told = await service.managementToken(tenant);
    const made = async (path: string, body: object) =>
      (await manage('POST', `/manage/v1/${path}`, { as: told, body })).json.id;
    const target = { name: 'Endpoint', targetUrl: 'https://hooks.invalid/x' };
    const apiConfigurationId = await made('api-configurations', target);
    for (const trigger of ['Validation is decided', 'Review is needed']) {
      await made('rules', { module: 'images', trigger, apiConfigurationId, body: { it: '{{campaignPermalink}}' } });
    }
    await waiting({ tenant, review: undefined, status: 'incomplete' });
    const needed = await waiting({ tenant });
    const valid = await waiting({ tenant, status: 'valid' });
    const runs = await eventually(
      service.cloud,
      async () => (await manage('GET', '/manage/v1/runs?module=images', { as: told })).json.items as object[],
      (items) => items.length >= 2,
    );
    const expected = [
      {
        module: 'images',
        moduleName: 'Image validation',
        trigger: 'Review is needed',
        record: `image validation: ${needed.id}`,
      },
      {
        module: 'images',
        moduleName: 'Image validation',
        trigger: 'Validation is decided',
        record: `image validation: ${valid.id}`,
      },
    ];
    expect(runs).toHaveLength(2);
    for (const one of expected) expect(runs).toContainEqual(expect.objectContaining(one));
  });
});
