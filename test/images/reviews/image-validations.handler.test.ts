import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { examinationKey } from '../../../functions/images/validations/picture-keys.ts';
import { openReview } from '../../../functions/images/validations/review-items.dynamodb.ts';
import type { Review, Validation } from '../../../functions/images/validations/validation.ts';
import type { HttpEvent, HttpHandler } from '../../../shared/http/http-handler.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { newIntegerId } from '../../support/cloud/integer-ids.ts';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable, createTable } from '../../support/cloud/local-table.ts';
import { newValidation, store, storedImage } from '../../support/images/validations.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const AT = '2026-11-15T10:30:00.000Z';
const REVIEW: Review = {
  requestedAt: AT,
  until: '2026-11-18T10:30:00.000Z',
  doubts: [{ reason: 'no-total', code: 1 }],
};

const lines = loggedLines();
let endpoint: LocalEndpoint;
let table: Table;
let s3: S3Client;
let handler: HttpHandler;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
  s3 = new S3Client({ ...endpoint.clientOptions(), forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'pictures' }));
  const { credentials } = endpoint.clientOptions();
  const environment = {
    IMAGES_TABLE: table.name,
    AUDIT_TABLE: (await createTable(endpoint, 'accounts')).name,
    PICTURES_BUCKET: 'pictures',
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/images/reviews/image-validations.handler.ts'));
});
beforeEach(() => void lines());
afterAll(async () => {
  vi.unstubAllEnvs();
  s3.destroy();
  await endpoint.close();
});

interface Call {
  readonly tenant: string;
  readonly id?: string;
  readonly query?: string;
  readonly body?: unknown;
  readonly by?: string;
}
async function call(routeKey: string, { tenant, id, query = '', body, by = 'rita' }: Call) {
  const caller = { tenant, operator: false, scopes: ['manage'], subject: by, name: `name of ${by}` };
  const event = {
    routeKey,
    rawQueryString: query,
    headers: {},
    ...(id !== undefined && { pathParameters: { id } }),
    requestContext: {
      requestId: 'r-1',
      http: { method: routeKey.split(' ')[0] },
      authorizer: { lambda: caller },
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  } as unknown as HttpEvent;
  const answer = await handler(event, { awsRequestId: 'i-1' } as Context);
  return {
    status: answer.statusCode,
    headers: answer.headers ?? {},
    text: answer.body ?? '',
    json: parsed(answer.body),
  };
}
const parsed = (text = '{}') => JSON.parse(text);
const list = (tenant: string, query = '') => call('GET /manage/v1/image-validations', { tenant, query });
const idsIn = async (tenant: string, query: string) =>
  (await list(tenant, query)).json.items.map(({ id }: { id: number }) => String(id));
const get = ({ tenant, id }: Pick<Validation, 'tenant' | 'id'>) =>
  call('GET /manage/v1/image-validations/{id}', { tenant, id });
const review = ({ tenant, id }: Pick<Validation, 'tenant' | 'id'>, body: unknown, by?: string) =>
  call('POST /manage/v1/image-validations/{id}/review', { tenant, id, body, ...(by !== undefined && { by }) });
const claim = (method: 'POST' | 'DELETE', { tenant, id }: Pick<Validation, 'tenant' | 'id'>, by: string) =>
  call(`${method} /manage/v1/image-validations/{id}/claim`, { tenant, id, by });

const put = (key: string, body: string) =>
  s3.send(new PutObjectCommand({ Bucket: 'pictures', Key: key, Body: body, ContentType: 'application/octet-stream' }));
const examine = (validation: Validation, slot: string, examination: unknown) =>
  put(examinationKey(validation, slot), typeof examination === 'string' ? examination : JSON.stringify(examination));

const CORNERS = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.9, 0.2],
  [0.1, 0.2],
];
const EXAMINED = {
  format: 'jpeg',
  pages: 1,
  width: 600,
  height: 1_200,
  perceptualHash: 'ab'.repeat(32),
  sharpness: 9.5,
  cut: ['bottom'],
  receiptScore: 21,
  alteration: { score: 0.4, signs: ['ela'] },
};
const RECEIPT = {
  store: 'Walmart',
  head: ['WALMART'],
  date: '2026-03-05',
  total: 1_999,
  tax: 5,
  currency: 'USD',
  regions: ['WA'],
  items: [{ name: 'GREEN TEA', quantity: 2, price: 1_994, code: '012345678905', place: { page: 0, corners: CORNERS } }],
  doubts: ['total-unproven'],
  places: { store: { page: 0, corners: CORNERS }, total: { page: 0, corners: CORNERS, text: '19.99', confidence: 71 } },
};

describe('the lists of validations', () => {
  it('are newest first: all, by status, those to review, or by customer', async () => {
    const tenant = newId('t');
    const of = (n: number, own: Partial<Validation>) =>
      store(table, newValidation({ tenant, createdAt: `2026-11-15T10:30:0${n}.000Z`, ...own }));
    await store(table, newValidation({ tenant: newId('t'), review: REVIEW }));
    const waiting = await of(1, { review: REVIEW });
    const decided = await of(2, { review: REVIEW, status: 'valid', customer: 'cus_2' });
    const pending = await of(3, { customer: 'cus_2' });
    const ids = (...all: Validation[]) => all.map(({ id }) => id);
    expect(await idsIn(tenant, '')).toEqual(ids(pending, decided, waiting));
    expect(await idsIn(tenant, 'status=pending')).toEqual(ids(pending, waiting));
    expect(await idsIn(tenant, 'status=valid')).toEqual(ids(decided));
    expect(await idsIn(tenant, 'status=incomplete')).toEqual([]);
    expect(await idsIn(tenant, 'needsReview=true')).toEqual(ids(waiting));
    expect(await idsIn(tenant, 'needsReview=true&status=pending')).toEqual(ids(waiting));
    expect(await idsIn(tenant, 'customer=cus_2')).toEqual(ids(pending, decided));
    expect(await idsIn(tenant, 'customer=nobody')).toEqual([]);
  });

  it.each([
    '',
    'status=pending',
    'needsReview=true',
    'customer=demo-user',
    'order=oldest',
    'needsReview=true&order=oldest',
  ])('continue after a page, only with the same list and order: %j', async (query) => {
    const tenant = newId('t');
    const made = [];
    for (let n = 0; n < 5; n += 1) {
      const createdAt = `2026-11-15T10:30:0${n}.000Z`;
      made.push((await store(table, newValidation({ tenant, createdAt, review: REVIEW }))).id);
    }
    const { json: first } = await list(tenant, `${query}&limit=3`);
    const { json: rest } = await list(tenant, `${query}&limit=3&cursor=${first.nextCursor}`);
    const view = [...first.items, ...rest.items].map(({ id }: { id: number }) => String(id));
    const isOldest = query.includes('order=oldest');
    expect([view, rest.nextCursor]).toEqual([isOldest ? made : made.toReversed(), undefined]);
    const turned = query.replace(/&?order=oldest/, '') + (isOldest ? '' : '&order=oldest');
    const inOtherOrder = await list(tenant, `${turned}&cursor=${first.nextCursor}`);
    expect([inOtherOrder.status, inOtherOrder.json.code]).toEqual([400, 'invalid-cursor']);
    const elsewhere = await list(tenant, `status=valid&cursor=${first.nextCursor}`);
    expect([elsewhere.status, elsewhere.json.code]).toEqual([400, 'invalid-cursor']);
    const foreign = await list(newId('t'), `${query}&cursor=${first.nextCursor}`);
    expect([foreign.status, foreign.json.code]).toEqual([400, 'invalid-cursor']);
  });

  it('are counted on demand, up to a hundred', async () => {
    const tenant = newId('t');
    // Of 101 ids of one millisecond, two are now and then the same.
    const waiting = Array.from({ length: 101 }, () =>
      newValidation({ tenant, id: String(newIntegerId()), review: REVIEW }),
    );
    await Promise.all(waiting.map((validation) => store(table, validation)));
    await store(table, newValidation({ tenant, id: String(newIntegerId()), status: 'valid' }));
    const counted = async (query: string) => (await list(tenant, `${query}&limit=1`)).json.count;
    expect(await counted('needsReview=true')).toBeUndefined();
    expect(await counted('needsReview=true&count=true')).toEqual({ value: 100, isMore: true });
    expect(await counted('status=valid&count=true')).toEqual({ value: 1, isMore: false });
    expect(await counted('status=invalid&count=true')).toEqual({ value: 0, isMore: false });
  });

  it('leave out what was decided from those that await a review, also before the decision is applied', async () => {
    const tenant = newId('t');
    const [decided, free] = [
      await store(table, newValidation({ tenant, review: REVIEW })),
      await store(table, newValidation({ tenant, review: REVIEW })),
    ];
    await review(decided, { status: 'valid' }, 'sam');
    const { items, count } = (await list(tenant, 'needsReview=true&count=true')).json;
    expect(items.map(({ id }: { id: number }) => String(id))).toEqual([free.id]);
    expect(count).toEqual({ value: 1, isMore: false });
    expect((await list(tenant, '')).json.items).toHaveLength(2);
  });

  it('show the live claims on validations that await a review', async () => {
    const tenant = newId('t');
    const [claimed, free] = [
      await store(table, newValidation({ tenant, review: REVIEW })),
      await store(table, newValidation({ tenant, review: REVIEW })),
    ];
    await claim('POST', claimed, 'sam');
    const claimOf = async ({ id }: Validation, query = 'needsReview=true') =>
      (await list(tenant, query)).json.items.find((one: { id: number }) => String(one.id) === id)?.claim;
    expect(await claimOf(claimed)).toEqual({ by: 'sam', byName: 'name of sam', until: expect.any(String) });
    expect(await claimOf(claimed, '')).toMatchObject({ by: 'sam' });
    expect(await claimOf(free)).toBeUndefined();
    await review(claimed, { status: 'valid' }, 'sam');
    expect(await claimOf(claimed)).toBeUndefined();
  });

  it('show a validation as it is stored, with amounts as text and every digit of clients’ numbers', async () => {
    const tenant = newId('t');
    const results = [
      {
        id: 'x-1',
        name: 'Tea',
        description: 'TEA',
        price: 5,
        quantity: 1,
        points: 3,
      },
    ];
    const validation = newValidation({
      tenant,
      status: 'valid',
      customerExternalId: 'ext-1',
      data: '{"shelf":[1,"a"],"big":9007199254740993}',
      storeName: 'Walmart',
      results,
      review: {
        ...REVIEW,
        proposal: { storeName: 'Walmart', results },
        fingerprint: { digest: 'ab'.repeat(32) },
      },
    });
    await store(table, validation);
    const { tenant: _t, images: _i, restarts: _r, id, ...rest } = validation;
    const { json, text } = await list(tenant);
    const view = [{ ...results[0], price: '0.05' }];
    expect(json.items).toEqual([
      {
        ...rest,
        id: Number(id),
        needsReview: false,
        data: { shelf: [1, 'a'], big: expect.any(Number) },
        results: view,
        review: {
          ...REVIEW,
          proposal: { storeName: 'Walmart', results: view },
        },
      },
    ]);
    expect(text).toContain('"big":9007199254740993');
  });
});

describe('a validation', () => {
  it('is shown with its picture, its reading with positions, and the doubts', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t'), review: REVIEW }));
    const [image] = validation.images;
    await put(storedImage(validation, 'one').key, 'bytes of a picture');
    await examine(validation, 'one', { ...EXAMINED, receipt: RECEIPT });
    await openReview(table, { ...validation, token: 'secret-token', requestedAt: AT });
    const { status, headers, json, text } = await get(validation);
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const box = { page: 0, corners: CORNERS };
    const reading = {
      storeName: 'Walmart',
      receiptDate: '2026-03-05',
      total: '19.99',
      tax: '0.05',
      currency: 'USD',
      items: [{ name: 'GREEN TEA', quantity: 2, price: '19.94', code: '012345678905', box }],
      boxes: { storeName: box, total: { ...box, text: '19.99', confidence: 71 } },
      doubts: ['total-unproven'],
    };
    const { perceptualHash: _, ...examination } = EXAMINED;
    expect(json).toMatchObject({ id: Number(validation.id), needsReview: true, review: REVIEW });
    expect(json.reading).toEqual(reading);
    expect(json.images).toEqual([
      {
        id: image?.id,
        mimeType: 'image/jpeg',
        format: 'jpeg',
        bytes: 1_000,
        sha256: 'ab'.repeat(32),
        url: expect.any(String),
        examination,
        reading,
      },
    ]);
    expect(text).not.toContain('secret-token');
    const link = new URL(json.images[0].url);
    expect(link.searchParams.get('X-Amz-Expires')).toBe('900');
    const picture = await fetch(link);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(await picture.text()).toBe('bytes of a picture');
    const printed = JSON.stringify(lines());
    for (const secret of ['secret-token', 'X-Amz-Signature', 'Walmart']) expect(printed).not.toContain(secret);
  });

  it('is shown with what each reading says of a field', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t'), review: REVIEW }));
    const line = { name: 'GREEN TEA', quantity: 2 };
    const items = RECEIPT.items.map((item) => ({
      ...item,
      readings: [
        { ...line, price: 1994 },
        { ...line, price: 1904 },
      ],
    }));
    const readings = { store: ['Walmart', 'WaImart'], date: ['2026-03-05'], total: [1999, 7999] };
    await examine(validation, 'one', { ...EXAMINED, receipt: { ...RECEIPT, items, readings } });
    const { json } = await get(validation);
    expect(json.reading).toMatchObject({
      readings: { storeName: ['Walmart', 'WaImart'], receiptDate: ['2026-03-05'], total: ['19.99', '79.99'] },
      items: [{ readings: [{ price: '19.94' }, { price: '19.04', name: 'GREEN TEA', quantity: 2 }] }],
    });
  });

  it('is shown before anything of it is stored or read', async () => {
    const tenant = newId('t');
    const id = '4711';
    const expected = { id: 'mine', mimeType: 'image/png', uploadKey: `uploads/${tenant}/4711/two` };
    const images = [storedImage({ tenant, id }, 'one'), expected];
    const { json } = await get(await store(table, newValidation({ tenant, id, images, status: 'incomplete' })));
    expect(json).not.toHaveProperty('reading');
    expect(json.images[0]).not.toHaveProperty('examination');
    expect(json.images[0].url).toEqual(expect.any(String));
    expect(json.images[1]).toEqual({ id: 'mine', mimeType: 'image/png' });
  });

  it('of several pictures shows the reading of each, and the first receipt’s at the top', async () => {
    const tenant = newId('t');
    const id = '4712';
    const images = ['one', 'two', 'three'].map((slot) => storedImage({ tenant, id }, slot));
    const validation = await store(table, newValidation({ tenant, id, images, imageCount: 3 }));
    await examine(validation, 'one', { cut: [], alteration: { score: 0, signs: [] }, problem: 'damaged' });
    await examine(validation, 'two', { ...EXAMINED, receipt: { items: [], total: 7 } });
    await examine(validation, 'three', { ...EXAMINED, receipt: RECEIPT });
    const { json } = await get(validation);
    expect(json.reading).toEqual({ total: '0.07', items: [], boxes: {}, doubts: [] });
    expect(json.images.map(({ reading }: { reading?: { total: string } }) => reading?.total)).toEqual([
      undefined,
      '0.07',
      '19.99',
    ]);
    expect(json.images[0].examination.problem).toBe('damaged');
  });

  it.each([
    ['no JSON', '{"format":'],
    ['no examination', '{"receipt":{"items":"none"}}'],
  ])('is shown even if %s is in place of its examination, which is a fault', async (_what, stored) => {
    const validation = await store(table, newValidation({ tenant: newId('t') }));
    await examine(validation, 'one', stored);
    const { status, json } = await get(validation);
    expect([status, json.images[0].examination, json.images[0].url]).toEqual([200, undefined, expect.any(String)]);
    const printed = lines();
    expect(printed.filter(({ message }) => message === 'unreadable examination')).toHaveLength(1);
    expect(printed.flatMap(({ Faults = [] }) => Faults)).toHaveLength(1);
  });

  it('is reviewed with 202, and shows the decision afterwards, without the token', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t'), review: REVIEW }));
    await openReview(table, { ...validation, token: 'secret-token', requestedAt: AT });
    const body = { status: 'invalid', invalidCode: 17, revision: 1 };
    const { status, json, text } = await review(validation, body);
    const decision = {
      status: 'invalid',
      invalidCode: 17,
      invalidReason: 'Image appears to have been altered',
      by: 'rita',
      at: expect.any(String),
    };
    expect(status).toBe(202);
    expect(json).toMatchObject({
      id: Number(validation.id),
      status: 'pending',
      revision: 2,
      decision,
    });
    const repeated = await review(validation, body);
    expect([repeated.status, repeated.json]).toEqual([202, json]);
    const view = await get(validation);
    expect(view.json.decision).toEqual(json.decision);
    expect(`${text}${view.text}${JSON.stringify(lines())}`).not.toContain('secret-token');
    const other = await review(validation, { status: 'valid' });
    expect([other.status, other.json.code]).toEqual([409, 'already-decided']);
  });

  it('with a valid decision shows amounts as text, as they were sent', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t') }));
    const results = [{ name: 'Tea', description: '', price: '3.50', quantity: 1, points: 5 }];
    const body = { status: 'valid', storeName: 'Walmart', receiptDate: '2026-03-05', results };
    const { json } = await review(validation, { ...body, results: [{ ...results[0], price: 3.5 }] });
    expect(json.decision).toEqual({ ...body, by: 'rita', at: expect.any(String) });
  });

  it('is claimed by one reviewer, whose review it then accepts, and shows the claim until it is released', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t'), review: REVIEW }));
    await openReview(table, { ...validation, token: 'secret-token', requestedAt: AT });
    const made = await claim('POST', validation, 'rita');
    expect([made.status, made.json]).toEqual([
      200,
      { claim: { by: 'rita', byName: 'name of rita', until: expect.stringMatching(/^20.*Z$/) } },
    ]);
    expect((await get(validation)).json.claim).toEqual(made.json.claim);
    const others = [
      await claim('POST', validation, 'sam'),
      await review(validation, { status: 'invalid', invalidCode: 5, revision: 1 }, 'sam'),
    ];
    for (const { status, json } of others) {
      expect([status, json.code]).toEqual([409, 'claimed']);
      expect(json.detail).toBe(`name of rita is looking at the validation, until ${made.json.claim.until}.`);
    }
    expect((await claim('DELETE', validation, 'sam')).status).toBe(204);
    expect((await get(validation)).json.claim).toEqual(made.json.claim);
    expect((await claim('DELETE', validation, 'rita')).status).toBe(204);
    expect((await get(validation)).json).not.toHaveProperty('claim');
    const both = await Promise.all([
      review(validation, { status: 'valid', revision: 1 }, 'rita'),
      review(validation, { status: 'invalid', invalidCode: 5, revision: 1 }, 'sam'),
    ]);
    expect(both.map(({ status }) => status).toSorted((a = 0, b = 0) => a - b)).toEqual([202, 409]);
    const late = await claim('POST', validation, 'rita');
    expect([late.status, late.json.code]).toEqual([409, 'needs-no-review']);
    expect(JSON.stringify([made.text, others, both, lines()])).not.toContain('secret-token');
  });

  it('of another tenant is missing, like one that does not exist', async () => {
    const validation = await store(table, newValidation({ tenant: newId('t') }));
    for (const key of [
      { tenant: 'other', id: validation.id },
      { tenant: validation.tenant, id: '1' },
      { tenant: validation.tenant, id: `${validation.id}#` },
    ]) {
      for (const answer of [
        await get(key),
        await review(key, { status: 'valid' }),
        await claim('POST', key, 'rita'),
        await claim('DELETE', key, 'rita'),
      ]) {
        expect([answer.status, answer.json.code]).toEqual([404, 'not-found']);
      }
    }
  });
});
