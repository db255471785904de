import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SendTaskSuccessCommand,
  SFNClient,
} from '@aws-sdk/client-sfn';
import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawGrey } from '../../../functions/images/pictures/open-picture.sharp.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { allVariables, checkEvent } from '../../support/contract/described-events.ts';
import { type ImageService, imageService, type ShownRecord } from '../../support/images/image-service.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { type ReceiptOptions, receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { typeset } from '../../support/images/receipts/typeset.ts';
import { isThorough } from '../../support/runner/thoroughness.ts';

/** Print of a receipt is recognised twice here, since each time takes seconds; the rest is in the long test. */
let service: RunningService;
let images: ImageService;
beforeAll(async () => {
  service = await startService();
  service.cloud.stopSchedules();
  images = imageService(service, await service.managementToken('demo'));
});
afterAll(() => service?.close());

/** Seeds of reporting. */
const PROVEN = 10_027;
const UNPROVEN = 10_028;
const receipt = async (seed: number, options: ReceiptOptions = {}) =>
  (await receiptOfSeed(seed, { country: 'US', distortion: 'clean', file: 'jpeg', ...options }).render()).bytes;
/** Lacks the line of its first item, so that the others do not add up, however well they are read. */
async function incomplete(seed: number): Promise<Buffer> {
  const { sheet, look, truth } = receiptOfSeed(seed, { country: 'US' });
  const { name = '' } = truth.items[0] ?? {};
  const lines = sheet.lines.filter(({ cells }) => !cells.some(({ text }) => text.includes(name)));
  const { page } = await typeset({ ...sheet, lines }, look);
  return rawGrey(page).jpeg().toBuffer();
}
const savedAnew = (bytes: Buffer) => sharp(bytes).jpeg({ quality: 60 }).toBuffer();

/** The program that it was painted with has written its name. */
const painted = async (seed: number) =>
  sharp(await blocksOfSeed(seed))
    .withExif({ IFD0: { Software: 'Adobe Photoshop 25.4 (Windows)' } })
    .jpeg()
    .toBuffer();

const decidedBy = { type: 'image', reviewsEveryImage: false, pointsPerValidation: 5 } as const;

async function rule(trigger: Trigger): Promise<void> {
  const target = { name: trigger, targetUrl: 'https://hooks.invalid/x' };
  const { id: apiConfigurationId } = await images.made('api-configurations', target);
  await images.made('rules', { module: 'images', trigger, apiConfigurationId, body: allVariables(trigger) });
}
/** The payload of the run of this rule, when there is one. */
async function payloadOf(trigger: Trigger, { id }: ShownRecord): Promise<string> {
  interface Run {
    readonly id: string;
    readonly trigger: string;
    readonly record: string;
  }
  const isSo = (run: Run) => run.trigger === trigger && run.record === `image validation: ${id}`;
  const runs = await eventually(
    service.cloud,
    async (): Promise<Run[]> => (await images.manage('GET', 'runs?module=images')).json.items,
    (items) => items.some(isSo),
  );
  return (await images.manage('GET', `runs/${runs.find(isSo)?.id}`)).json.payload;
}
type Trigger = 'Validation is decided' | 'Review is needed';

describe('a receipt of which everything is proven', () => {
  it('becomes valid with store, date, lines and points, is told of, and counts once', async () => {
    const { truth } = receiptOfSeed(PROVEN, { country: 'US' });
    const to = await images.campaign({
      stores: [truth.store, 'Another Store'],
      products: truth.items.slice(0, 2).map(({ name }, at) => ({ name, points: 3 + at })),
      pointsPerValidation: 10,
    });
    await rule('Validation is decided');
    const customer = await images.newCustomer();
    const picture = await receipt(PROVEN);

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
    checkEvent('Validation is decided', JSON.parse(await payloadOf('Validation is decided', record)));

    const another = await images.newCustomer();
    const again = await images.submit(another, { to }, picture);
    expect(await images.decided(another, again)).toMatchObject({ invalid_code: 3 });
    expect([await images.points(customer), await images.points(another)]).toEqual([points, 0]);
  });
});

describe('a record that no machine can decide', () => {
  it('shows a reviewer what was read and what is in doubt, and becomes what is decided', async () => {
    await rule('Review is needed');
    const to = await images.campaign({ pointsPerValidation: 7 });
    const customer = await images.newCustomer();
    const { truth } = receiptOfSeed(UNPROVEN, { country: 'US' });
    const record = await images.submit(customer, { to }, await incomplete(UNPROVEN));
    const view = await images.waiting(record);
    expect(view).toMatchObject({
      status: 'pending',
      review: { doubts: [{ code: 1, reason: expect.stringContaining('items-unproven') }] },
      reading: { storeName: truth.store, receiptDate: truth.date, total: (truth.total / 100).toFixed(2) },
    });
    expect(view.reading.boxes.total.corners).toHaveLength(4);
    checkEvent('Review is needed', JSON.parse(await payloadOf('Review is needed', record)));
    const { items: queue } = (await images.manage('GET', 'image-validations?needsReview=true')).json;
    expect(queue.map(({ id }: { id: number }) => id)).toContain(record.id);
    expect(view.reading.boxes.total).toMatchObject({ text: expect.any(String), confidence: expect.any(Number) });

    const verdict = {
      status: 'valid',
      storeName: 'Heartland',
      results: [{ name: 'Bandages', price: '9.49', quantity: 2, points: 4 }],
      revision: view.revision,
    };
    expect((await images.review(record, verdict)).status).toBe(202);
    expect(await images.decided(customer, record)).toMatchObject({
      status: 'valid',
      store_name: 'Heartland',
      receipt_date: truth.date,
      results: [{ id: `${record.id}-1`, name: 'Bandages', price: 9.49, quantity: 2, points: 4 }],
    });
    expect(await images.points(customer)).toBe(7 + 4);
    const late = await images.review(record, { status: 'invalid', invalidCode: 1 });
    expect([late.status, late.json.code]).toEqual([409, 'already-decided']);
  });

  it('is claimed by one reviewer, whom the others find named in the queue, and who alone then decides', async () => {
    const to = await images.campaign({ type: 'image' });
    const customer = await images.newCustomer();
    const record = await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(19));
    const { revision, images: pictures } = await images.waiting(record);
    expect(new URL(pictures[0].url).origin).toBe(new URL(service.cloud.awsUrl).origin);
    expect((await fetch(pictures[0].url)).status).toBe(200);
    const operator = imageService(service, await service.managementToken('demo', { operator: true }));
    const path = `image-validations/${record.id}/claim`;
    const verdict = { status: 'invalid', invalidCode: 9, revision };

    const { json, status } = await images.manage('POST', path);
    expect([status, json.claim.byName]).toEqual([200, 'tenant-demo']);
    const queue = 'image-validations?needsReview=true&order=oldest&count=true&tenant=demo';
    const { items, count } = (await operator.manage('GET', queue)).json;
    expect(items.find(({ id }: { id: number }) => id === record.id).claim).toEqual(json.claim);
    expect(count).toEqual({ value: items.length, isMore: false });
    const refused = [
      await operator.manage('POST', `${path}?tenant=demo`),
      await operator.manage('POST', `image-validations/${record.id}/review?tenant=demo`, verdict),
    ];
    for (const answer of refused) expect([answer.status, answer.json.code]).toEqual([409, 'claimed']);
    expect((await operator.manage('DELETE', `${path}?tenant=demo`)).status).toBe(204);
    expect((await images.review(record, verdict)).status).toBe(202);
    expect(await images.codeOf(customer, record)).toBe(9);
    const late = await images.manage('POST', path);
    expect([late.status, late.json.code]).toEqual([409, 'needs-no-review']);
    expect((await images.manage('DELETE', path)).status).toBe(204);
  });

  it.each([
    [12, 'a picture without the product', () => blocksOfSeed(2)],
    [17, 'a picture that was altered', () => painted(3)],
  ] as const)('gets code %i from a person: %s', async (invalidCode, _what, drawn) => {
    const to = await images.campaign({ ...decidedBy, reviewsEveryImage: invalidCode !== 17 });
    const customer = await images.newCustomer();
    const record = await images.submit(customer, { to, type: 'image' }, await drawn());
    const { review } = await images.waiting(record);
    expect(review.doubts[0].code).toBe(invalidCode === 17 ? 17 : 9);
    expect((await images.review(record, { status: 'invalid', invalidCode })).status).toBe(202);
    expect(await images.codeOf(customer, record)).toBe(invalidCode);
    expect(await images.points(customer)).toBe(0);
  });
});

describe('without a person and without reading print', () => {
  it.each([
    [1, 'receipt', 'a file that breaks off', async () => (await savedAnew(await blocksOfSeed(18))).subarray(0, 10_000)],
    [8, 'image', 'a blurred picture', () => receipt(10_022, { distortion: 'blur 6' })],
  ] as const)('code %i of a %s is that of %s', async (code, type, _what, drawn) => {
    const to = await images.campaign({ ...decidedBy, type });
    const customer = await images.newCustomer();
    expect(await images.codeOf(customer, await images.submit(customer, { to, type }, await drawn()))).toBe(code);
  });

  it('code 10 is that of a picture that was submitted before, also if it was saved anew', async () => {
    const to = await images.campaign(decidedBy);
    const customer = await images.newCustomer();
    const submit = (bytes: Buffer) => images.submit(customer, { to, type: 'image' }, bytes);
    const picture = await blocksOfSeed(4);
    expect(await images.codeOf(customer, await submit(picture))).toBeUndefined();
    expect(await images.codeOf(customer, await submit(picture))).toBe(10);
    expect(await images.codeOf(customer, await submit(await savedAnew(picture)))).toBe(10);
    expect(await images.points(customer)).toBe(5);
  });

  it('code 11 is that of a picture outside of the campaign', async () => {
    const to = await images.campaign({ ...decidedBy, endsAt: '2021-01-01T00:00:00Z' });
    const customer = await images.newCustomer();
    expect(
      await images.codeOf(customer, await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(5))),
    ).toBe(11);
  });

  it('code 13 is that of a second record of a customer who may win once', async () => {
    const to = await images.campaign({ ...decidedBy, awardsPerCustomer: 1 });
    const customer = await images.newCustomer();
    const second = await images.submit(customer, { to, type: 'image', imageCount: 2 }, await blocksOfSeed(6));
    const first = await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(7));
    expect(await images.codeOf(customer, first)).toBeUndefined();
    await images.add(customer, second, { base64_data: (await blocksOfSeed(8)).toString('base64') });
    expect(await images.codeOf(customer, second)).toBe(13);
    expect(await images.points(customer)).toBe(5);
  });

  it('code 15 is that of a receipt of a store whose card the customer has linked', async () => {
    const to = await images.campaign({ stores: ['Blue Heron Bistro'] });
    const customer = await images.newCustomer({ attributes: { linkedRetailers: 'Walmart, Blue Heron Bistro' } });
    expect(await images.codeOf(customer, await images.submit(customer, { to }, await blocksOfSeed(9)))).toBe(15);
  });

  it('code 16 is that of the record after the last award, also if several come at once', async () => {
    const to = await images.campaign({ ...decidedBy, maxAwards: 1 });
    const customers = await Promise.all([1, 2].map(() => images.newCustomer()));
    const codes = await Promise.all(
      customers.map(async (customer, at) => {
        const record = await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(10 + at));
        return images.codeOf(customer, record);
      }),
    );
    expect(codes.filter((code) => code !== undefined)).toEqual([16]);
    const points = await Promise.all(customers.map((customer) => images.points(customer)));
    expect(points.toSorted((a, b) => a - b)).toEqual([0, 5]);
  });
});

describe('a record of several images', () => {
  it('that come one by one, inline and by upload, ends in a verdict', async () => {
    const to = await images.campaign(decidedBy);
    const customer = await images.newCustomer();
    const record = await images.submit(customer, { to, type: 'image', imageCount: 2 }, await blocksOfSeed(14));
    const second = await blocksOfSeed(15);
    const offered = await images.add(customer, record, { id: 'second', upload: true, size: second.length });
    expect([record.status, offered.status]).toEqual(['incomplete', 'incomplete']);
    const body = new Uint8Array(second);
    expect((await fetch(offered.images[1]?.upload_url ?? '', { method: 'PUT', body })).status).toBe(200);
    expect(await images.decided(customer, record)).toMatchObject({ status: 'valid', images: [{}, { id: 'second' }] });
    expect(await images.points(customer)).toBe(5);
  });
});

/** A validation has five images: more than are examined at a time. */
const SUBMITTERS = isThorough ? 13 : 1;
describe('many images of an app', () => {
  it('are examined two at a time, while the API answers, and all of them in the end', async () => {
    const sqs = new SQSClient(clientOptions(service.cloud));
    const QueueUrl = service.cloud.outputs['QueueImagesToExamine'];
    const inHand = async () => {
      const AttributeNames: QueueAttributeName[] = ['ApproximateNumberOfMessagesNotVisible'];
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
    };
    const to = await images.campaign({ type: 'image' });
    const customer = await images.newCustomer();
    const submitted = await Promise.all(
      Array.from({ length: SUBMITTERS }, async (_, at) => {
        const pictures = [0, 1, 2, 3, 4].map((image) => blocksOfSeed(40 + 5 * at + image));
        return images.submit(customer, { to, type: 'image' }, ...(await Promise.all(pictures)));
      }),
    );
    const loads: number[] = [];
    const end = new AbortController();
    const all = Promise.all(submitted.map((record) => images.waiting(record))).finally(() => end.abort());
    while (!end.signal.aborted) {
      loads.push(await inHand());
      expect(await images.listed(customer, submitted[0]!)).toMatchObject({ id: submitted[0]!.id });
    }
    expect(await all).toHaveLength(SUBMITTERS);
    expect(Math.max(...loads)).toBeGreaterThan(0);
    expect(Math.max(...loads)).toBeLessThanOrEqual(2);
  });
});

describe('Step Functions', () => {
  it('lists and describes executions, tells their history, and lets one go on by its token', async () => {
    const sfn = new SFNClient(clientOptions(service.cloud));
    const customer = await images.newCustomer();
    const to = await images.campaign({ type: 'image' });
    const record = await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(16));
    await images.waiting(record);

    const { stateMachines: [machine] = [] } = await sfn.send(new ListStateMachinesCommand({}));
    const running = { stateMachineArn: machine?.stateMachineArn, statusFilter: 'RUNNING' } as const;
    const { executions = [] } = await sfn.send(new ListExecutionsCommand(running));
    const { executionArn } = executions.find(({ name }) => name === `iv-demo-${record.id}-examine-0`) ?? {};
    const described = () => sfn.send(new DescribeExecutionCommand({ executionArn }));
    const { status, input = '' } = await described();
    expect([status, JSON.parse(input)]).toEqual([
      'RUNNING',
      { tenant: 'demo', id: String(record.id), stage: 'examine', origin: expect.stringMatching(/^1-/) },
    ]);
    const asked = await eventually(
      service.cloud,
      async () => (await sfn.send(new GetExecutionHistoryCommand({ executionArn }))).events ?? [],
      (events) => events.at(-1)?.type === 'TaskSubmitted',
    );
    const states = asked.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []);
    expect(states).toEqual([
      'Stage',
      'Prepare',
      'IsToExamine',
      'EveryImage',
      'Examine',
      'Decide',
      'IsCertain',
      'Review',
    ]);
    const { parameters = '' } = asked.findLast(({ type }) => type === 'TaskScheduled')?.taskScheduledEventDetails ?? {};
    // Nobody has decided: the first doubt does, as when the time is up.
    await sfn.send(new SendTaskSuccessCommand({ taskToken: JSON.parse(parameters).Payload.token, output: '{}' }));
    expect(await images.codeOf(customer, record)).toBe(9);
    await eventually(service.cloud, described, (end) => end.status === 'SUCCEEDED');
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

  /** A key of acme with this scope alone. */
  async function keyWith(scope: string): Promise<string> {
    const path = '/manage/v1/accounts/acme/management-keys';
    const { status, json, text } = await manage('POST', path, { as: operator, body: { name: scope, scopes: [scope] } });
    expect(status, text).toBe(201);
    return json.key;
  }

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
      (await manage('GET', `/manage/v1/image-validations?needsReview=true`, { as })).status,
      (await manage('POST', `/manage/v1/image-validations/1/review`, { as, body: { status: 'valid' } })).status,
    ];
    expect(await statuses(reads)).toEqual([200, 403, 200, 403]);
    expect(await statuses(announces)).toEqual([403, 403, 403, 403]);
    expect(await statuses(manages)).toEqual([200, 201, 200, 404]);
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
