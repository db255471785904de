/** The state of the system over HTTP, and the adapters behind it against the local cloud. */
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, PutMetricDataCommand, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Clock } from '../../cdk/local/clock.ts';
import { cloudWatchFigures } from '../../functions/edge/system/figures.cloudwatch.ts';
import { outputsOf } from '../../functions/edge/system/stack-outputs.cloudformation.ts';
import { clientOptions } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
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
      meaning: expect.stringContaining('Our own faults in webhooks'),
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
    await cloudWatch.send(
      new PutMetricDataCommand({
        Namespace: 'FiveServices/dev',
        // The sweeper states its own in every minute.
        MetricData: [now(), now() + 60_000].map((at) => ({
          MetricName: 'OldestDueRun',
          Dimensions: [{ Name: 'service', Value: 'webhooks' }],
          Value: 4_321,
          Timestamp: new Date(at),
        })),
      }),
    );
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
