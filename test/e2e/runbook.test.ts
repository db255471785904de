/**
 * The queries of the runbook, over what the local cloud really logs. Each stands here with what has to go wrong before it
 * finds something, and with the rows that answer the question of its section. A query that is added to the runbook fails
 * here until it is rehearsed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientOptions, later } from '../support/cloud/local-cloud.ts';
import { logQueriesOf, type QueryRow } from '../support/cloud/log-queries.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { requestsTo } from '../support/cloud/service-calls.ts';
import { ConsoleVisitor } from '../support/console/console-visitor.ts';
import { queriesOf } from '../support/runner/runbook-queries.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const runbook = queriesOf(readFileSync(join(import.meta.dirname, '../../cdk/README.md'), 'utf8'));

const LOCAL_ADDRESS = expect.stringMatching(/^(::1|127\.0\.0\.1|::ffff:127\.0\.0\.1)$/);
const COUNT = expect.stringMatching(/^[1-9]\d*$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/);
const logOf = (name: string) => expect.stringMatching(new RegExp(`^\\d{12}:five-services-\\w+-.*${name}Logs`));

const folder = mkdtempSync(join(tmpdir(), 'runbook-'));
let receiver: Receiver;
let service: RunningService;
let logs: ReturnType<typeof logQueriesOf>;
let requests: ReturnType<typeof requestsTo>;
/** The trace of a call that announced an event. */
let announcedIn: string;
/** The id that a caller quotes from the problem that it got. */
let quotedRequest: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
    // Calls that are throttled are tried again, and logged.
    like: new Set(['throttles']),
  });
  const { cloud } = service;
  cloud.stopSchedules();
  logs = logQueriesOf(cloud);
  requests = requestsTo(service, cloud.clock.millis);
  await failingFunctions();
  await meterWithoutTable();
  await refusedCallers();
  await stoppedSchedules();
  const events = await logs.query('filter route = "POST /manage/v1/events" | fields xray_trace_id', [
    ...(await logs.groups(`${STAGE}-webhooks-WebhooksEvents`)),
  ]);
  announcedIn = events[0]?.['xray_trace_id'] ?? '';
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A function that crashes, one that may not read its table, and an authoriser that may not. */
async function failingFunctions() {
  const { cloud } = service;
  const { key } = await requests.made('accounts/demo/management-keys', { name: 'Runbook', scopes: ['read'] });
  expect(await requests.listRules(key)).toBe(200);
  cloud.faults.breakDown('Webhooks/Rules', 'throws');
  expect(await requests.listRules(key)).toBe(500);
  cloud.faults.heal('Webhooks/Rules');
  cloud.denyAll('Webhooks/Rules');
  const { status, json } = await requests.manage('GET', '/manage/v1/rules', undefined, key);
  expect(status).toBe(500);
  quotedRequest = json.instance.replace('urn:request:', '');
  cloud.allow('Webhooks/Rules');
  cloud.denyAll('AuthorizeManagers');
  cloud.clock.advance(61_000);
  expect(await requests.listRules(key)).toBe(503);
  cloud.allow('AuthorizeManagers');
}

/** A metered route is served though its meter cannot count. */
async function meterWithoutTable() {
  const { key } = await requests.made('accounts/demo/keys', { mode: 'live' });
  const convert = async () => {
    const body = { kind: 'quantity', value: '1', from: 'kg', to: 'g' };
    expect((await requests.manage('POST', '/v1/convert', body, key)).status).toBe(200);
  };
  await convert();
  service.cloud.denyAll('Conversions/Convert');
  await convert();
  service.cloud.allow('Conversions/Convert');
}

/** A wrong password, and more sign-ins than the throttle of the route lets through. */
async function refusedCallers() {
  expect((await new ConsoleVisitor(service).signIn('demo', 'no password of anybody')).status).toBe(403);
  // The throttle fills with the clock.
  service.cloud.clock.stop();
  const signIn = () => service.call('/console/sign-in', { method: 'POST', body: '' });
  // One after the other: at once, each of them would start a function of its own.
  const answers: number[] = [];
  while (answers.length < 60 && answers.at(-1) !== 429) answers.push((await signIn()).status);
  expect(answers.at(-1)).toBe(429);
}

const LETTERS_MILLIS = 3 * 60_000;

/** A dead letter, schedules that have not come for four minutes, and a webhook that is late because nothing reads the stream. */
async function stoppedSchedules() {
  const { cloud } = service;
  const sqs = new SQSClient(clientOptions(cloud));
  await sqs.send(new SendMessageCommand({ QueueUrl: cloud.outputs['DeadLettersImports'] ?? '', MessageBody: '{}' }));
  sqs.destroy();
  // The watch counts dead letters in every third minute.
  await later(cloud, LETTERS_MILLIS - (cloud.clock.millis() % LETTERS_MILLIS));
  cloud.runSchedule('WatchEveryMinute');
  const targetUrl = `${receiver.url}/hook`;
  const { id: apiConfigurationId } = await requests.made('api-configurations', { name: 'Endpoint', targetUrl });
  await requests.made('rules', { module: 'dsar', trigger: 'DSAR starts', apiConfigurationId, body: { it: 'started' } });
  cloud.denyAll('DispatchRuns');
  await requests.announce();
  await later(cloud, 4 * 60_000);
  cloud.runSchedule('WatchEveryMinute');
  cloud.runSchedule('SweepEveryMinute');
  await cloud.settled();
}

interface Rehearsal {
  /** The query in the runbook. */
  readonly query: string;
  /** Stands for `…`. */
  readonly quoted?: () => string;
  /** The prefix of the names of the log groups to which it applies. */
  readonly groups: readonly string[];
  /** A page of the rows. */
  readonly rows: readonly QueryRow[];
}

const STAGE = 'five-services-dev';
const ACCESS = ['/aws/vendedlogs/five-services-dev/api-access'];
const DOMAINS = ['accounts', 'records', 'webhooks', 'conversions', 'places', 'images', 'edge'].map(
  (domain) => `${STAGE}-${domain}`,
);

const REHEARSALS: readonly Rehearsal[] = [
  {
    query:
      'filter xray_trace_id = "…" or origin = "…" | fields @timestamp, @log, message, tenant, run, outcome, error.message | sort @timestamp asc',
    quoted: () => announcedIn,
    groups: DOMAINS,
    rows: [
      { '@timestamp': TIME, '@log': logOf('Events'), message: 'request', tenant: 'demo' },
      {
        '@timestamp': TIME,
        '@log': logOf('DeliverFast'),
        message: 'attempt',
        tenant: 'demo',
        run: expect.stringMatching(/^run_/),
        outcome: 'succeeded',
      },
    ],
  },
  {
    query: 'filter status like /^5/ | stats count(*) by route, status, integrationError',
    groups: ACCESS,
    rows: [
      { route: 'GET /manage/v1/rules', status: '500', integrationError: '-', 'count(*)': '1' },
      {
        route: 'GET /manage/v1/rules',
        status: '500',
        integrationError: expect.stringContaining('A test broke this function'),
        'count(*)': '1',
      },
      { route: 'GET /manage/v1/rules', status: '503', integrationError: '-', 'count(*)': '1' },
    ],
  },
  {
    query: 'filter message = "credential not checked" or level = "ERROR"',
    groups: [`${STAGE}-edge-AuthorizeManagers`],
    rows: [{ '@timestamp': TIME, '@message': expect.stringContaining('AccessDenied') }],
  },
  {
    query: 'filter status = "429" | stats count(*) by route, sourceIp, integrationError',
    groups: ACCESS,
    rows: [{ route: 'POST /console/sign-in', sourceIp: LOCAL_ADDRESS, integrationError: '-', 'count(*)': COUNT }],
  },
  {
    query: 'stats pct(latencyMs, 99) as p99, count(*) by route | sort p99 desc',
    groups: ACCESS,
    rows: [{ route: 'GET /manage/v1/rules', p99: expect.stringMatching(/^\d+$/), 'count(*)': '4' }],
  },
  {
    query: 'filter TableThrottles > 0 | stats sum(TableThrottles) by @log, bin(1m)',
    groups: DOMAINS,
    rows: [{ '@log': logOf(''), 'bin(1m)': TIME, 'sum(TableThrottles)': COUNT }],
  },
  {
    query: 'filter message = "metering" | stats count(*) by event, bin(1m)',
    groups: [`${STAGE}-conversions`],
    rows: [{ event: 'MeterRefused', 'bin(1m)': TIME, 'count(*)': COUNT }],
  },
  {
    query: 'stats count(*) by sourceIp, route',
    groups: ACCESS,
    rows: [{ sourceIp: LOCAL_ADDRESS, route: 'POST /v1/convert', 'count(*)': '2' }],
  },
  {
    query: `filter level = "ERROR" or message in ["announced attempts not sent", "message received again", "metering"] or unannounced > 0
| fields @timestamp, message, route, run, messageId, receives, error.name, error.message, requestId, function_request_id`,
    groups: DOMAINS,
    rows: [
      {
        '@timestamp': TIME,
        message: 'request failed',
        route: 'GET /manage/v1/rules',
        'error.name': 'AccessDeniedException',
        'error.message': expect.stringContaining('dynamodb:Query'),
        requestId: expect.any(String),
        function_request_id: expect.any(String),
      },
      expect.objectContaining({ message: 'metering', function_request_id: expect.any(String) }),
    ],
  },
  {
    query: 'filter requestId = "…"',
    quoted: () => quotedRequest,
    groups: DOMAINS,
    rows: [{ '@timestamp': TIME, '@message': expect.stringContaining('request failed') }],
  },
  {
    query: 'filter message = "sign-in refused" | stats count(*) by reason, bin(5m)',
    groups: [`${STAGE}-console`],
    rows: [{ reason: 'refused', 'bin(5m)': TIME, 'count(*)': '1' }],
  },
  {
    query: 'filter type = "platform.report" and record.status != "success" | stats count(*) by @log, record.status',
    groups: DOMAINS,
    rows: [
      { '@log': logOf('Rules'), 'record.status': 'error', 'count(*)': '1' },
      { '@log': logOf('WatchSystem'), 'record.status': 'error', 'count(*)': COUNT },
    ],
  },
  {
    query: 'filter level = "ERROR" | fields @timestamp, @log, message, error.name, error.message, function_request_id',
    groups: [`${STAGE}-webhooks`],
    rows: [
      {
        '@timestamp': TIME,
        '@log': logOf('Rules'),
        message: 'request failed',
        'error.name': 'AccessDeniedException',
        'error.message': expect.stringContaining('dynamodb:Query'),
        function_request_id: expect.any(String),
      },
    ],
  },
  {
    query: 'filter message = "dead letters"',
    groups: [`${STAGE}-edge-WatchSystem`],
    rows: [{ '@timestamp': TIME, '@message': expect.stringContaining('{"name":"Imports","count":1}') }],
  },
  {
    query:
      'filter message like /Schedules have stopped|Nobody has confirmed/ or level = "ERROR" | fields @timestamp, errorMessage, message, error.message',
    groups: [`${STAGE}-edge-WatchSystem`],
    rows: [
      {
        '@timestamp': TIME,
        errorMessage: expect.stringMatching(/^Schedules have stopped: .*webhooks\/WakeBulkReplays/),
        message: expect.any(String),
      },
    ],
  },
  {
    query: 'filter message = "sweep" | fields @timestamp, OldestDueRun, RunsSweptUp, looked, started, isCut',
    groups: [`${STAGE}-webhooks-WebhooksSweepRuns`],
    rows: [{ '@timestamp': TIME, OldestDueRun: COUNT, RunsSweptUp: '1', looked: COUNT, started: '0', isCut: 'false' }],
  },
];

it('the runbook has these queries', () => {
  expect(runbook.map(({ text }) => text)).toEqual(REHEARSALS.map(({ query }) => query));
});

it.each(REHEARSALS)('$query finds what happened', async ({ query, quoted, groups, rows }) => {
  const names = (await Promise.all(groups.map(logs.groups))).flat();
  expect(await logs.query(query.replaceAll('…', quoted?.() ?? ''), names)).toEqual(expect.arrayContaining([...rows]));
});
