import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { created, failed } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions, eventually } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { type Post, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
const beginning = new Date().toISOString();
/** Where the endpoint is down. */
const downPaths = new Set<string>();
let receiver: Receiver;
let service: RunningService;
let acme: WebhookTenant;
let tenants = 0;

beforeAll(async () => {
  receiver = await startReceiver({
    answer: ({ path }) => ({ status: downPaths.has(path) ? 503 : 200 }),
    now: () => service.cloud.clock.now(),
  });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'Webhooks/' });
});
beforeEach(async () => {
  tenants += 1;
  acme = await webhookTenant(service, `acme-${tenants}`);
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});

const postsTo = (path: string) => receiver.posts.filter((post) => post.path === path);

describe('an event', () => {
  it('is posted once to the endpoint of its rule, with body, timestamp, key and secret', async () => {
    await acme.webhook(`${receiver.url}/first`, {
      authentication: { type: 'bearer', token: 'very-secret' },
      rule: {
        headers: { 'X-Trace': '{{requestId}}', authorization: 'mine' },
        body: {
          kind: 'started',
          id: '{{requestId}}',
          list: '{{requests}}',
          mixed: 'for {{locale}}',
          odd: '{{nothing}}',
        },
      },
    });
    const [id = ''] = await acme.announce({ recordId: '4711', data: { requests: ['access', 1], locale: 'en-GB' } });
    const run = await acme.ended(id);
    expect(run).toMatchObject({
      status: 'COMPLETED',
      record: 'subject request: 4711',
      module: 'dsar',
      moduleName: 'Data Subject Requests',
      responseCode: 200,
      attempts: 1,
      error: null,
    });
    const [post, ...others] = postsTo('/first');
    expect(others).toEqual([]);
    const body = JSON.parse(post!.body.toString());
    expect(body).toEqual({
      kind: 'started',
      id: '4711',
      list: ['access', 1],
      mixed: 'for en-GB',
      odd: '{{nothing}}',
      timestamp: run.triggeredAt,
    });
    expect(post!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-idempotency-key': run.idempotencyKey,
      authorization: 'Bearer very-secret',
      'x-trace': '{{requestId}}',
    });
    expect(run.payload).toBe(post!.body.toString());
    expect(run.headers).toContainEqual({ name: 'Authorization', value: 'Bearer ***' });
    expect(JSON.stringify(run)).not.toContain('very-secret');
  });

  it('is signed where the configuration asks for it, with both secrets during a rotation', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/signed`, { signature: 'standard-webhooks' });
    const path = `api-configurations/${configuration}/signing-secret`;
    const secrets = [(await acme.call('POST', path)).json.signingSecret];
    secrets.push((await acme.call('POST', path)).json.signingSecret);
    const [id = ''] = await acme.announce({ recordId: 'signed' });
    const run = await acme.ended(id);
    const [{ headers, body }] = postsTo('/signed') as [Post];
    const text = body.toString();
    expect([run.payload, run.idempotencyKey]).toEqual([text, headers['webhook-id']]);
    expect(run.headers.at(-1).value).toMatch(/^v1,\*\*\*( v1,\*\*\*)*$/);
    for (const secret of secrets) {
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('about a subject request lets its tenant confirm the status, and nobody else', async () => {
    await acme.webhook(`${receiver.url}/subject`, { rule: { module: 'dsar', trigger: 'Task is completed' } });
    const about = { trigger: 'Task is completed', recordId: 'request 47 11', data: { status: 'COMPLETED' } };
    const runs = await acme.announce(about);
    const path = `subject-requests/${encodeURIComponent(about.recordId)}`;
    expect(await acme.get(path)).toMatchObject({
      id: about.recordId,
      status: 'COMPLETED',
      trigger: about.trigger,
      runs,
    });
    const stranger = await webhookTenant(service, 'a-stranger');
    const { status, json } = await stranger.call('GET', path);
    expect([status, json.code]).toEqual([404, 'not-found']);
  });

  // `test/webhooks/events/event.test.ts` has all modules.
  it.each(
    few(
      [['conversions', 'Plan changed']],
      [
        ['places', 'Check-in made'],
        ['images', 'Validation is decided'],
      ],
    ),
  )(
    'of the service’s own module %s can be announced by nobody else, over the API or the bus',
    async (module, trigger) => {
      await acme.webhook(`${receiver.url}/own-${module}`, { rule: { module, trigger } });
      const forged = { id: `${module}-1`, module, trigger, recordType: 'record', recordId: '1', data: {} };
      const { status, json } = await acme.call('POST', 'events', forged);
      expect([status, json.code]).toEqual([403, 'module-reserved']);
      const suppressing = await acme.call('POST', 'events', { ...forged, module: 'dsar', trigger: 'DSAR starts' });
      expect([suppressing.status, suppressing.json.code]).toEqual([403, 'id-reserved']);

      const client = new EventBridgeClient(clientOptions(service.cloud));
      const entry = { EventBusName: service.cloud.outputs['EventBus'], DetailType: 'webhook.trigger' };
      const put = (Source: string, recordId: string) => ({
        ...entry,
        Source,
        Detail: JSON.stringify({ tenant: acme.tenant, ...forged, recordId }),
      });
      await client.send(new PutEventsCommand({ Entries: [put('outside', 'forged'), put(module, 'genuine')] }));
      await service.cloud.settled();
      const { items } = await acme.get(`runs?module=${module}`);
      expect(items.map(({ record }: { record: string }) => record)).toEqual(['record: genuine']);
    },
  );

  it('makes one run for each rule, however often it comes, over the API and over the bus', async () => {
    const bus = service.cloud.outputs['EventBus'];
    const module = { module: 'consent', trigger: 'Consent submitted' };
    const rule = { ...module, body: { a: 1 }, headers: { 'X-Who': 'for {{visitor}}' } };
    await acme.webhook(`${receiver.url}/consent-a`, { rule });
    await acme.webhook(`${receiver.url}/consent-b`, { rule });
    const event = {
      id: 'consent-1',
      ...module,
      recordType: 'consent receipt',
      recordId: 'r1',
      data: { visitor: 'Ann' },
    };
    const ids = await acme.announce(event);
    expect(ids).toHaveLength(2);
    expect(await acme.announce(event)).toEqual(ids);
    const client = new EventBridgeClient(clientOptions(service.cloud));
    const entry = { EventBusName: bus, Source: 'consents', DetailType: 'webhook.trigger' };
    // The function dies as it has stored a run of the first, and gets both again.
    await service.cloud.settled();
    service.cloud.faults.kill('ReceiveEvents', { call: 7, moment: 'answered' });
    await client.send(
      new PutEventsCommand({
        Entries: [
          { ...entry, Detail: JSON.stringify({ tenant: acme.tenant, ...event }) },
          { ...entry, Detail: JSON.stringify({ tenant: acme.tenant, ...event, id: 'consent-2' }) },
        ],
      }),
    );
    for (const id of ids) await acme.ended(id);
    await eventually(
      service.cloud,
      () => postsTo('/consent-b').length,
      (count) => count === 2,
    );
    const log = await eventually(
      service.cloud,
      async () => (await acme.get('runs?module=consent')).items,
      (items) => items.length === 4 && items.every(({ status }: { status: string }) => status === 'COMPLETED'),
    );
    expect(new Set(log.map(({ id }: { id: string }) => id)).size).toBe(4);
    expect(service.cloud.faults.pending).toBe(0);
    expect(postsTo('/consent-a')).toHaveLength(2);
    expect(postsTo('/consent-a')[0]!.headers['x-who']).toBe('for Ann');
  });
});

describe('a failed attempt', () => {
  it('is repeated with the same bytes and key after the interval, until one succeeds', async () => {
    await acme.webhook(`${receiver.url}/retried`, {
      retryIntervalSeconds: 1,
      rule: { module: 'breach', trigger: 'Incident created' },
    });
    receiver.will({ status: 500, body: 'not now' }, { status: 302, headers: { location: '/elsewhere' } });
    const [id = ''] = await acme.announce({ module: 'breach', trigger: 'Incident created' });
    const run = await acme.ended(id);
    expect(run).toMatchObject({ status: 'COMPLETED', attempts: 3, responseCode: 200 });
    const attempts = await acme.attempts(id);
    expect(
      attempts.map((one: Record<string, unknown>) => [
        one['attempt'],
        one['outcome'],
        one['responseCode'],
        one['responseBody'],
      ]),
    ).toEqual([
      [1, 'http_status', 500, 'not now'],
      [2, 'http_status', 302, ''],
      [3, 'succeeded', 200, ''],
    ]);
    const posts = postsTo('/retried');
    expect(posts).toHaveLength(3);
    expect(postsTo('/elsewhere')).toEqual([]);
    expect(new Set(posts.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(posts.map(({ headers }) => headers['x-service-idempotency-key'])).size).toBe(1);
    for (const [index, post] of posts.slice(1).entries()) {
      expect(post.at.getTime() - posts[index]!.at.getTime()).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('is repeated at once where a person asks for it, instead of a day later', async () => {
    await acme.webhook(`${receiver.url}/hurried`, { retryIntervalSeconds: 86_400 });
    receiver.will({ status: 503 });
    const [id = ''] = await acme.announce();
    const look = () => acme.get(`runs/${id}`);
    const waiting = await eventually(service.cloud, look, (run) => run.attempts === 1 && run.nextAttemptAt !== null);
    const retried = await acme.call('POST', `runs/${id}/retry`);
    expect([retried.status, retried.json]).toMatchObject([200, { id, attempts: 1, status: 'IN_PROGRESS' }]);
    const run = await acme.ended(id);
    expect(run).toMatchObject({ status: 'COMPLETED', attempts: 2 });
    expect(Date.parse(run.completedAt)).toBeLessThan(Date.parse(waiting.nextAttemptAt));
    expect(postsTo('/hurried')).toHaveLength(2);
    expect((await acme.call('POST', `runs/${id}/retry`)).json).toMatchObject({ status: 409, code: 'not-waiting' });
  });

  it('by a timeout is repeated with the same payload, and fails the run as any other', async () => {
    await acme.webhook(`${receiver.url}/silent`, { retryTimeoutSeconds: 1, maxAttempts: 2 });
    receiver.will('hang', 'hang');
    const [id = ''] = await acme.announce();
    expect(await acme.ended(id)).toMatchObject({ status: 'FAILED', attempts: 2, error: 'timeout' });
    const [first, second, ...others] = postsTo('/silent');
    expect(others).toEqual([]);
    expect(second!.body).toEqual(first!.body);
  });

  it('fails the run after the last one, which can be replayed with the configuration as it is now', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/failing`, {
      maxAttempts: 2,
      authentication: { type: 'apiKey', key: 'old-key' },
      rule: { module: 'assessment', trigger: 'Assessment started' },
    });
    receiver.will({ status: 503 }, { status: 503 });
    const [id = ''] = await acme.announce({ module: 'assessment', trigger: 'Assessment started' });
    const failed = await acme.ended(id);
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 2, error: 'http_status', resolved: false });

    await acme.call('PATCH', `api-configurations/${configuration}`, {
      targetUrl: `${receiver.url}/mended`,
      authentication: { type: 'apiKey', key: 'new-key' },
    });
    const replay = await acme.call('POST', `runs/${id}/replay`);
    expect(replay.status).toBe(201);
    expect(replay.json).toMatchObject({ replayOf: id, idempotencyKey: failed.idempotencyKey, status: 'CREATED' });
    expect(await acme.ended(replay.json.id)).toMatchObject({
      status: 'COMPLETED',
      targetUrl: `${receiver.url}/mended`,
    });
    const [first, , again] = [...postsTo('/failing'), ...postsTo('/mended')];
    expect(again!.body).toEqual(first!.body);
    expect(again!.headers['x-service-idempotency-key']).toBe(first!.headers['x-service-idempotency-key']);
    expect([first!.headers['x-api-key'], again!.headers['x-api-key']]).toEqual(['old-key', 'new-key']);
    expect(await acme.get(`runs/${id}`)).toMatchObject({ resolved: true, resolvedBy: replay.json.id, replays: 1 });
    expect((await acme.call('POST', `runs/${id}/replay`)).json).toMatchObject({ status: 409, code: 'resolved' });
  });

  it('is repeated at the new URL with the new secret, which never goes to the old URL', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/moved-from`, {
      retryIntervalSeconds: 60,
      authentication: { type: 'bearer', token: 'old-token' },
      rule: { module: 'assessment', trigger: 'Assessment approved' },
    });
    receiver.will({ status: 503 });
    const [id = ''] = await acme.announce({ module: 'assessment', trigger: 'Assessment approved' });
    await eventually(
      service.cloud,
      () => acme.get(`runs/${id}`),
      ({ nextAttemptAt, attempts }) => nextAttemptAt !== null && attempts === 1,
    );
    await acme.call('PATCH', `api-configurations/${configuration}`, {
      targetUrl: `${receiver.url}/moved-to`,
      authentication: { type: 'bearer', token: 'new-token' },
    });
    const run = await acme.ended(id);
    expect(run).toMatchObject({ status: 'COMPLETED', attempts: 2, targetUrl: `${receiver.url}/moved-to` });
    const sent = [...postsTo('/moved-from'), ...postsTo('/moved-to')];
    expect(sent.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
      ['/moved-from', 'Bearer old-token'],
      ['/moved-to', 'Bearer new-token'],
    ]);
    const attempts = await acme.attempts(id);
    expect(attempts.map((one: Record<string, unknown>) => one['targetUrl'])).toEqual(
      sent.map(({ path }) => `${receiver.url}${path}`),
    );
  });
});

describe('a replay', () => {
  // That there are three at most, `run-store.dynamodb.test.ts` shows.
  it('is of failed originals only, of the own tenant, and of a configuration that is there', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/never`, {
      maxAttempts: 1,
      rule: { module: 'breach', trigger: 'Incident closed' },
    });
    receiver.will({ status: 400 }, { status: 400 });
    const [id = ''] = await acme.announce({ module: 'breach', trigger: 'Incident closed' });
    await acme.ended(id);
    const other = await webhookTenant(service, 'other');
    expect((await other.call('POST', `runs/${id}/replay`)).status).toBe(404);
    expect((await other.call('GET', `runs/${id}`)).status).toBe(404);

    const { json: replay } = await acme.call('POST', `runs/${id}/replay`);
    expect(await acme.ended(replay.id)).toMatchObject({ status: 'FAILED', replayOf: id });
    expect((await acme.call('POST', `runs/${replay.id}/replay`)).json.code).toBe('is-replay');
    expect(postsTo('/never')).toHaveLength(2);
    await acme.withdraw(configuration);
    expect((await acme.call('POST', `runs/${id}/replay`)).json.code).toBe('configuration-missing');
    expect(await acme.announce({ module: 'breach', trigger: 'Incident closed' })).toEqual([]);
  });
});

describe('the test of a configuration', () => {
  const tested = (id: string, body?: unknown) => acme.call('POST', `api-configurations/${id}/test`, body);

  it('is one POST as a delivery makes it, shown as an attempt, and leaves no run', async () => {
    const created = await acme.call('POST', 'api-configurations', {
      name: 'Tested',
      targetUrl: `${receiver.url}/tested`,
      authentication: { type: 'apiKey', headerName: 'X-Own', key: 'very-secret-key' },
      enabled: false,
    });
    const { id, updatedAt } = created.json;
    receiver.will({ status: 201, body: 'thanks, very-secret-key' });
    const { status, json } = await tested(id);
    expect(status).toBe(200);
    expect(json).toEqual({
      attempt: 1,
      part: 0,
      startedAt: expect.any(String),
      outcome: 'succeeded',
      responseCode: 201,
      responseBody: 'thanks, ***',
      responseBodyEncoding: 'utf8',
      responseBodyTruncated: false,
      late: false,
      timings: expect.objectContaining({ tlsMillis: expect.any(Number), totalMillis: expect.any(Number) }),
      traceId: expect.anything(),
      error: null,
      targetUrl: `${receiver.url}/tested`,
      payload: JSON.stringify({ test: true, apiConfigurationId: id, timestamp: json.startedAt }),
      headers: expect.arrayContaining([
        { name: 'X-Service-Test', value: 'true' },
        { name: 'X-Own', value: '***' },
      ]),
    });
    const [post, ...others] = postsTo('/tested');
    expect(others).toEqual([]);
    expect(post?.headers).toMatchObject({ 'x-own': 'very-secret-key', 'x-service-test': 'true' });
    expect(post?.body.toString()).toBe(json.payload);
    expect((await acme.get(`runs?configuration=${id}`)).items).toEqual([]);
    expect(await acme.get(`api-configurations/${id}`)).toMatchObject({ enabled: false, updatedAt });
  });

  it('posts a payload to the letter, and shows a refusal, a failure and a foreign configuration as such', async () => {
    const { configuration: id } = await acme.webhook(`${receiver.url}/letter`, { retryTimeoutSeconds: 1 });
    const payload = '{ "2": 12345678901234567890, "1": "{{requestId}}" }';
    receiver.will({ status: 503 }, 'hang');
    expect((await tested(id, { payload })).json).toMatchObject({ outcome: 'http_status', error: 'http_status' });
    expect(postsTo('/letter').at(-1)?.body.toString()).toBe(payload);
    expect((await tested(id)).json).toMatchObject({ outcome: 'timeout', error: 'timeout', responseCode: null });
    const faulty = await tested(id, { payload: '{"a": {{b}}}' });
    expect([faulty.status, faulty.json.detail]).toEqual([
      400,
      'payload is not valid JSON: line 1, column 8: a placeholder must be in quotes',
    ]);
    expect((await tested(id, { payload: '[]' })).status).toBe(400);
    expect((await tested(id, { target: 'https://example.com' })).status).toBe(400);
    const stranger = await webhookTenant(service, 'stranger');
    expect((await stranger.call('POST', `api-configurations/${id}/test`)).json.code).toBe('not-found');
    expect(postsTo('/letter')).toHaveLength(2);
  });

  it('calls no address inside a network', async () => {
    const { configuration: id } = await acme.webhook('https://localtest.me:8443/');
    const { json } = await tested(id);
    expect(['blocked_target', 'dns_failed']).toContain(json.outcome);
  });
});

describe('a disabled configuration', () => {
  // In `npm test`, `deliver-run` and `trigger-runs.dynamodb.test.ts` show it without the service.
  it.runIf(isThorough)(
    'fails the runs that come due, which can be replayed when it is enabled, and lets events make no run',
    async () => {
      const tenant = acme;
      const { configuration } = await tenant.webhook(`${receiver.url}/paused`, { retryIntervalSeconds: 2 });
      const enable = (enabled: boolean) => tenant.call('PATCH', `api-configurations/${configuration}`, { enabled });
      receiver.will({ status: 503 });
      const [id = ''] = await tenant.announce();
      await eventually(
        service.cloud,
        () => tenant.get(`runs/${id}`),
        ({ nextAttemptAt, attempts }) => attempts === 1 && nextAttemptAt !== null,
      );
      await enable(false);
      expect(await tenant.ended(id)).toMatchObject({ status: 'FAILED', error: 'config_disabled', attempts: 1 });
      const refused = await tenant.call('POST', `runs/${id}/replay`);
      expect([refused.status, refused.json.code]).toEqual([409, 'configuration-disabled']);
      expect(await tenant.announce()).toEqual([]);
      await enable(true);
      const { json: replay } = await tenant.call('POST', `runs/${id}/replay`);
      expect(await tenant.ended(replay.id)).toMatchObject({ status: 'COMPLETED', replayOf: id });
      expect(postsTo('/paused')).toHaveLength(2);
    },
  );
});

describe('the delivery log', () => {
  it('lists newest first, page by page, and filters by module, status, configuration, time and record', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/logged`, {
      rule: { module: 'dsar', trigger: 'DSAR is completed' },
    });
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const event = { module: 'dsar', trigger: 'DSAR is completed', recordId: `logged-${n}` };
      ids.unshift(...(await acme.announce(event)));
    }
    for (const id of ids) await acme.ended(id);
    const listedIds: string[] = [];
    let cursor = '';
    do {
      const page = await acme.get(`runs?configuration=${configuration}&status=COMPLETED&limit=2${cursor}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      listedIds.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
    } while (cursor);
    expect(listedIds).toEqual(ids);
    const one = await acme.get('runs?record=logged-1');
    expect(one.items.map(({ record }: { record: string }) => record)).toEqual(['subject request: logged-1']);
    const middle = one.items[0].triggeredAt;
    const after = await acme.get(`runs?configuration=${configuration}&from=${middle}`);
    expect(after.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const before = await acme.get(`runs?configuration=${configuration}&to=${middle}`);
    expect(before.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect((await acme.get('runs?status=FAILED&record=logged-1')).items).toEqual([]);
  });

  it('counts runs over time', async () => {
    const { configuration } = await acme.webhook(`${receiver.url}/counted`, {
      rule: { module: 'dsar', trigger: 'DSAR is completed' },
    });
    for (let n = 0; n < 2; n += 1) {
      const ids = await acme.announce({ module: 'dsar', trigger: 'DSAR is completed', recordId: `counted-${n}` });
      for (const id of ids) await acme.ended(id);
    }
    const { periodMinutes, periods, reached } = await acme.get(`runs/counts?configuration=${configuration}`);
    expect([periodMinutes, periods.length, reached]).toEqual([60, 25, undefined]);
    expect(periods.reduce((sum: number, { completed }: { completed: number }) => sum + completed, 0)).toBe(2);
    expect((await acme.call('GET', 'runs/counts?from=yesterday')).json.code).toBe('invalid-input');
  });
});

/** Runs that an endpoint missed, made by three rules. */
const MISSED = isThorough ? 42 : 3;
/** Newer runs that cannot be replayed. Together they are more than a page. */
const LOST = 18;
const FEW = 48;

const keysOf = (path: string) => postsTo(path).map(({ headers }) => String(headers['x-service-idempotency-key']));

/** Lets the endpoint of a tenant miss this many runs, made by three rules. */
async function withFailures(tenant: WebhookTenant, count: number) {
  const path = `/${tenant.tenant}`;
  downPaths.add(path);
  const webhooks: { configuration: string }[] = [];
  while (webhooks.length < 3) webhooks.push(await tenant.webhook(`${receiver.url}${path}`, { maxAttempts: 1 }));
  const [one] = webhooks;
  // One after the other: at once, each of them would start a function of its own.
  const runs: string[] = [];
  for (let n = 0; runs.length < count; n += 1) runs.push(...(await tenant.announce({ recordId: `r${n}` })));
  for (const id of runs) expect((await tenant.ended(id)).status).toBe('FAILED');
  return { path, configuration: one?.configuration, runs };
}

/** Failed runs whose configuration is gone. */
async function storeLostRuns(tenant: string) {
  const table = {
    name: service.cloud.outputs['WebhooksTable'] ?? '',
    client: dynamoDbClient(clientOptions(service.cloud)),
  };
  const runs = runStore({ table, retentionDays: 30 });
  for (let n = 0; n < LOST; n += 1) {
    const createdAt = service.cloud.clock.millis();
    const run = created({
      id: newId('run'),
      tenant,
      eventId: `lost-${n}`,
      ruleId: 'rule_gone',
      module: 'dsar',
      trigger: 'DSAR starts',
      record: `subject request: lost-${n}`,
      idempotencyKey: crypto.randomUUID(),
      createdAt,
      configurationId: 'cfg_gone',
      configurationName: 'Gone',
      targetUrl: receiver.url,
      retryIntervalSeconds: 0,
      retryTimeoutSeconds: 30,
      maxAttempts: 1,
    });
    await runs.create(failed(run, 'config_missing', createdAt)!, { body: Buffer.from('{}'), headers: [], createdAt });
  }
}

async function runsOf(tenant: WebhookTenant, filter: string): Promise<RunSummary[]> {
  const runs: RunSummary[] = [];
  let cursor = '';
  do {
    const page = await tenant.get(`runs?limit=100&${filter}${cursor}`);
    runs.push(...page.items);
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : '';
  } while (cursor);
  return runs;
}

interface RunSummary {
  readonly id: string;
  readonly status: string;
  readonly bulkReplay: string | null;
  readonly resolved: boolean;
  readonly replays: number;
}

const sorted = (texts: readonly string[]) => texts.toSorted((a, b) => a.localeCompare(b));

/** Waits until all replays are delivered; returns how many there are. */
async function delivered(tenant: WebhookTenant, bulkReplay: string): Promise<number> {
  const replays = await eventually(
    service.cloud,
    async () => (await runsOf(tenant, '')).filter((run) => run.bulkReplay === bulkReplay),
    (runs) => runs.every(({ status }) => ['COMPLETED', 'FAILED'].includes(status)),
  );
  for (const { status } of replays) expect(status).toBe('COMPLETED');
  return replays.length;
}

const endOf = (tenant: WebhookTenant, id: string) =>
  eventually(
    service.cloud,
    () => tenant.get(`replays/${id}`),
    ({ status }) => status !== 'RUNNING',
  );

describe('a bulk replay', () => {
  it('delivers everything that an endpoint missed while it was down, each once, and shows its progress', async () => {
    const tenant = acme;
    const { path, configuration, runs } = await withFailures(tenant, MISSED);
    await storeLostRuns(tenant.tenant);
    expect(postsTo(path)).toHaveLength(MISSED);
    downPaths.delete(path);
    const started = await tenant.call('POST', 'replays', { from: beginning, module: 'dsar' });
    expect(started.status).toBe(202);
    const { id } = started.json;
    expect(started.headers.get('location')).toBe(`/manage/v1/replays/${id}`);
    expect(started.json).toMatchObject({
      id: expect.stringMatching(/^rpl_/),
      status: 'RUNNING',
      filter: { module: 'dsar', configuration: null, from: beginning, to: null, record: null },
      replayed: 0,
      skipped: 0,
      completedAt: null,
    });
    const second = await tenant.call('POST', 'replays', { from: beginning });
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({ code: 'replay-running', detail: expect.stringContaining(id) });

    expect(await endOf(tenant, id)).toMatchObject({
      status: 'COMPLETED',
      replayed: MISSED,
      skipped: LOST,
      skippedBecause: { 'configuration-missing': LOST },
      reached: beginning,
    });
    expect(await delivered(tenant, id)).toBe(MISSED);
    const originals = (await runsOf(tenant, 'status=FAILED')).filter((run) => runs.includes(run.id));
    expect(originals.map(({ resolved, replays: count }) => [resolved, count])).toEqual(runs.map(() => [true, 1]));
    expect(postsTo(path)).toHaveLength(2 * MISSED);
    const keys = keysOf(path);
    expect(sorted(keys.slice(MISSED))).toEqual(sorted(keys.slice(0, MISSED)));

    const again = await tenant.call('POST', 'replays', { from: beginning, configuration });
    expect(await endOf(tenant, again.json.id)).toMatchObject({
      status: 'COMPLETED',
      replayed: 0,
      skipped: MISSED / 3,
      skippedBecause: { resolved: MISSED / 3 },
    });
    expect((await tenant.get('replays')).items.map((one: { id: string }) => one.id)).toEqual([again.json.id, id]);
    const first = await tenant.get('replays?limit=1');
    const rest = await tenant.get(`replays?limit=1&cursor=${first.nextCursor}`);
    expect(rest.items).toMatchObject([{ id, replayed: MISSED }]);
    expect(postsTo(path)).toHaveLength(2 * MISSED);
  });

  // In `npm test`, `test/webhooks/bulk-replays/bulk-replay.dynamodb.test.ts` shows it without the service.
  it.runIf(isThorough)(
    'that is cancelled has made the replays that it counts, and leaves the rest to another',
    async () => {
      const tenant = acme;
      const { path } = await withFailures(tenant, FEW);
      downPaths.delete(path);
      // The first page is made and recorded, and no other.
      service.cloud.faults.kill('ReplayPage', 'after-result');
      service.cloud.faults.throttle('ReplayPage', 1_000);
      const { json: started } = await tenant.call('POST', 'replays', { from: beginning });
      await service.cloud.settled();
      const cancelled = await tenant.call('DELETE', `replays/${started.id}`);
      expect(cancelled.status).toBe(200);
      expect(cancelled.json).toMatchObject({ status: 'CANCELLED' });
      service.cloud.faults.clear();
      const { replayed } = cancelled.json;
      expect(replayed).toBeGreaterThan(0);
      expect(replayed).toBeLessThan(FEW);
      expect((await tenant.call('DELETE', `replays/${started.id}`)).json).toEqual(cancelled.json);
      expect(await delivered(tenant, started.id)).toBe(replayed);
      const { json: next } = await tenant.call('POST', 'replays', { from: beginning });
      const done = await endOf(tenant, next.id);
      expect(done).toMatchObject({
        replayed: FEW - replayed,
        skipped: replayed,
        skippedBecause: { resolved: replayed },
      });
      expect(await delivered(tenant, next.id)).toBe(FEW - replayed);
      expect((await tenant.get(`replays/${started.id}`)).replayed).toBe(replayed);
      expect(postsTo(path)).toHaveLength(2 * FEW);
    },
  );

  it('is its tenant’s own to cancel, and an operator’s who names the tenant', async () => {
    const [initech, umbrella] = [await webhookTenant(service, 'initech'), await webhookTenant(service, 'umbrella')];
    const { json: own } = await initech.call('POST', 'replays', { from: beginning });
    expect((await umbrella.call('GET', `replays/${own.id}`)).status).toBe(404);
    expect((await umbrella.call('DELETE', `replays/${own.id}`)).status).toBe(404);
    expect((await umbrella.get('replays')).items).toEqual([]);
    expect((await umbrella.call('GET', 'replays?tenant=initech')).status).toBe(404);
    // One of its own may run meanwhile.
    expect((await umbrella.call('POST', 'replays', { from: beginning })).status).toBe(202);
    expect(await endOf(initech, own.id)).toMatchObject({ status: 'COMPLETED', replayed: 0, skipped: 0 });

    const token = await service.managementToken('demo', { operator: true });
    const asOperator = (method: string, path: string, body?: unknown) =>
      service.call(`/manage/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const answer = await asOperator('POST', 'replays?tenant=initech', { from: beginning });
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/manage/v1/replays/${answer.json.id}?tenant=initech`);
    expect(await endOf(initech, answer.json.id)).toMatchObject({ status: 'COMPLETED' });

    service.cloud.faults.throttle('ReplayPage', 1_000);
    const { json: running } = await initech.call('POST', 'replays', { from: beginning });
    const cancelled = await initech.call('DELETE', `replays/${running.id}`);
    expect(cancelled.json).toMatchObject({ id: running.id, status: 'CANCELLED', replayed: 0 });
    expect((await initech.call('DELETE', `replays/${running.id}`)).json).toEqual(cancelled.json);
    service.cloud.faults.clear();
  });
});

// `event.test.ts` and `bulk-replay.test.ts` have all that are refused.
it('a call that is badly stated is refused, with all of its faults at once', async () => {
  const event = { id: 'e', module: 'dsar', trigger: 'Incident created', recordType: 'a', recordId: 'b' };
  const range = { from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z', module: 'mail' };
  const answers: unknown[] = [];
  for (const [method, path, body] of [
    ['GET', 'runs?status=DONE'],
    ['GET', 'runs?cursor=%00'],
    ['GET', 'runs/run_none'],
    ['POST', 'events', event],
    ['POST', 'events', null],
    ['POST', 'replays', range],
    ['POST', 'replays', null],
    ['GET', 'replays/rpl_none'],
    ['DELETE', 'replays/rpl_none'],
  ] as const) {
    const { status, headers, json } = await acme.call(method, path, body);
    expect(headers.get('content-type')).toBe('application/problem+json');
    const pointers = (json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
    answers.push([path, status, json.code, pointers.toSorted().join(' ')]);
  }
  expect(answers).toEqual([
    ['runs?status=DONE', 400, 'invalid-input', '/status'],
    ['runs?cursor=%00', 400, 'invalid-cursor', ''],
    ['runs/run_none', 404, 'not-found', ''],
    ['events', 400, 'invalid-input', '/trigger'],
    ['events', 400, 'invalid-input', ''],
    ['replays', 400, 'invalid-input', '/module /to'],
    ['replays', 400, 'invalid-input', ''],
    ['replays/rpl_none', 404, 'not-found', ''],
    ['replays/rpl_none', 404, 'not-found', ''],
  ]);
});

describe('the log of the functions', () => {
  it('has one line per attempt, by run and invocation, which is also counted by outcome', async () => {
    await acme.webhook(`${receiver.url}/told`, { rule: { module: 'breach', trigger: 'Incident closed' } });
    const [id = ''] = await acme.announce({ module: 'breach', trigger: 'Incident closed' });
    await acme.ended(id);
    const lines = service.cloud.logsOf('DeliverFast').filter(({ run }) => run === id);
    expect(lines).toMatchObject([
      {
        level: 'INFO',
        message: 'attempt',
        tenant: acme.tenant,
        outcome: 'succeeded',
        service: 'webhooks',
        messageId: expect.any(String),
        function_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        WebhookAttempts: 1,
        _aws: { CloudWatchMetrics: [{ Namespace: 'FiveServices/dev', Dimensions: [['service', 'outcome']] }] },
      },
    ]);
  });
});
