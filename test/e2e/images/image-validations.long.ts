/** Each code of an image, of which many follow from what is printed: each of those is a receipt that must be read. */
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
import type { CampaignFields } from '../../../functions/images/campaigns/campaign.ts';
import { AMERICAN, drawn } from '../../images/drawn-receipts.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { type ImageService, imageService } from '../../support/images/image-service.ts';
import { alteredReceiptOfSeed } from '../../support/images/receipts/altered-receipt.ts';
import { blocksOfSeed } from '../../support/images/receipts/blocks.ts';
import { type ReceiptOptions, receiptOfSeed } from '../../support/images/receipts/generated-receipt.ts';
import { otherPictureOfSeed } from '../../support/images/receipts/other-pictures.ts';

let service: RunningService;
let images: ImageService;
beforeAll(async () => {
  service = await startService();
  images = imageService(service, await service.managementToken('demo'));
});
afterAll(() => service?.close());

const receipt = async (seed: number, options: ReceiptOptions = {}) =>
  (await receiptOfSeed(seed, { country: 'US', distortion: 'clean', file: 'jpeg', ...options }).render()).bytes;
const other = async (...of: Parameters<typeof otherPictureOfSeed>) => (await otherPictureOfSeed(...of)).bytes;
const jpegOf = (rows: readonly string[]) => drawn(rows).jpeg({ quality: 90 }).toBuffer();

async function submitted(bytes: Buffer, fields: Partial<CampaignFields> = {}, customerFields: object = {}) {
  return submittedTo(await images.campaign(fields), bytes, customerFields);
}

async function submittedTo(to: string, bytes: Buffer, customerFields: object = {}) {
  const customer = await images.newCustomer(customerFields);
  return { customer, record: await images.submit(customer, { to }, bytes) };
}

describe('a receipt is refused without a person', () => {
  const linked = { attributes: { linkedRetailers: 'Copper Kettle Coffee' } };
  it.each([
    [2, 'its lower part is missing', () => receipt(10_001, { distortion: 'cropped bottom' }), {}, {}],
    [4, 'it is of before the campaign', () => receipt(10_020), { startsAt: '2026-01-01T00:00:00Z' }, {}],
    [5, 'it is a letter', () => other('letter', 10_001), {}, {}],
    [6, 'nothing on it counts', () => receipt(10_021), { products: [{ name: 'Snow Tyres', points: 1 }] }, {}],
    [7, 'it is of another store', () => receipt(10_036), { stores: ['Walmart', 'Kroger'] }, {}],
    [14, 'it has no date', () => jpegOf(AMERICAN.filter((row) => !/^\d\d\//.test(row))), {}, {}],
    [15, 'the card of its store is linked', () => receipt(10_027), {}, linked],
    [18, 'it is of another state', () => receipt(10_026), { regions: ['CA', '972'] }, {}],
  ] as const)('with code %i: %s', async (code, _what, picture, fields, customerFields) => {
    const { customer, record } = await submitted(await picture(), fields as Partial<CampaignFields>, customerFields);
    expect(await images.codeOf(customer, record)).toBe(code);
  });

  it('with code 3: the same receipt was photographed once more', async () => {
    const [one, again] = [
      await receipt(10_030, { distortion: 'clean' }),
      await receipt(10_030, { distortion: 'leaning 3' }),
    ];
    // A receipt counts once in a campaign.
    const to = await images.campaign();
    const first = await submittedTo(to, one);
    expect(await images.codeOf(first.customer, first.record)).toBeUndefined();
    const second = await submittedTo(to, again);
    expect(await images.codeOf(second.customer, second.record)).toBe(3);
  });
});

describe('a person is asked about a receipt', () => {
  it.each([
    [2, 'of which a part may be missing', () => receipt(10_021, { distortion: 'cropped left' }), {}],
    [5, 'that hardly is one', () => other('poster', 10_001), {}],
    [0, 'of a high total', () => receipt(10_032), { reviewAboveTotal: 100 }],
  ] as const)('with code %i, %s', async (code, _what, picture, fields) => {
    const { record } = await submitted(await picture(), fields);
    const { review } = await images.waiting(record);
    expect(review.doubts.map((doubt: { code: number }) => doubt.code)).toContain(code);
  });

  it('with code 17, the total of which was pasted over', async () => {
    const { file } = await alteredReceiptOfSeed(10_003, { signed: true });
    const { customer, record } = await submitted(file.bytes);
    const { review } = await images.waiting(record);
    expect(review.doubts.map((doubt: { code: number }) => doubt.code)).toContain(17);
    expect((await images.review(record, { status: 'invalid', invalidCode: 17 })).status).toBe(202);
    expect(await images.codeOf(customer, record)).toBe(17);
  });
});

/** The program that it was painted with has written its name. */
const painted = async (seed: number) =>
  sharp(await blocksOfSeed(seed))
    .withExif({ IFD0: { Software: 'Adobe Photoshop 25.4 (Windows)' } })
    .jpeg()
    .toBuffer();

const decidedBy = { type: 'image', reviewsEveryImage: false, pointsPerValidation: 5 } as const;

describe('a record that no machine can decide', () => {
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
    [
      1,
      'receipt',
      'a file that breaks off',
      async () =>
        (
          await sharp(await blocksOfSeed(18))
            .jpeg()
            .toBuffer()
        ).subarray(0, 10_000),
    ],
    [8, 'image', 'a blurred picture', () => receipt(10_022, { distortion: 'blur 6' })],
  ] as const)('code %i of a %s is that of %s', async (code, type, _what, drawn) => {
    const to = await images.campaign({ ...decidedBy, type });
    const customer = await images.newCustomer();
    expect(await images.codeOf(customer, await images.submit(customer, { to, type }, await drawn()))).toBe(code);
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

/** A validation has five images: more than are examined at a time. */
const SUBMITTERS = 13;
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
    const history = await eventually(
      service.cloud,
      async () => (await sfn.send(new GetExecutionHistoryCommand({ executionArn }))).events ?? [],
      (events) => events.at(-1)?.type === 'TaskSubmitted',
    );
    const states = history.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []);
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
    const { parameters = '' } =
      history.findLast(({ type }) => type === 'TaskScheduled')?.taskScheduledEventDetails ?? {};
    // Nobody has decided: the first doubt does, as when the time is up.
    await sfn.send(new SendTaskSuccessCommand({ taskToken: JSON.parse(parameters).Payload.token, output: '{}' }));
    expect(await images.codeOf(customer, record)).toBe(9);
    await eventually(service.cloud, described, (end) => end.status === 'SUCCEEDED');
  });
});
