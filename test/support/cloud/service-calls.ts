/** Calls the functions of a running service in the way they are called in life: over HTTP, and by messages in queues. */
import { randomBytes } from 'node:crypto';
import { GetQueueAttributesCommand, PurgeQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import { pointTo } from '../../../functions/images/duplicates/look-alikes.dynamodb.ts';
import { requestKey } from '../../../functions/records/download/download-items.dynamodb.ts';
import { isoTime } from '../../../shared/formats/timestamp.ts';
import { dynamoDbClient, putNewItem } from '../../../shared/table/table.dynamodb.ts';
import { blocksOfSeed } from '../images/receipts/blocks.ts';
import { newValidation, store } from '../images/validations.ts';
import { downloadRequest } from '../records/download-requests.ts';
import { clientOptions, eventually, invoke } from './local-cloud.ts';
import { basic, type RunningService } from './running-service.ts';
import type { QueueWorker, RoutedFunction } from './service-parts.ts';

const newEvent = () => ({
  id: crypto.randomUUID(),
  module: 'dsar',
  trigger: 'DSAR starts',
  recordType: 'subject request',
  recordId: '4711',
});
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: 'demo',
  type: 'businesses',
  'proxy+': 'nowhere',
  place_id: 'nowhere',
  api_key: 'demo-app',
  image_validation_id: '1',
  permalink: 'nowhere',
  name: 'nobody',
  queue: 'Imports',
};

/** What a change leads to: runs that are delivered, or an event that is received from the bus. */
interface Change {
  readonly runIds?: readonly string[];
  readonly isReceived?: () => boolean;
}

/** @param now the clock of the service, by which tokens expire. */
export function requestsTo(service: RunningService, now: () => number) {
  let operator: { readonly token: Promise<string>; readonly until: number } | undefined;

  async function operatorToken(): Promise<string> {
    if (operator === undefined || operator.until < now()) {
      // Requests at the same time share it: each new one has a new password.
      const token = service.managementToken('demo', { operator: true });
      operator = { token, until: now() + 50 * 60_000 };
    }
    return operator.token;
  }

  async function manage(method: string, path: string, body?: unknown, credential?: string) {
    return service.call(path, {
      method,
      headers: { authorization: `Bearer ${credential ?? (await operatorToken())}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function made(path: string, body: unknown) {
    const answer = await manage('POST', `/manage/v1/${path}`, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  }

  /** A run is written, and the stream tells of it. */
  const announce = () => made('events', newEvent());

  /** Lists rules with a management key: the status. */
  const listRules = async (key: string) => (await manage('GET', '/manage/v1/rules', undefined, key)).status;

  let key: string | undefined;
  const conversionKey = async (): Promise<string> =>
    (key ??= (await made('accounts/demo/keys', { mode: 'live' })).key as string);

  let client: { readonly clientId: string; readonly clientSecret: string } | undefined;
  async function askToken(): Promise<number> {
    client ??= await made('accounts/demo/oauth-clients', {});
    const { clientId = '', clientSecret = '' } = client ?? {};
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    const headers = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
    return (await service.call('/oauth/token', { method: 'POST', headers, body: form })).status;
  }

  /** A call of the loyalty interfaces: the status. */
  async function asDemoApp(method: string, url: string, body?: unknown): Promise<number> {
    const init = {
      method,
      headers: { authorization: DEMO_APP },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    return (await service.call(url, init)).status;
  }

  /** What the receiver of events has logged so far. */
  const received = () => JSON.stringify(service.cloud.logsOf('Webhooks/ReceiveEvents'));

  /** A new place, a listing beside it, and a check-in: the stream tells of it. */
  async function checkIn(): Promise<Change> {
    const id = crypto.randomUUID();
    const place = await made('loyalty/places', { id, name: 'Somewhere', latitude: 10, longitude: 10 });
    expect(await asDemoApp('GET', `${DEMO_USER}/places?location[latitude]=10&location[longitude]=10`)).toBe(200);
    const check_in = { place_id: id, venue_id: place.venueId, state: 'checkable', distance: 0 };
    const checkIns = () => received().split('places-chk_').length;
    const before = checkIns();
    expect(await asDemoApp('POST', `${DEMO_USER}/places/${id}/check_ins`, { check_in })).toBe(200);
    return { isReceived: () => checkIns() > before };
  }

  async function payment(): Promise<Change> {
    const { id } = await made('accounts/demo/payment-events', {
      id: crypto.randomUUID(),
      payment: 'p-1',
      kind: 'settled',
    });
    return { isReceived: () => received().includes(id) };
  }

  /** A record that is decided as it is stored: the stream tells of it. */
  async function decidedValidation(): Promise<Change> {
    const client = dynamoDbClient(clientOptions(service.cloud));
    const table = { name: service.cloud.outputs['ImagesTable'] ?? '', client };
    const { id } = await store(table, newValidation({ status: 'valid' }));
    return { isReceived: () => received().includes(`images-${id}-decided`) };
  }

  let campaign: { readonly id: number } | undefined;
  const imageCampaign = async () => (campaign ??= await made('loyalty/campaigns', IMAGE_CAMPAIGN));

  /** A photograph like no other, which only a person can decide. Answers the id of its record. */
  async function submitImage(): Promise<string> {
    await imageCampaign();
    const bytes = await blocksOfSeed(randomBytes(4).readUInt32BE());
    const answer = await service.call(`${DEMO_USER}/image_validations`, {
      method: 'POST',
      headers: { authorization: DEMO_APP },
      body: JSON.stringify({
        image_validation: {
          validation_type: 'image',
          campaign_permalink: IMAGE_CAMPAIGN.permalink,
          images: [{ base64_data: bytes.toString('base64'), mime_type: 'image/png' }],
        },
      }),
    });
    expect(answer.json.status, answer.text).toBe('ok');
    return String(answer.json.image_validation.id);
  }

  async function refuseImage(id: string): Promise<void> {
    const answer = await manage('POST', `/manage/v1/image-validations/${id}/review`, {
      status: 'invalid',
      invalidCode: 9,
    });
    expect(answer.status, answer.text).toBe(202);
  }

  const imageStatus = async (id: string) => (await manage('GET', `/manage/v1/image-validations/${id}`)).json.status;

  /** A record that is complete, of an image that was awarded before: no picture need be read to decide it. */
  async function completeValidation(): Promise<Change> {
    const client = dynamoDbClient(clientOptions(service.cloud));
    const table = { name: service.cloud.outputs['ImagesTable'] ?? '', client };
    const sha256 = randomBytes(32).toString('hex');
    const first = newValidation({ status: 'valid' });
    await store(table, first);
    // It is announced as well, which must be over before the clock is moved.
    await eventually(
      service.cloud,
      () => received(),
      (text) => text.includes(`images-${first.id}-decided`),
    );
    await pointTo(table, first, { name: sha256, traits: { sha256 }, now: now() });
    const { id, images } = newValidation();
    const again = newValidation({
      id,
      images: images.map((image) => ({ ...image, sha256 })),
      validationType: 'image',
      campaignId: (await imageCampaign())?.id ?? 0,
      campaignPermalink: IMAGE_CAMPAIGN.permalink,
    });
    await store(table, again);
    return { isReceived: () => received().includes(`images-${id}-decided`) };
  }

  /** A download that has ended as it is stored: the stream tells of it. */
  async function endedDownload(): Promise<Change> {
    const table = {
      name: service.cloud.outputs['RecordsTable'] ?? '',
      client: dynamoDbClient(clientOptions(service.cloud)),
    };
    const id = randomBytes(6).readUIntBE(0, 6);
    const ended = downloadRequest({ id, status: 'COMPLETED', completedAt: isoTime(now()) });
    await putNewItem(table, { ...requestKey(ended), ...ended });
    return { isReceived: () => received().includes(`downloads-request-${id}`) };
  }

  /** The table's stream of this domain has something to tell; of its several readers, this one. */
  const changes: Readonly<Record<string, () => Promise<Change>>> = {
    webhooks: announce,
    conversions: payment,
    places: checkIn,
    records: endedDownload,
    'Images/AnnounceValidations': decidedValidation,
    'Images/AdvanceValidations': completeValidation,
  };
  /** Finds how the stream gets something to tell this reader. Throws if nothing says so. */
  function changeFor({ domain, path }: { readonly domain: string; readonly path: string }): () => Promise<Change> {
    const made = changes[domain] ?? Object.entries(changes).find(([reader]) => path.endsWith(reader))?.[1];
    if (!made) throw new Error(`Say here what the stream of ${domain} tells ${path}.`);
    return made;
  }
  const change = async (reader: { readonly domain: string; readonly path: string }) => changeFor(reader)();

  /** Waits until runs have been delivered. */
  const delivered = (runIds: readonly string[]) =>
    eventually(
      service.cloud,
      () => Promise.all(runIds.map(async (id) => (await manage('GET', `/manage/v1/runs/${id}`)).json.status)),
      (statuses) => statuses.every((status) => status === 'COMPLETED'),
    );

  /**
   * Finds the request to this function with a valid credential, to the route that needs the least. It answers the status.
   * Throws if nothing says how the route is called.
   */
  function requestFor({ path, routes }: RoutedFunction): () => Promise<number> {
    const need = (route: string) => Number(route.includes('{')) + 2 * Number(/^(?!GET|ANY)/.test(route));
    if (routes.includes('POST /oauth/token')) return askToken;
    // Of the routes that take any path, the public ones look their caller up.
    const [route = ''] = routes.toSorted(
      (a, b) => need(a) - need(b) || Number(b.includes('/v3/')) - Number(a.includes('/v3/')),
    );
    const [method = '', pattern = ''] = route.split(' ');
    const url = pattern.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
      const value = PATH_PARAMETERS[name];
      if (value === undefined) throw new Error(`Say here what {${name}} of ${path} may be.`);
      return value;
    });
    const verb = method === 'ANY' ? 'GET' : method;
    const managing = (body?: unknown) => async () => (await manage(verb, url, body)).status;
    if (url.startsWith('/priv/')) return () => asDemoApp(verb, `${url}${QUERIES[path] ?? ''}`, BODIES[path]);
    if (url.startsWith('/v1/'))
      return async () => (await manage(verb, url, CONVERSIONS[url], await conversionKey())).status;
    // Of something that there is not, which the function has to find out.
    if (verb === 'DELETE') return managing();
    if (/\/(test|signing-secret)$/.test(url)) return managing({});
    if (verb === 'POST' && url.endsWith('/examination')) return managing({});
    if (verb === 'POST' && UPLOADS[url]) return managing(UPLOADS[url]);
    if (verb !== 'GET' && url !== '/manage/v1/events') throw new Error(`Say here how ${route} of ${path} is called.`);
    if (!url.startsWith('/manage/')) {
      return async () => (await service.call(`${url}?q=a`, { headers: { authorization: basic('demo-token') } })).status;
    }
    return managing(verb === 'GET' ? undefined : newEvent());
  }
  const request = (one: RoutedFunction) => requestFor(one)();

  return {
    manage,
    made,
    announce,
    changeFor,
    change,
    delivered,
    listRules,
    requestFor,
    request,
    submitImage,
    refuseImage,
    imageStatus,
  };
}

const DEMO_APP = `Basic ${Buffer.from('demo-app:demo-secret').toString('base64')}`;
const IMAGE_CAMPAIGN = {
  permalink: 'photographs',
  name: 'Photographs',
  type: 'image',
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '2046-01-01T00:00:00Z',
  country: 'US',
  currency: 'USD',
};

const DEMO_USER = '/priv/v1/apps/demo-app/users/demo-user';

const RECORD = { type: 'business', record: { name: 'Acme' } };
/** What the metered routes take. */
const CONVERSIONS: Readonly<Record<string, unknown>> = {
  '/v1/convert': { kind: 'quantity', value: '1', from: 'kg', to: 'g' },
  '/v1/normalize': RECORD,
  '/v1/validate': RECORD,
  '/v1/enrich': RECORD,
};

/** Uploads that are begun. */
const UPLOADS: Readonly<Record<string, unknown>> = {
  '/manage/v1/image-validations': {
    app: 'demo-app',
    customer: 'demo-user',
    campaignPermalink: 'none',
    validationType: 'image',
    images: [{ id: 'one', size: 1 }],
  },
  '/manage/v1/imports/uploads': { type: 'businesses', name: 'none.csv', bytes: 1 },
  '/manage/v1/loyalty/imports/uploads': { name: 'none.csv', bytes: 1 },
};

/** What calls of the loyalty interfaces need to get beyond their own input. */
const QUERIES: Readonly<Record<string, string>> = {
  'places/listing/list-places': '?location[latitude]=1&location[longitude]=1',
};
const BODIES: Readonly<Record<string, unknown>> = {
  'places/check-ins/check-ins': {
    check_in: { place_id: 'nowhere', venue_id: 1, state: 'checkable', distance: 0 },
  },
};

/** For each queue a message that makes its worker call AWS, and ends well. */
const MESSAGES: Readonly<Record<string, () => unknown>> = {
  Imports: () => ({
    source: 'aws.s3',
    'detail-type': 'Object Created',
    detail: { object: { key: 'businesses/gone.ndjson', size: 1, etag: crypto.randomUUID(), sequencer: '1' } },
  }),
  PlaceImports: () => ({
    source: 'aws.s3',
    'detail-type': 'Object Created',
    detail: { object: { key: 'demo/gone.ndjson', size: 1, etag: crypto.randomUUID(), sequencer: '1' } },
  }),
  ImageUploads: () => ({ detail: { object: { key: 'uploads/demo/1/gone' } } }),
  ImagesToExamine: () => ({
    tenant: 'demo',
    id: '1',
    image: { name: 'gone', object: 'validations/demo/1/gone', validationType: 'image', lane: 'lane' },
    // Two of the same would be one.
    token: crypto.randomUUID(),
  }),
  Merges: () => ({ type: 'businesses' }),
  Downloads: () => ({ tokenId: 'nobody', id: 1, tenant: 'demo' }),
  WebhookEvents: () => ({ source: 'outside', detail: { tenant: 'nobody', ...newEvent() } }),
  FastDeliveries: () => ticket(),
  SlowDeliveries: () => ticket(),
  Replays: () => ({ tenant: 'demo', id: 'none', page: 0 }),
  LateUsage: () => ({ id: crypto.randomUUID(), tenant: 'demo', mode: 'live', at: Date.now(), amount: 1 }),
};
const ticket = () => ({ v: 1, tenant: 'demo', run: 'run_none', attempt: 1, configuration: 'cfg_none' });

export function queuesOf(service: RunningService) {
  const sqs = new SQSClient(clientOptions(service.cloud));

  function bodyFor({ queue }: QueueWorker): string {
    const message = MESSAGES[queue.split('/').at(-2) ?? ''];
    if (!message) throw new Error(`Say here what message ${queue} takes.`);
    return JSON.stringify(message());
  }

  async function send(worker: QueueWorker) {
    const QueueUrl = queueUrl(worker.queue);
    const group = QueueUrl.endsWith('.fifo') ? { MessageGroupId: 'lane' } : {};
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: bodyFor(worker), ...group }));
  }

  /** Invokes the worker with a message, past its queue. */
  async function handOver(worker: QueueWorker) {
    const messageId = crypto.randomUUID();
    const record = { messageId, receiptHandle: messageId, body: bodyFor(worker), eventSource: 'aws:sqs' };
    const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(service.cloud.clock.millis()) };
    const event = { Records: [{ ...record, attributes, messageAttributes: {} }] };
    await invoke(service.cloud, service.cloud.functionName(worker.path), event);
  }

  function queueUrl(path: string): string {
    const match = service.cloud.stacks.flatMap(({ resources }) => resources).find((one) => one.path.startsWith(path));
    return match?.physicalId ?? '';
  }

  async function counted(path: string, until: (messages: number) => boolean) {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
    await eventually(
      service.cloud,
      async () => {
        const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl(path), AttributeNames: [...names] });
        const { Attributes = {} } = await sqs.send(command);
        return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
      },
      until,
    );
  }
  /** Puts a message into a queue as it is. */
  const put = (path: string, message: unknown) =>
    sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(path), MessageBody: JSON.stringify(message) }));
  const emptied = (path: string) => counted(path, (messages) => messages === 0);
  const purge = (path: string) => sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl(path) }));

  return { send, handOver, put, counted, emptied, purge };
}
