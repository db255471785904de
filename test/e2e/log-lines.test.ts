/** The log lines of whole journeys: whom they are about, how those of one event are found, and what they must not hold. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localStacks } from '../support/cloud/local-assembly.ts';
import { logQueriesOf, type QueryRow } from '../support/cloud/log-queries.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { requestsTo } from '../support/cloud/service-calls.ts';
import { partsOf } from '../support/cloud/service-parts.ts';
import { isThorough } from '../support/runner/thoroughness.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-lines-'));
const { readers, routed } = partsOf(await localStacks());
const ofCustomers = routed.filter(({ domain }) => ['records', 'conversions', 'places'].includes(domain));
/** In each domain the first function of each interface, which all identify their callers the same way. */
const requested = isThorough
  ? ofCustomers
  : [...Map.groupBy(ofCustomers, ({ domain, routes: [route = ''] }) => domain + route.split('/')[1]).values()].map(
      ([first]) => first!,
    );

let receiver: Receiver;
let service: RunningService;
let requests: ReturnType<typeof requestsTo>;
/** Runs a query over all log groups. */
let queried: (text: string) => Promise<readonly QueryRow[]>;
/** The lines that the journeys have logged. */
let lines: readonly QueryRow[];
/** Passwords, tokens and data of persons that the journeys have used. */
const secrets: string[] = ['demo-secret', 'demo-token', 'demo-external'];

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  const { cloud } = service;
  cloud.stopSchedules();
  requests = requestsTo(service, cloud.clock.millis);
  const token = 'the bearer token of the endpoint';
  const apiConfiguration = {
    name: 'Endpoint',
    targetUrl: `${receiver.url}/hook`,
    authentication: { type: 'bearer', token },
  };
  const { id: apiConfigurationId } = await requests.made('api-configurations', apiConfiguration);
  for (const [module, trigger] of [
    ['dsar', 'DSAR starts'],
    ['places', 'Check-in made'],
    ['images', 'Validation is decided'],
  ]) {
    await requests.made('rules', { module, trigger, apiConfigurationId, body: { it: 'happened' } });
  }
  const { key } = await requests.made('accounts/demo/management-keys', { name: 'Journey', scopes: ['read'] });
  secrets.push(token, key);
  expect(await requests.listRules(key)).toBe(200);
  for (const one of requested) {
    expect(await requests.request(one), one.path).toBeLessThan(500);
  }
  for (const reader of readers) {
    const { runIds = [] } = await requests.change(reader);
    await requests.delivered(runIds);
  }
  await requests.refuseImage(await requests.submitImage());
  await cloud.settled();
  const logs = logQueriesOf(cloud);
  const names = await logs.groups('five-services-');
  queried = (text) => logs.query(text, names);
  lines = await queried('fields @log, @message, message, service, tenant, route, event, origin, xray_trace_id');
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('every line of a journey names its tenant', () => {
  // A download that is only written to the table is of another one. Lines of libraries have no service, and what an
  // invocation counts may be of several tenants.
  const unnamed = lines.filter(
    ({ service: domain, message, tenant = '' }) =>
      domain !== undefined && message !== 'counted' && !['demo', 'acme'].includes(tenant),
  );
  expect(unnamed.map((line) => `${line['@log']} ${line['@message']}`)).toEqual([]);
  const domains = ['records', 'webhooks', 'conversions', 'places', 'images', 'accounts'];
  const heard = domains.filter((domain) => lines.some((line) => line['@log']?.includes(`-dev-${domain}-`)));
  expect(heard).toEqual(domains);
  expect(lines.filter(({ message }) => message === 'attempt').length).toBeGreaterThan(0);
});

/** Functions and what they logged, in the order of time, of all that began in this trace, but for counts of throttled calls. */
async function journeyOf(origin: string | undefined) {
  const begun = `xray_trace_id = "${origin}" or origin = "${origin}"`;
  const rows = await queried(`filter ${begun} | fields message, @log | sort @timestamp asc`);
  const logged = rows.filter(({ message }) => message !== 'counted');
  return logged.map((row) => `${/(?<=-dev-)\w+-\w+?(?=Logs)/.exec(row['@log'] ?? '')?.[0]}: ${row['message']}`);
}

const requestTo = (route: string) => lines.find((line) => line['route'] === route && line['message'] === 'request');
const eventOf = (name: string) => lines.find((line) => line['event']?.startsWith(name));

it('one query has all lines of an event, from the call of the API to the webhook', async () => {
  expect(await journeyOf(requestTo('POST /manage/v1/events')?.['xray_trace_id'])).toEqual([
    'webhooks-WebhooksEvents: request',
    'webhooks-WebhooksDeliverFast: attempt',
  ]);
});

it('an event of the service itself is found the same way, across its stream, the bus and two queues', async () => {
  const payment = requestTo('POST /manage/v1/accounts/{id}/payment-events')?.['xray_trace_id'];
  expect(await journeyOf(payment)).toEqual([
    expect.stringMatching(/^conversions-\w+: request$/),
    'webhooks-WebhooksReceiveEvents: event',
  ]);
  // The function that takes check-ins logs failures only.
  expect(await journeyOf(eventOf('places-chk_')?.['origin'])).toEqual([
    'webhooks-WebhooksReceiveEvents: event',
    'webhooks-WebhooksDeliverFast: attempt',
  ]);
});

it('a validation is found the same way, from its submission over its execution to the webhook', async () => {
  const submission = lines.find(
    ({ route, message }) => /^POST .*\/image_validations$/.test(route ?? '') && message === 'request',
  );
  expect(await journeyOf(submission?.['xray_trace_id'])).toEqual([
    expect.stringMatching(/^images-\w+: request$/),
    'webhooks-WebhooksReceiveEvents: event',
    'webhooks-WebhooksDeliverFast: attempt',
  ]);
});

it('no line of a journey holds a secret or data of a person', () => {
  const holding = lines.filter((line) => secrets.some((secret) => line['@message']?.includes(secret)));
  expect(holding.map((line) => line['@message'])).toEqual([]);
});
