import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AMERICAN, drawn } from '../../images/drawn-receipts.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { webhookEvents } from '../../support/webhooks/webhook-events.ts';

/** Print of a receipt is recognised twice here, since each time takes a second; the rest is in the long test. */
let service: RunningService;
let images: ImageService;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  images = imageService(service, await service.managementToken('demo'));
});
afterAll(() => service?.close());

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
    const theirs = await manage('POST', `${CAMPAIGNS}?tenant=other`, { as: operator, body: { ...STATED, permalink } });
    expect(theirs.headers.get('location')).toBe(`${one}?tenant=other`);
    expect((await manage('GET', one, { as: other })).json.id).toBe(theirs.json.id);
  });

  it('are refused with all faults at once, those of the schema and others', async () => {
    expect((await manage('POST', CAMPAIGNS, { body: { ...STATED, permalink: 'taken' } })).status).toBe(201);
    const { name: _, ...nameless } = STATED;
    const body = { ...nameless, permalink: 'taken', endsAt: '2026-01-01T00:00:00Z', country: 'PT', maxAwards: 0 };
    const { status, json } = await manage('POST', CAMPAIGNS, { body });
    const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, pointers.toSorted()]).toEqual([400, ['/country', '/endsAt', '/maxAwards', '/name', '/permalink']]);
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
