import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { validationEvent } from '../../../functions/images/announcements/validation-event.ts';
import { decided, type Review, type Validation, withReview } from '../../../functions/images/validations/validation.ts';
import { MODULES } from '../../../functions/webhooks/modules/module.ts';
import { sendProbe, wasSeen } from '../../../shared/events/stream-probe.dynamodb.ts';
import { INVALID_REASONS } from '../../../shared/loyalty/invalid-codes.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { EventsBus } from '../../support/cloud/events-bus.ts';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createImagesTable } from '../../support/cloud/local-table.ts';
import { newValidation } from '../../support/images/validations.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const AT = '2026-11-15T10:30:00.000Z';
const LATER = '2026-11-15T11:30:00.000Z';
const UNTIL = '2026-11-18T10:30:00.000Z';
const REVIEW: Review = {
  requestedAt: LATER,
  until: UNTIL,
  doubts: [
    { reason: 'no-total', code: 1 },
    { reason: 'altered', code: 17 },
  ],
};

const lines = loggedLines();
let endpoint: LocalEndpoint;
let bus: EventsBus;
let table: Table;
let probe: (event: ScheduledEvent, context: Context) => Promise<void>;
let handler: (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createImagesTable(endpoint, 'images');
  bus = new EventsBus();
  endpoint.add(bus);
  const { credentials } = endpoint.clientOptions();
  const environment = {
    EVENT_BUS: 'events',
    IMAGES_TABLE: table.name,
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/images/announcements/announce-validations.handler.ts'));
  ({ handler: probe } = await import('../../../functions/images/announcements/probe-announcements.handler.ts'));
});
beforeEach(() => {
  bus.reset();
  lines();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const pending = (id: string, own: Partial<Validation> = {}): Validation =>
  newValidation({ tenant: 'acme', id, app: 'app_1', customer: 'cus_1', createdAt: AT, updatedAt: AT, ...own });
const invalid = (id: string) =>
  decided(pending(id), { outcome: 'invalid', code: 5, reason: INVALID_REASONS[5] }, LATER);

/** As the stream delivers them. */
const recordOf = (item: object, sequence: number): DynamoDBRecord => ({
  eventName: sequence % 2 === 0 ? 'INSERT' : 'MODIFY',
  dynamodb: {
    SequenceNumber: String(1_000 + sequence),
    NewImage: marshall({ pk: 'VALIDATION#acme#1', ...item }, { removeUndefinedValues: true }) as never,
  },
});
const announce = (...items: object[]) => handler({ Records: items.map(recordOf) }, { awsRequestId: 'i-1' } as Context);
const told = () => bus.taken.map(({ detail }) => detail.id);
const faultsIn = (printed: ReturnType<typeof lines>) =>
  printed.reduce((sum, { Faults = 0 }) => sum + Number(Faults), 0);

const OF_RECORD = {
  app: 'app_1',
  customer: 'cus_1',
  customerExternalId: null,
  validationType: 'receipt',
  campaignId: 1,
  campaignPermalink: 'demo-receipts',
  placementId: null,
  externalId: null,
  submittedAt: AT,
};

describe('validations', () => {
  it('reach the bus as events that fire webhooks', async () => {
    expect(await announce(invalid('7'))).toEqual({ batchItemFailures: [] });
    expect(bus.taken).toEqual([
      {
        Source: 'images',
        DetailType: 'webhook.trigger',
        EventBusName: 'events',
        Time: Date.parse(LATER) / 1_000,
        detail: {
          tenant: 'acme',
          id: 'images-7-decided',
          module: 'images',
          trigger: 'Validation is decided',
          recordType: 'image validation',
          recordId: '7',
          time: LATER,
          data: {
            ...OF_RECORD,
            status: 'invalid',
            invalidCode: 5,
            invalidReason: 'Image is not a receipt',
            storeName: null,
            receiptDate: null,
            resultCount: 0,
            decidedAt: LATER,
          },
        },
      },
    ]);
    expect(faultsIn(lines())).toBe(0);
  });

  it('are announced in order, with the same id when repeated, ten in a call', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `${n}`);
    const all = [...ids.map(invalid), withReview(pending('20'), REVIEW), invalid('20'), invalid('3')];
    expect(await announce(...all)).toEqual({ batchItemFailures: [] });
    const decidedIds = ids.map((id) => `images-${id}-decided`);
    expect(told()).toEqual([...decidedIds, 'images-20-review', 'images-20-decided', 'images-3-decided']);
    expect(bus.sizes).toEqual([10, 5]);
  });

  it('are all announced again, under the same ids, if the bus refuses one of them', async () => {
    const all = Array.from({ length: 12 }, (_, n) => invalid(`${n}`));
    bus.refuses.add('11');
    expect(await announce(...all)).toEqual({ batchItemFailures: [{ itemIdentifier: '1000' }] });
    expect(faultsIn(lines())).toBe(1);
    const before = bus.taken;
    bus.reset();
    expect(await announce(...all)).toEqual({ batchItemFailures: [] });
    expect(told()).toHaveLength(12);
    expect(bus.taken.slice(0, 11)).toEqual(before);
  });

  it('that cannot be read do not delay others, and count as a fault each', async () => {
    const { campaignId: _, ...incomplete } = invalid('2');
    const odd = [invalid('1'), incomplete, { ...invalid('3'), status: 'done' }, { sk: 'y' }, invalid('4')];
    expect(await announce(...odd)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(['images-1-decided', 'images-4-decided']);
    const printed = lines();
    expect(printed.filter(({ message }) => message === 'unreadable validation')).toHaveLength(3);
    expect(faultsIn(printed)).toBe(3);
  });

  it('without an image do not delay others, and an empty batch puts none', async () => {
    const bare: DynamoDBRecord = { eventName: 'MODIFY', dynamodb: { SequenceNumber: '1' } };
    const Records = [bare, {}, recordOf(invalid('1'), 2)];
    expect(await handler({ Records }, { awsRequestId: 'i-1' } as Context)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(['images-1-decided']);
    bus.reset();
    expect(await announce()).toEqual({ batchItemFailures: [] });
    expect(bus.sizes).toEqual([]);
  });
});

describe('a probe of the stream', () => {
  const key = { pk: 'PROBE', sk: 'PROBE' };
  const hourly = async () => {
    await probe({} as ScheduledEvent, { awsRequestId: 'i-2' } as Context);
    return (await getItem(table, key))!;
  };

  beforeEach(() => table.client.send(new DeleteItemCommand({ TableName: table.name, Key: marshall(key) })));

  it('is a fault after an hour unless the reader has processed it, and causes no event', async () => {
    await hourly();
    expect(faultsIn(lines())).toBe(0);
    const last = await hourly();
    expect(faultsIn(lines())).toBe(1);
    expect(await announce(invalid('1'), last, invalid('2'))).toEqual({ batchItemFailures: [] });
    expect([told(), await wasSeen(table)]).toEqual([['images-1-decided', 'images-2-decided'], true]);
    await hourly();
    expect(faultsIn(lines())).toBe(0);
  });

  it('is not processed while the bus refuses events', async () => {
    await sendProbe(table, Date.parse(AT));
    bus.refuses.add('1');
    const sent = (await getItem(table, key))!;
    expect((await announce(sent, invalid('1'))).batchItemFailures).toHaveLength(1);
    expect(await wasSeen(table)).toBe(false);
  });
});

describe('the event of a validation', () => {
  it('contains the reading, if the validation is valid', () => {
    const results = [{ id: '7-1', name: 'Tea', description: 'TEA', price: 350, quantity: 1, points: 5 }];
    const ids = { customerExternalId: 'ext-1', externalId: 'mine', placementId: 'banner' };
    const verdict = { outcome: 'valid', storeName: 'Walmart', receiptDate: '2026-03-05', results } as const;
    expect(validationEvent(decided(pending('7', ids), verdict, LATER))).toMatchObject({
      id: 'images-7-decided',
      data: {
        ...OF_RECORD,
        ...ids,
        status: 'valid',
        invalidCode: null,
        invalidReason: null,
        storeName: 'Walmart',
        receiptDate: '2026-03-05',
        resultCount: 1,
      },
    });
  });

  it('contains the reasons and the deadline, if a person must look', () => {
    expect(validationEvent(withReview(pending('7'), REVIEW))).toEqual({
      tenant: 'acme',
      id: 'images-7-review',
      module: 'images',
      trigger: 'Review is needed',
      recordType: 'image validation',
      recordId: '7',
      time: LATER,
      data: { ...OF_RECORD, doubts: ['no-total', 'altered'], requestedAt: LATER, reviewUntil: UNTIL },
    });
  });

  it('is that of the verdict once it is decided, with or without a review', () => {
    const verdict = { outcome: 'valid', results: [] } as const;
    const reviewed = decided(withReview(pending('7'), REVIEW), verdict, LATER);
    expect(validationEvent(reviewed)?.trigger).toBe('Validation is decided');
  });

  it('does not exist while it is incomplete or undecided', () => {
    for (const own of [{}, { status: 'incomplete' }, { status: 'incomplete', review: REVIEW }] as const) {
      expect(validationEvent(pending('7', own))).toBeUndefined();
    }
  });

  it('has a trigger of the module, and neither keys of pictures nor the free data of the client', () => {
    const own = { data: '{"email":"a@example.com"}' };
    for (const record of [invalid('7'), withReview(pending('7', own), REVIEW)]) {
      const event = validationEvent(record);
      expect(MODULES.images.triggers).toContain(event?.trigger);
      expect(JSON.stringify(event)).not.toMatch(/validations\/|sha256|example\.com/);
    }
  });
});
