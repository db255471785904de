/** The state of the system over HTTP, and the adapters behind it against the local cloud. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../cdk/local/clock.ts';
import { cloudWatchFigures } from '../../functions/edge/system/figures.cloudwatch.ts';
import { outputsOf } from '../../functions/edge/system/stack-outputs.cloudformation.ts';
import { clientOptions } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { ConsoleVisitor } from '../support/console/console-visitor.ts';
import { polled } from '../support/runner/machine-time.ts';
import { stepsInOrder } from '../support/runner/steps-in-order.ts';

stepsInOrder();

const clock = new Clock();
const now = clock.millis;
let service: RunningService;
let operator: string;
let tenant: string;
let sqs: SQSClient;
let cloudWatch: CloudWatchClient;
beforeAll(async () => {
  service = await startService({ clock });
  clock.stop();
  operator = await service.managementToken('ops', { operator: true });
  tenant = await service.managementToken('demo');
  sqs = new SQSClient(clientOptions(service.cloud));
  cloudWatch = new CloudWatchClient(clientOptions(service.cloud));
});
afterAll(() => service?.close());

const call = (token?: string) =>
  service.call('/manage/v1/system', { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });

/** As it is now: the function keeps an answer for ten seconds of its own time, which runs on while it works. */
async function state() {
  clock.advance(11_000);
  const { status, json, text } = await call(operator);
  expect(status, text).toBe(200);
  return json;
}
interface SystemPart {
  readonly name: string;
  readonly inFlight?: number;
  readonly count?: number;
  readonly oldestSeconds?: number;
  readonly since?: string;
}
const named = (all: readonly SystemPart[], name: string) => all.find((one) => one.name === name);
const output = (name: string) => service.cloud.outputs[name] ?? '';
const send = (queue: string, more: object = {}) =>
  sqs.send(new SendMessageCommand({ QueueUrl: output(queue), MessageBody: '{}', ...more }));

describe('the state of the system', () => {
  it('is for operators alone', async () => {
    const answers = [await call(tenant), await call(), await call(operator)];
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 200]);
    expect(answers[0]?.json).toMatchObject({ status: 403, code: 'operator-required' });
    expect(answers[2]?.headers.get('cache-control')).toBe('no-store');
  });

  it('has every queue, what each gave up, and every alarm, by the names of the runbook', async () => {
    service.cloud.evaluateAlarms();
    const { measuredAt, queues, deadLetters, alarms, dueWork } = await state();
    expect(Math.abs(Date.parse(measuredAt) - now())).toBeLessThan(60_000);
    expect(queues.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Downloads',
      'FastDeliveries',
      'ImageUploads',
      'ImagesToExamine',
      'Imports',
      'LateUsage',
      'Merges',
      'PlaceImports',
      'Replays',
      'SlowDeliveries',
      'WebhookEvents',
    ]);
    const redrive = await service.run('cdk/letters.command.ts');
    const redriven = redrive.stdout.trim().split('\n');
    expect(redriven).toHaveLength(11);
    for (const line of redriven) {
      const [name = '', count] = line.split(/: | dead/);
      expect(named(deadLetters, name)).toEqual({ name, count: Number(count), redriveAs: name });
    }
    const ofStreams = deadLetters.filter(({ redriveAs }: { redriveAs?: string }) => redriveAs === undefined);
    expect(ofStreams.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'conversions/Announcements',
      'images/Announcements',
      'images/Complete',
      'places/Announcements',
      'records/Announcements',
      'webhooks/RunChanges',
    ]);
    expect(alarms).toHaveLength(service.cloud.alarms().length);
    expect(named(alarms, 'webhooks/Faults')).toEqual({
      name: 'webhooks/Faults',
      state: 'OK',
      since: expect.stringMatching(/^20.*Z$/),
      reason: expect.any(String),
      meaning: expect.stringContaining('Server faults in webhooks'),
      runbook: 'Faults',
    });
    expect(named(alarms, 'edge/ApiErrors')).toMatchObject({ runbook: 'API errors' });
    for (const alarm of alarms) expect(alarm.runbook).toMatch(/^[A-Z]/);
    expect(dueWork).toEqual([{ name: 'webhooks/Runs', oldestSeconds: 0 }]);
  });

  it('shows messages that wait, are delayed or under way, how old the oldest is, and dead letters', async () => {
    // Nobody else may read the queue, so that the message stays in the hands of the test.
    service.cloud.denyAll('Records/ImportRecords');
    await send('QueueImports');
    await send('QueueImports', { DelaySeconds: 900 });
    await send('DeadLettersMerges');
    await sqs.send(new ReceiveMessageCommand({ QueueUrl: output('QueueImports'), VisibilityTimeout: 900 }));
    const { queues, deadLetters } = await state();
    expect(named(queues, 'Imports')).toMatchObject({ waiting: 0, inFlight: 1, delayed: 1 });
    expect(named(queues, 'Merges')).toEqual({ name: 'Merges', waiting: 0, inFlight: 0, delayed: 0 });
    expect(named(deadLetters, 'Merges')).toEqual({ name: 'Merges', count: 1, redriveAs: 'Merges' });
    clock.advance(90_000);
    service.cloud.evaluateAlarms();
    const { oldestSeconds } = named((await state()).queues, 'Imports') ?? {};
    expect(oldestSeconds).toBeGreaterThanOrEqual(90);
    expect(oldestSeconds).toBeLessThan(900);
  });

  it('shows an alarm with its state, since when, and why; and the oldest work that is due', async () => {
    // Alarms are evaluated at the end of the minute, which would change what is set here.
    clock.advance(60_000 - (clock.millis() % 60_000));
    const path = service.cloud.alarms().find((one) => one.path.endsWith('webhooks/FaultsAlarm'))?.name;
    const before = now();
    const sounds = { AlarmName: path, StateValue: 'ALARM', StateReason: 'Somebody tries it.' } as const;
    await cloudWatch.send(new SetAlarmStateCommand(sounds));
    const oldestDueRun = { namespace: 'FiveServices/dev', name: 'OldestDueRun', dimensions: { service: 'webhooks' } };
    // The sweeper states its own in every minute.
    for (const at of [now(), now() + 60_000]) service.cloud.metrics.put(oldestDueRun, 4_321, { at });
    const { alarms, dueWork } = await state();
    const alarm = named(alarms, 'webhooks/Faults');
    expect(alarm).toMatchObject({ state: 'ALARM', reason: 'Somebody tries it.', runbook: 'Faults' });
    expect(Date.parse(alarm?.since ?? '')).toBeGreaterThanOrEqual(before);
    expect(dueWork).toEqual([{ name: 'webhooks/Runs', oldestSeconds: 4_321 }]);
  });

  it('is the same for ten seconds, however often it is asked for', async () => {
    clock.advance(11_000);
    const { json: first } = await call(operator);
    await send('DeadLettersMerges');
    clock.advance(5_000);
    expect((await call(operator)).json).toEqual(first);
    clock.advance(10_000);
    expect((await call(operator)).json.measuredAt).not.toBe(first.measuredAt);
  });
});

describe('dead letters', () => {
  const letters = (path: string, { method = 'GET', as = operator } = {}) =>
    service.call(`/manage/v1/system/dead-letters/${path}`, { method, headers: { authorization: `Bearer ${as}` } });
  const idsOf = (json: { items: { id: string }[] }) => json.items.map(({ id }) => id);
  /** Letters of a queue whose worker gets nothing. */
  const given = async (...bodies: string[]) => {
    for (const MessageBody of bodies) await send('DeadLettersPlaceImports', { MessageBody });
  };

  it('are listed, shown whole, and deleted one by one, by operators alone', async () => {
    service.cloud.denyAll('Places/ImportPlaces');
    await given('{"first":  1}', `{"second":"${'x'.repeat(300)}"}`);
    const { json } = await letters('PlaceImports');
    expect(json.items).toEqual([
      { id: expect.any(String), sentAt: expect.stringMatching(/Z$/), beginning: '{"first": 1}' },
      { id: expect.any(String), sentAt: expect.any(String), beginning: expect.stringMatching(/^\{"second":"x{180,}$/) },
    ]);
    const [first = '', second = ''] = idsOf(json);
    expect((await letters(`PlaceImports/${first}`)).json).toMatchObject({
      id: first,
      body: '{"first":  1}',
      attributes: { ApproximateReceiveCount: expect.any(String) },
    });
    const { status } = await letters(`PlaceImports/${first}`, { method: 'DELETE' });
    expect(status).toBe(204);
    expect(idsOf((await letters('PlaceImports')).json)).toEqual([second]);
    for (const path of [`PlaceImports/${first}`, 'Nowhere', 'webhooks%2FRunChanges']) {
      expect((await letters(path)).status, path).toBe(404);
    }
    for (const [path, method] of [
      ['PlaceImports', 'GET'],
      [`PlaceImports/${second}`, 'GET'],
      [`PlaceImports/${second}`, 'DELETE'],
      ['PlaceImports/redrive', 'POST'],
    ] as const) {
      expect((await letters(path, { method, as: tenant })).json.code).toBe('operator-required');
    }
  });

  it('are sent back to work all together, which the audit log has', async () => {
    const { status, json } = await letters('PlaceImports/redrive', { method: 'POST' });
    expect([status, json]).toEqual([202, { moving: 1 }]);
    await polled(
      async () => named((await state()).deadLetters, 'PlaceImports'),
      (one) => one?.count === 0,
    );
    const { json: log } = await service.call('/manage/v1/audit?action=system.dead-letters', {
      headers: { authorization: `Bearer ${operator}` },
    });
    // Lines of one millisecond have no order.
    expect(new Set(log.items.map(({ action, outcome }: Record<string, string>) => `${action} ${outcome}`))).toEqual(
      new Set(['system.dead-letters.redrive.create done', 'system.dead-letters.delete done']),
    );
    expect(log.items).toHaveLength(2);
    service.cloud.allow('Places/ImportPlaces');
  });

  it('are looked at and deleted in the console', async () => {
    await given('{"tenant":"acme"}');
    const visitor = new ConsoleVisitor(service);
    await visitor.signIn('demo-operator');
    const own = '/console/system/dead-letters/PlaceImports';
    const listed = await visitor.get(own);
    const [, path = ''] = /href="([^"]*\/letters\/[^"]*)"/.exec(listed.text) ?? [];
    const { text } = await visitor.get(path);
    expect(text).toContain('ApproximateReceiveCount');
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('acme');
    const form = await visitor.formToken(`${path}/drop`, `${path}/drop`);
    expect((await visitor.post(`${path}/drop`, { form })).location).toBe(`${own}?dropped=1`);
    expect((await visitor.get(own)).text).toContain('No dead letters');
    const person = new ConsoleVisitor(service);
    await person.signIn('demo');
    expect((await person.get(own)).status).toBe(404);
  });
});

describe('the parts behind it', () => {
  it('leave out a stack that is not deployed', async () => {
    const client = new CloudFormationClient(clientOptions(service.cloud));
    const [edge, ...others] = await outputsOf(['five-services-dev-edge', 'five-services-dev-nowhere'], client);
    expect([edge?.stack, others]).toEqual(['five-services-dev-edge', []]);
    expect(edge?.outputs.get('ApiUrl')).toMatch(/^http/);
  });

  it('find more alarms and metrics than one call takes, and nothing of those that there are not', async () => {
    const { alarms, newest } = cloudWatchFigures(cloudWatch);
    const names = service.cloud.alarms().map(({ name }) => name);
    const nobody = Array.from({ length: 150 }, (_, n) => `nothing-${n}`);
    expect([...(await alarms([...nobody, ...names])).keys()].toSorted()).toEqual(names.toSorted());
    expect(await alarms([])).toEqual(new Map());
    const due = { namespace: 'FiveServices/dev', name: 'OldestDueRun', dimensions: { service: 'webhooks' } };
    const unknown = nobody.slice(0, 100).flatMap((name) => Array.from({ length: 6 }, () => ({ ...due, name })));
    const values = await newest([...unknown, due], now());
    expect(values).toHaveLength(601);
    expect(values.filter((value) => value !== undefined)).toEqual([expect.any(Number)]);
    expect(values.at(-1)).toEqual(expect.any(Number));
  });
});

describe('an answer', () => {
  it.each([
    '/v3/users',
    '/v1/usage',
    '/v1/openapi.json',
    '/api/v1/nowhere',
    '/priv/v1/apps/demo-app/places',
    '/console/sign-in',
    '/manage/v1/system',
    '/v3/nowhere',
  ])('of %s may only come over TLS, and is what it says', async (path) => {
    const { headers } = await service.call(path, { headers: { authorization: `Bearer ${operator}` } });
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=[1-9]\d{7,}/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
