/**
 * Plants faults into a deployment that is in use, one after the other, and measures the minutes of the clock until an alarm
 * sounds that was quiet before: at most five. Then the fault ends, and all alarms fall silent.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localStacks } from '../support/cloud/local-assembly.ts';
import { later } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { queuesOf, requestsTo } from '../support/cloud/service-calls.ts';
import { partsOf } from '../support/cloud/service-parts.ts';
import {
  apiFaults,
  outageFaults,
  type Plant,
  type PlantedFault,
  readerFaults,
  scheduleFaults,
  tableFaults,
  workerFaults,
} from '../support/faults/planted-faults.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const HEARD_MINUTES = 5;
/** The windows of all alarms are over after so long, and what waited for its next try has had it. */
const OVER_MINUTES = 30;
/** The pause is longer than the windows of most alarms. The watch takes a longer one for a time in which it did not run itself. */
const PAUSE_MINUTES = 6;
const FAULTS_MIN = 40;

const folder = mkdtempSync(join(tmpdir(), 'planted-faults-'));
let service: RunningService;
let receiver: Receiver;
let plant: Plant;
const heard: string[] = [];

beforeAll(async () => {
  const endpoint = { millis: 0, configuration: '' };
  receiver = await startReceiver({
    answer: () => {
      service.cloud.clock.advance(endpoint.millis);
      return { status: 200 };
    },
  });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
    context: { mailFrom: 'post@example.com', alarmsTo: 'ops@example.com', ticketsTo: 'team@example.com' },
  });
  const parts = partsOf(await localStacks());
  const requests = requestsTo(service, service.cloud.clock.millis);
  plant = { service, parts, requests, queues: queuesOf(service), endpoint };
  const { id } = await requests.made('api-configurations', { name: 'Endpoint', targetUrl: `${receiver.url}/hook` });
  endpoint.configuration = id;
  await requests.made('rules', {
    module: 'dsar',
    trigger: 'DSAR starts',
    apiConfigurationId: id,
    body: { it: 'started' },
  });
  service.cloud.confirmSubscriptions(true);
  for (let minute = 0; minute < 6; minute += 1) await after(1);
});
afterAll(async () => {
  // oxlint-disable-next-line no-console -- the minutes are what the note quotes
  console.log(heard.join('\n'));
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function after(minutes: number) {
  await later(service.cloud, minutes * 60_000);
  service.cloud.evaluateAlarms();
}

/** `webhooks/Faults` */
const sounding = () =>
  service.cloud
    .alarms()
    .filter(({ state }) => state === 'ALARM')
    .map(
      ({ path }) =>
        `${/five-services-\w+-(\w+)/.exec(path)?.[1]}/${path
          .split('/')
          .at(-1)
          ?.replace(/Alarm$/, '')}`,
    );

async function minutesUntil({ alarm, use }: PlantedFault): Promise<number> {
  const { clock } = service.cloud;
  const begun = clock.millis();
  const minutes = () => Math.ceil((clock.millis() - begun) / 60_000);
  while (minutes() <= HEARD_MINUTES) {
    await use?.();
    await service.cloud.settled();
    service.cloud.evaluateAlarms();
    if (sounding().includes(alarm)) return minutes();
    await after(1);
    if (sounding().includes(alarm)) return minutes();
  }
  return Number.POSITIVE_INFINITY;
}

async function silence() {
  const { parts, queues } = plant;
  const isQuiet = () => sounding().length === 0;
  if (!isQuiet()) await after(PAUSE_MINUTES);
  for (let minute = 0; minute < OVER_MINUTES && !isQuiet(); minute += 1) {
    // What was given up, somebody has looked at.
    if (sounding().includes('edge/DeadLetters'))
      for (const { deadLetters } of [...parts.workers, ...parts.readers]) await queues.purge(deadLetters);
    await after(1);
  }
  expect(sounding()).toEqual([]);
}

type Faults = (plant: Plant) => PlantedFault[];

it.each<readonly [string, Faults]>([
  ['services of AWS that refuse', outageFaults],
  ['the API', apiFaults],
  ['tables', tableFaults],
  ['schedules of every minute', (at) => scheduleFaults(at, 1)],
  ['workers at load', workerFaults],
  ['readers of streams', readerFaults],
  ['schedules of every hour', (at) => scheduleFaults(at, 60)],
])('each fault of %s is heard within five minutes, by an alarm that was quiet', async (_of, faults) => {
  const unheard: string[] = [];
  for (const fault of faults(plant)) {
    await silence();
    const end = await fault.plant();
    expect(sounding()).not.toContain(fault.alarm);
    const minutes = await minutesUntil(fault).finally(end);
    heard.push(`${minutes} ${fault.alarm}: ${fault.name}`);
    if (minutes > HEARD_MINUTES) unheard.push(heard.at(-1)!);
  }
  expect(unheard).toEqual([]);
  await silence();
});

it('these are at least forty faults', () => {
  expect(new Set(heard).size).toBeGreaterThanOrEqual(FAULTS_MIN);
});
