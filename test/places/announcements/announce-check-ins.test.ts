import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkInEvent } from '../../../functions/places/announcements/check-in-event.ts';
import { sendProbe, wasSeen } from '../../../shared/events/stream-probe.dynamodb.ts';
import { newImportJob } from '../../../shared/import/import-job.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { EventsBus } from '../../support/cloud/events-bus.ts';
import { type LocalEndpoint, REGION, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createPlacesTable } from '../../support/cloud/local-table.ts';
import { CENTRE, newApp, newCaller, openPlacesDesk, type PlacesDesk } from '../../support/places/places-desk.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');

const lines = loggedLines();
let endpoint: LocalEndpoint;
let bus: EventsBus;
let table: Table;
let probe: (event: ScheduledEvent, context: Context) => Promise<void>;
let handler: (event: DynamoDBStreamEvent, context: Context) => Promise<DynamoDBBatchResponse>;

beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createPlacesTable(endpoint, 'places');
  bus = new EventsBus();
  endpoint.add(bus);
  const { credentials } = endpoint.clientOptions();
  const environment = {
    EVENT_BUS: 'events',
    PLACES_TABLE: table.name,
    AWS_ENDPOINT_URL: endpoint.url,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  ({ handler } = await import('../../../functions/places/announcements/announce-check-ins.handler.ts'));
  ({ handler: probe } = await import('../../../functions/places/announcements/probe-announcements.handler.ts'));
});
beforeEach(() => {
  bus.reset();
  lines();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const visit = (id: string, own: object = {}) => ({
  pk: 'STANDING#acme#cus_1',
  sk: 'VISIT#place-1',
  id,
  tenant: 'acme',
  app: 'app_1',
  customer: 'cus_1',
  externalId: 'ext-1',
  place: 'place-1',
  placeName: 'Bakery',
  brand: 'Acme',
  points: 5,
  creativeId: 77,
  distance: 40,
  at: '2026-11-15T10:30:00.000Z',
  nextAt: NOW + 86_400_000,
  ttl: 1,
  ...own,
});

/** As the stream delivers them. */
const recordOf = (item: object, sequence: number): DynamoDBRecord => ({
  eventName: sequence % 2 === 0 ? 'INSERT' : 'MODIFY',
  dynamodb: {
    SequenceNumber: String(1_000 + sequence),
    Keys: marshall({ pk: 'STANDING#acme#cus_1', sk: 'VISIT#place-1' }) as never,
    NewImage: marshall(item, { removeUndefinedValues: true }) as never,
  },
});
const announce = (...items: object[]) => handler({ Records: items.map(recordOf) }, { awsRequestId: 'i-1' } as Context);
const told = () => bus.taken.map(({ detail }) => detail.recordId);
/** Faults that the lines of the logger count. */
const faultsIn = (printed: ReturnType<typeof lines>) =>
  printed.reduce((sum, { Faults = 0 }) => sum + Number(Faults), 0);
const faults = () => faultsIn(lines());

describe('check-ins', () => {
  it('reach the bus as events that fire webhooks', async () => {
    expect(await announce(visit('chk_1'))).toEqual({ batchItemFailures: [] });
    expect(bus.taken).toEqual([
      {
        Source: 'places',
        DetailType: 'webhook.trigger',
        EventBusName: 'events',
        Time: NOW / 1_000,
        detail: {
          tenant: 'acme',
          id: 'places-chk_1',
          module: 'places',
          trigger: 'Check-in made',
          recordType: 'check-in',
          recordId: 'chk_1',
          time: '2026-11-15T10:30:00.000Z',
          data: {
            app: 'app_1',
            customer: 'cus_1',
            externalId: 'ext-1',
            place: 'place-1',
            placeName: 'Bakery',
            brand: 'Acme',
            points: 5,
            creativeId: 77,
            distance: 40,
            checkedInAt: '2026-11-15T10:30:00.000Z',
            canCheckInAgainAt: '2026-11-16T10:30:00.000Z',
          },
        },
      },
    ]);
    expect(faults()).toBe(0);
  });

  it('are announced in order, ten in a call', async () => {
    const ids = Array.from({ length: 23 }, (_, n) => `chk_${n}`);
    expect(await announce(...ids.map((id) => visit(id)))).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(ids);
    expect(bus.sizes).toEqual([10, 10, 3]);
  });

  it('are all announced again, under the same ids, if the bus refuses one of them', async () => {
    const ids = Array.from({ length: 12 }, (_, n) => `chk_${n}`);
    const visits = ids.map((id) => visit(id));
    bus.refuses.add('chk_11');
    expect(await announce(...visits)).toEqual({ batchItemFailures: [{ itemIdentifier: '1000' }] });
    expect(faults()).toBe(1);
    const before = bus.taken;
    bus.refuses.clear();
    bus.taken = [];
    expect(await announce(...visits)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(ids);
    expect(bus.taken.slice(0, 11)).toEqual(before);
  });

  it('are announced together with finished imports of places', async () => {
    const object = { key: 'acme/cafes.csv', etag: 'e', sequencer: '1', bytes: 9 };
    const job = { pk: 'IMPORT#acme/cafes.csv', sk: '1#e', ...newImportJob(object, 'places', NOW) };
    const ended = { ...job, status: 'COMPLETED', counts: { accepted: 2, deleted: 0, rejected: 1 } };
    expect(await announce(ended, visit('chk_1'), ended)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual([job.id, 'chk_1', job.id]);
    expect(bus.taken[0]?.detail).toMatchObject({
      tenant: 'acme',
      id: `downloads-import-${job.id}`,
      trigger: 'Import is completed',
      data: { file: 'cafes.csv', imported: 2, rejected: 1 },
    });
    expect(faults()).toBe(0);
  });

  it('that cannot be read do not delay others, and count as a fault each', async () => {
    const { points: _, ...incomplete } = visit('chk_2');
    const odd = [visit('chk_1'), incomplete, visit('chk_3', { nextAt: 'soon' }), { pk: 'x', sk: 'y' }, visit('chk_4')];
    expect(await announce(...odd)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(['chk_1', 'chk_4']);
    const printed = lines();
    expect(printed.filter(({ message }) => message === 'unreadable check-in')).toHaveLength(3);
    expect(faultsIn(printed)).toBe(3);
  });

  it('without an image do not delay others', async () => {
    const bare: DynamoDBRecord = { eventName: 'MODIFY', dynamodb: { SequenceNumber: '1' } };
    const Records = [bare, {}, recordOf(visit('chk_1'), 2)];
    expect(await handler({ Records }, { awsRequestId: 'i-1' } as Context)).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(['chk_1']);
  });

  it('are none in an empty batch', async () => {
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
    expect(await wasSeen(table)).toBe(true);
    const first = await hourly();
    expect([faults(), await wasSeen(table)]).toEqual([0, false]);
    await hourly();
    expect(faults()).toBe(1);
    const last = await hourly();
    expect(faults()).toBe(1);
    expect(await announce(visit('chk_1'), last, visit('chk_2'))).toEqual({ batchItemFailures: [] });
    expect(told()).toEqual(['chk_1', 'chk_2']);
    expect(await wasSeen(table)).toBe(true);
    expect(await hourly()).not.toHaveProperty('seenAt');
    expect(faults()).toBe(0);
    expect(first).toEqual({ ...key, sentAt: expect.stringMatching(/Z$/) });
  });

  it('that is processed late says nothing about the next one', async () => {
    await sendProbe(table, NOW);
    const late = (await getItem(table, key))!;
    await sendProbe(table, NOW + 3_600_000);
    await announce(late);
    expect(await wasSeen(table)).toBe(false);
  });

  it('is not processed while the bus refuses events', async () => {
    await sendProbe(table, NOW);
    bus.refuses.add('chk_1');
    const sent = (await getItem(table, key))!;
    expect((await announce(sent, visit('chk_1'))).batchItemFailures).toHaveLength(1);
    expect(await wasSeen(table)).toBe(false);
  });
});

describe('the event of a check-in', () => {
  let desk: PlacesDesk;
  beforeAll(async () => {
    desk = await openPlacesDesk();
  });
  afterAll(() => desk.close());

  it('is made from what a check-in writes, and contains nothing that the app may not know', async () => {
    const caller = newCaller(newApp(), { id: 'anon_1', anonymous: true });
    const place = await desk.place(caller.app.tenant, { name: 'Bakery', points: 3 });
    await desk.stand(caller, CENTRE, NOW);
    await desk.checkIn({ caller, place, now: NOW });
    const { visits, entries } = await desk.records(caller);
    expect(checkInEvent(visits[0])).toMatchObject({
      tenant: caller.app.tenant,
      id: `places-${entries[0]?.['id']}`,
      recordId: entries[0]?.['id'],
      data: { externalId: null, creativeId: null, points: 3, brand: '', placeName: 'Bakery', customer: 'anon_1' },
    });
  });

  it('is made of no other item of a customer', async () => {
    const caller = newCaller(newApp());
    const place = await desk.place(caller.app.tenant);
    await desk.stand(caller, CENTRE, NOW);
    await desk.checkIn({ caller, place, now: NOW });
    const { days, points } = await desk.records(caller);
    for (const item of [...days, ...points, {}, null, 'x']) expect(() => checkInEvent(item)).toThrow();
  });
});
