/** The log lines of whole journeys: whom they are about, and what they must not hold. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localStacks } from '../support/cloud/local-assembly.ts';
import { logQueriesOf, type QueryRow } from '../support/cloud/log-queries.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { requestsTo } from '../support/cloud/service-calls.ts';
import { partsOf } from '../support/cloud/service-parts.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'log-lines-'));
const { readers, routed } = partsOf(await localStacks());

let receiver: Receiver;
let service: RunningService;
let requests: ReturnType<typeof requestsTo>;
/** What the journeys have logged. */
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
  await requests.made('rules', {
    module: 'dsar',
    trigger: 'DSAR starts',
    apiConfigurationId,
    body: { a: '{{requestId}}' },
  });
  const { key } = await requests.made('accounts/demo/management-keys', { name: 'Journey', scopes: ['read'] });
  secrets.push(token, key);
  expect(await requests.listRules(key)).toBe(200);
  for (const one of routed.filter(({ domain }) => ['records', 'conversions', 'places'].includes(domain))) {
    expect(await requests.request(one), one.path).toBeLessThan(500);
  }
  for (const reader of readers) {
    const { runIds = [] } = await requests.change(reader);
    await requests.delivered(runIds);
  }
  await requests.refuseImage(await requests.submitImage());
  await cloud.settled();
  const logs = logQueriesOf(cloud);
  lines = await logs.query('fields @log, @message, message, service, tenant', await logs.groups('five-services-'));
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

it('no line of a journey holds a secret or data of a person', () => {
  const holding = lines.filter((line) => secrets.some((secret) => line['@message']?.includes(secret)));
  expect(holding.map((line) => line['@message'])).toEqual([]);
});
