import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MetricStore } from '../../../../cdk/local/cloudwatch/metric-store.ts';
import type { AwsRequest, AwsResponse, AwsService } from '../../../../cdk/local/endpoint/aws-service.ts';
import { Identities } from '../../../../cdk/local/ses/identities.ts';
import { Outbox } from '../../../../cdk/local/ses/outbox.ts';
import { SesService } from '../../../../cdk/local/ses/ses-service.ts';
import {
  type Announcement,
  announcement,
} from '../../../../functions/conversions/billing/announcements/announcement.ts';
import {
  announcementWrite,
  unannounced,
} from '../../../../functions/conversions/billing/announcements/announcement-items.dynamodb.ts';
import {
  confirmation,
  isScaleConfirmed,
  planChangeIn,
} from '../../../../functions/conversions/billing/announcements/confirmation.ts';
import { tenantKey } from '../../../../shared/auth/tenant-items.dynamodb.ts';
import { mails } from '../../../../shared/mail/mails.ses.ts';
import { type Table, transact } from '../../../../shared/table/table.dynamodb.ts';
import { ACCOUNT_ID, type LocalEndpoint, REGION, startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { createTable } from '../../../support/cloud/local-table.ts';
import { putItem } from '../../../support/conversions/booked-accounts.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

/** EventBridge, as far as one event: it can be told to refuse an entry in an answer that is otherwise fine. */
class Bus implements AwsService {
  readonly signingName = 'events';
  refuses = new Set<string>();
  taken: { Source: string; DetailType: string; EventBusName: string; Time: number; detail: Record<string, unknown> }[] =
    [];

  permissionsOf() {
    return [];
  }
  async handle({ body }: AwsRequest): Promise<AwsResponse> {
    const entries: { Detail: string }[] = JSON.parse(body.toString()).Entries;
    const Entries = entries.map((entry) => {
      const detail = JSON.parse(entry.Detail);
      if (this.refuses.has(detail.id)) return { ErrorCode: 'InternalFailure', ErrorMessage: 'Try again.' };
      const { Detail: _, ...rest } = entry;
      this.taken.push({ ...rest, detail } as (typeof this.taken)[number]);
      return { EventId: String(this.taken.length) };
    });
    const FailedEntryCount = Entries.filter((entry) => 'ErrorCode' in entry).length;
    return { status: 200, headers: {}, body: JSON.stringify({ FailedEntryCount, Entries }) };
  }
  error(status: number, code: string, message: string): AwsResponse {
    return { status, headers: {}, body: JSON.stringify({ __type: code, message }) };
  }
}

let endpoint: LocalEndpoint;
let accounts: Table;
let bus: Bus;
let outbox: Outbox;
let identities: Identities;
let conversions: Table;
let handler: (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;
let sweep: (event: ScheduledEvent, context: Context) => Promise<void>;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  accounts = await createTable(endpoint, 'accounts');
  conversions = await createTable(endpoint, 'conversions');
  bus = new Bus();
  endpoint.add(bus);
  outbox = new Outbox(null);
  identities = new Identities(REGION, ACCOUNT_ID);
  endpoint.add(
    new SesService({
      identities,
      outbox,
      region: REGION,
      now: () => new Date(NOW),
      metrics: new MetricStore(() => new Date()),
    }),
  );
  const { credentials } = endpoint.clientOptions();
  const environment = {
    ACCOUNTS_TABLE: accounts.name,
    CONVERSIONS_TABLE: conversions.name,
    EVENT_BUS: 'events',
    MAIL_FROM: 'billing@example.com',
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../../functions/conversions/billing/announcements/announce-changes.handler.ts'));
  ({ handler: sweep } = await import(
    '../../../../functions/conversions/billing/announcements/sweep-announcements.handler.ts'
  ));
  for (const [id, email] of [
    ['acme', 'owner@acme.example'],
    ['silent', ''],
  ] as const) {
    await putItem(accounts, { ...tenantKey(id), id, name: 'Acme', plan: 'scale', billingCurrency: 'EUR', email });
  }
});
beforeEach(() => {
  bus.refuses = new Set();
  bus.taken = [];
  identities.add('example.com');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const planChange = (tenant: string, id: string, [previousState, state]: [string, string]) =>
  announcement('Plan changed', {
    tenant,
    id,
    data: { plan: 'scale', previousPlan: 'scale', state, previousState, version: 2 },
    now: NOW,
  });
const confirmed = (id: string, tenant = 'acme') => planChange(tenant, id, ['scale_intro', 'scale_full']);
const invoice = (id: string, tenant = 'acme') =>
  announcement('Invoice is written', {
    tenant,
    id,
    data: { invoice: id, amount: '29.00', currency: 'EUR', reason: 'period' },
    now: NOW,
  });

/** As the stream delivers the items that were written. */
const recordsOf = (announced: readonly Announcement[]): DynamoDBRecord[] =>
  announced.map((one, index) => ({
    eventName: 'INSERT',
    dynamodb: { SequenceNumber: String(index + 1), NewImage: announcementWrite('any', one).Put?.Item as never },
  }));
const announce = (...announced: Announcement[]) => announceRecords(recordsOf(announced));
const announceRecords = (Records: DynamoDBRecord[]) => handler({ Records }, { awsRequestId: 'i-1' } as Context);
const taken = () => bus.taken.map(({ detail }) => detail['id']);
const mailed = async (work: () => Promise<unknown>) => {
  const before = outbox.mails.length;
  await work();
  return outbox.mails.slice(before);
};

describe('announcements', () => {
  it('reach the bus in order, as events that fire webhooks', async () => {
    expect(await announce(invoice('one'), invoice('two'), invoice('three'))).toEqual({ batchItemFailures: [] });
    expect(taken()).toEqual(['conversions-one', 'conversions-two', 'conversions-three']);
    expect(bus.taken[0]).toMatchObject({
      Source: 'conversions',
      DetailType: 'webhook.trigger',
      EventBusName: 'events',
      Time: NOW / 1_000,
      detail: {
        tenant: 'acme',
        id: 'conversions-one',
        module: 'conversions',
        trigger: 'Invoice is written',
        recordType: 'invoice',
        recordId: 'one',
        data: { invoice: 'one', amount: '29.00', currency: 'EUR', reason: 'period' },
        time: '2026-11-15T10:30:00.000Z',
      },
    });
    expect(Object.keys(bus.taken[0]!.detail).toSorted()).toEqual([
      'data',
      'id',
      'module',
      'recordId',
      'recordType',
      'tenant',
      'time',
      'trigger',
    ]);
  });

  it('are given back from the first on that the bus refuses, and come again with the same id', async () => {
    bus.refuses.add('conversions-two');
    const all = [invoice('one'), invoice('two'), invoice('three')];
    expect(await announce(...all)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(taken()).toEqual(['conversions-one']);
    bus.refuses.clear();
    expect(await announce(...all.slice(1))).toEqual({ batchItemFailures: [] });
    expect(taken()).toEqual(['conversions-one', 'conversions-two', 'conversions-three']);
  });

  it('that cannot be read do not block those behind them, in the stream and for the sweeper', async () => {
    const records = recordsOf([invoice('one'), invoice('two'), invoice('three')]);
    const unreadable = { ...records[1], dynamodb: { SequenceNumber: '2', NewImage: marshall({ pk: 'x' }) } };
    const answer = await announceRecords([records[0]!, unreadable as DynamoDBRecord, records[2]!]);
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(taken()).toEqual(['conversions-one', 'conversions-three']);
    const listed = { list: 'UNANNOUNCED', position: '2026-11-01' };
    await putItem(conversions, { pk: 'ANNOUNCEMENT#acme#x', sk: 'ANNOUNCEMENT', ...listed });
    await transact(conversions, [announcementWrite(conversions.name, invoice('behind'))]);
    const ids: string[] = [];
    for await (const { id } of unannounced(conversions, NOW + 1)) ids.push(id);
    expect(ids).toEqual(['conversions-behind']);
    await announce(invoice('behind'));
  });

  it('are items that a second announcement of the same id replaces, and that end after two months', () => {
    const [first, again] = [invoice('one'), invoice('one')].map((one) => announcementWrite('table', one).Put);
    expect(first).toEqual(again);
    expect(first).not.toHaveProperty('ConditionExpression');
    expect(first?.Item).toMatchObject({
      pk: { S: 'ANNOUNCEMENT#acme#conversions-one' },
      ttl: { N: String(NOW / 1_000 + 60 * 86_400) },
    });
  });
});

describe('the sweeper of announcements', () => {
  const stored = (...all: Announcement[]) =>
    transact(
      conversions,
      all.map((one) => announcementWrite(conversions.name, one)),
    );
  const run = () =>
    sweep({} as ScheduledEvent, { awsRequestId: 'i-1', getRemainingTimeInMillis: () => 60_000 } as Context);
  const waiting = async () => {
    const ids: string[] = [];
    for await (const { id } of unannounced(conversions, Date.now() + 60_000)) ids.push(id);
    return ids;
  };

  it('tells what the stream gave up, once, and leaves what it is still trying', async () => {
    const fresh = announcement('Payment settled', {
      tenant: 'acme',
      id: 'fresh',
      data: { payment: 'p', plan: 'starter', state: 'active' },
      now: Date.now(),
    });
    await stored(invoice('lost'), confirmed('plan-9'), invoice('told'), fresh);
    await announce(invoice('told'));
    expect(await waiting()).toEqual(['conversions-lost', 'conversions-plan-9', 'conversions-fresh']);
    bus.taken = [];
    expect(await mailed(run)).toHaveLength(1);
    expect(taken()).toEqual(['conversions-lost', 'conversions-plan-9']);
    await run();
    expect(taken()).toEqual(['conversions-lost', 'conversions-plan-9']);
    expect(await waiting()).toEqual(['conversions-fresh']);
    await announce(fresh);
    expect(await waiting()).toEqual([]);
  });

  it('goes on behind one that the bus refuses, which waits for the next hour', async () => {
    await stored(invoice('bad'), invoice('good'));
    bus.refuses.add('conversions-bad');
    await run();
    expect(taken()).toEqual(['conversions-good']);
    expect(await waiting()).toEqual(['conversions-bad']);
    bus.refuses.clear();
    await run();
    expect(taken()).toEqual(['conversions-good', 'conversions-bad']);
  });
});

describe('the mail of Scale', () => {
  it('goes to the tenant once its first payment has settled, behind the event', async () => {
    const sent = await mailed(() => announce(invoice('one'), confirmed('plan-2'), invoice('two')));
    expect(sent).toMatchObject([
      {
        from: 'billing@example.com',
        recipients: ['owner@acme.example'],
        subject: 'The full limits of your Scale plan apply',
        text: expect.stringContaining('500,000 conversions in each billing period, and 200 requests per second'),
      },
    ]);
    expect(taken()).toEqual(['conversions-one', 'conversions-plan-2', 'conversions-two']);
  });

  it.each([
    ['scale_intro', 'scale_full', true],
    ['scale_blocked', 'scale_full', true],
    ['scale_dunning', 'scale_full', false],
    ['scale_full', 'scale_dunning', false],
    ['active', 'scale_intro', false],
    ['scale_intro', 'scale_blocked', false],
    ['scale_full', 'scale_blocked', false],
  ])('from %s to %s is sent: %s', async (from, to, isSent) => {
    const changed = planChange('acme', `${from}-${to}`, [from, to]);
    const change = planChangeIn(changed);
    expect(change && isScaleConfirmed(change)).toBe(isSent);
    expect(await mailed(() => announce(changed))).toHaveLength(isSent ? 1 : 0);
  });

  it('is sent for no other event, whatever its data', () => {
    const { data } = confirmed('a');
    expect(planChangeIn({ trigger: 'Payment settled', data })).toBeUndefined();
    expect(planChangeIn({ trigger: 'Plan changed', data })).toEqual(expect.objectContaining({ state: 'scale_full' }));
  });

  it('is not sent to a tenant without an address, or one that is gone; the event is', async () => {
    expect(await mailed(() => announce(confirmed('a', 'silent'), confirmed('b', 'gone')))).toEqual([]);
    expect(taken()).toEqual(['conversions-a', 'conversions-b']);
  });

  it('is not sent where no sender is configured', async () => {
    expect(await mailed(() => mails('').send(confirmation({ name: 'Acme', email: 'owner@acme.example' })))).toEqual([]);
  });

  it('that is refused permanently does not block others', async () => {
    await putItem(accounts, {
      ...tenantKey('odd'),
      id: 'odd',
      name: 'Odd',
      plan: 'scale',
      billingCurrency: 'EUR',
      email: 'no address',
    });
    const sent = await mailed(async () => {
      expect(await announce(confirmed('odd', 'odd'), confirmed('next'))).toEqual({ batchItemFailures: [] });
    });
    expect(sent.map(({ recipients }) => recipients)).toEqual([['owner@acme.example']]);
    expect(taken()).toEqual(['conversions-odd', 'conversions-next']);
  });
});
