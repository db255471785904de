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
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { type ReceiptOptions, receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { typeset } from '../../support/images/receipts/typeset.ts';

/** Print of a receipt is recognised three times here, since each time takes seconds; the rest is in the long test. */
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

describe('a receipt of which everything is proven', () => {
  it('becomes valid with store, date, lines and points, is told of, and counts once', async () => {
    const { truth } = receiptOfSeed(PROVEN, { country: 'US' });
    const to = await images.campaign({
      stores: [truth.store, 'Another Store'],
      products: truth.items.slice(0, 2).map(({ name }, at) => ({ name, points: 3 + at })),
      pointsPerValidation: 10,
    });
    const target = { name: 'Endpoint', targetUrl: 'https://hooks.invalid/x' };
    const { id: apiConfigurationId } = await images.made('api-configurations', target);
    const body = allVariables('Validation is decided');
    await images.made('rules', { module: 'images', trigger: 'Validation is decided', apiConfigurationId, body });
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
    const runs = await eventually(
      service.cloud,
      async () => (await images.manage('GET', 'runs?module=images')).json.items as { id: string; record: string }[],
      (items) => items.some((item) => item.record === `image validation: ${record.id}`),
    );
    const run = runs.find((item) => item.record === `image validation: ${record.id}`);
    checkEvent('Validation is decided', JSON.parse((await images.manage('GET', `runs/${run?.id}`)).json.payload));

    const another = await images.newCustomer();
    const again = await images.submit(another, { to }, picture);
    const anew = await images.submit(another, { to }, await savedAnew(picture));
    expect(await images.decided(another, again)).toMatchObject({ invalid_code: 3 });
    expect(await images.decided(another, anew)).toMatchObject({ invalid_code: 3 });
    expect([await images.points(customer), await images.points(another)]).toEqual([points, 0]);
  });
});

describe('a record that no machine can decide', () => {
  it('shows a reviewer what was read and what is in doubt, and becomes what is decided', async () => {
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
    [9, 'a picture of something else', () => blocksOfSeed(1)],
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
    [1, 'receipt', 'a blurred receipt', () => receipt(10_021, { distortion: 'blur 6' })],
    [1, 'receipt', 'a file that breaks off', async () => (await receipt(10_022)).subarray(0, 30_000)],
    [8, 'image', 'a blurred picture', () => receipt(10_022, { distortion: 'blur 6' })],
    [8, 'image', 'a file that breaks off', async () => (await savedAnew(await blocksOfSeed(18))).subarray(0, 10_000)],
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
    const customers = await Promise.all([1, 2, 3].map(() => images.newCustomer()));
    const codes = await Promise.all(
      customers.map(async (customer, at) => {
        const record = await images.submit(customer, { to, type: 'image' }, await blocksOfSeed(10 + at));
        return images.codeOf(customer, record);
      }),
    );
    expect(codes.filter((code) => code !== undefined)).toEqual([16, 16]);
    const points = await Promise.all(customers.map((customer) => images.points(customer)));
    expect(points.toSorted((a, b) => a - b)).toEqual([0, 0, 5]);
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

describe('thirteen submitters at once', () => {
  it('have two images of an app examined at a time, while the API answers, and all of them in the end', async () => {
    const sqs = new SQSClient(clientOptions(service.cloud));
    const QueueUrl = service.cloud.outputs['QueueImagesToExamine'];
    const inHand = async () => {
      const AttributeNames: QueueAttributeName[] = ['ApproximateNumberOfMessagesNotVisible'];
      const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      return Number(Attributes['ApproximateNumberOfMessagesNotVisible']);
    };
    const to = await images.campaign({ type: 'image' });
    const customers = await Promise.all(Array.from({ length: 13 }, () => images.newCustomer()));
    const submitted = await Promise.all(
      customers.map(async (one, at) => images.submit(one, { to, type: 'image' }, await blocksOfSeed(40 + at))),
    );
    const loads: number[] = [];
    const end = new AbortController();
    const all = Promise.all(submitted.map((record) => images.waiting(record))).finally(() => end.abort());
    while (!end.signal.aborted) {
      loads.push(await inHand());
      expect(await images.listed(customers[0]!, submitted[0]!)).toMatchObject({ id: submitted[0]!.id });
    }
    expect(await all).toHaveLength(13);
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
      { tenant: 'demo', id: String(record.id), stage: 'examine' },
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

describe('the command that sends receipts', () => {
  it('prints why a picture was refused, and ends with 2', async () => {
    const command = 'functions/images/commands/receipts.command.ts';
    const picture = 'functions/images/commands/examples/cafe.jpg';
    const { code, stdout, stderr } = await service.run(command, '--campaign', 'no-such-campaign', picture);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toMatch(/^cafe\.jpg +refused +\S.*campaign/m);
  });
});
