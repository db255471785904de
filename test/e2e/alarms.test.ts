/**
 * Breaks every function and every queue of the template, has each called as it is in life, and hears an alarm that names
 * the domain it hurts; heals it, and hears the alarm end. What is broken comes from the template: what is added to it is
 * tested too, or fails here until it is said how it is called.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fiveServices } from '../../cdk/five-services.ts';
import { eventually } from '../support/local-cloud.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { queuesOf, requestsTo } from '../support/service-calls.ts';
import {
  crashing,
  partsOf,
  type QueueWorker,
  type RoutedFunction,
  type StreamReader,
} from '../support/service-parts.ts';
import { TEMPLATES_ONLY } from '../support/templates-only.ts';

const folder = mkdtempSync(join(tmpdir(), 'alarms-'));
const { functions, routed, authorizers, workers, scheduled, readers, tasks } = partsOf(
  (({ edge, domains }) => [edge, ...domains])(
    fiveServices(
      new App({
        outdir: join(folder, 'assembly'),
        context: { ...TEMPLATES_ONLY, 'aws:cdk:enable-path-metadata': true },
      }),
    ),
  ),
);

let aheadMillis = 0;
let receiver: Receiver;
let service: RunningService;
let requests: ReturnType<typeof requestsTo>;
let queues: ReturnType<typeof queuesOf>;

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    now: () => new Date(now()),
    context: { WEBHOOK_PRIVATE_TARGETS: `127.0.0.1:${receiver.port}`, WEBHOOK_EXTRA_CA_FILE: ca },
  });
  requests = requestsTo(service, now);
  queues = queuesOf(service);
  const { id } = await requests.made('api-configurations', { name: 'Endpoint', targetUrl: `${receiver.url}/hook` });
  await requests.made('rules', {
    module: 'dsar',
    trigger: 'DSAR starts',
    apiConfigurationId: id,
    body: { it: 'started' },
  });
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  service.cloud.evaluateAlarms();
  expectSilence();
});

const now = () => Date.now() + aheadMillis;

/** The domain whose stream nobody reads at the moment. */
let unread: string | undefined;

const PROBE_MILLIS = 60_000;
/** A probe was given up with the other records of its stream: there is no use in waiting for it. */
const probe = { isLost: false };

/**
 * Nothing is under way when the clock moves: a schedule that is due also runs by itself, within a second, and a probe
 * that it sends just before the clock moves would not have been read for an hour.
 */
async function quiet(): Promise<void> {
  service.cloud.tick();
  await settled();
  await probesSeen();
}

async function probesSeen(): Promise<void> {
  const until = Date.now() + PROBE_MILLIS;
  while (!probe.isLost && Date.now() < until && (await requests.unseenProbes(unread)) > 0) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The clock moves on, and the schedules that have become due run, once each. */
async function later(minutes: number) {
  await quiet();
  aheadMillis += minutes * 60_000;
  service.cloud.tick();
  await settled();
  service.cloud.evaluateAlarms();
}

/** Schedules, and what is tried once more, have run. */
const settled = () =>
  eventually(
    () => service.cloud.pendingEvents,
    (pending) => pending === 0,
  );

/** What sounds, without the alarm that sounds because the clock was moved past the sweeper. */
const sounding = () => allSounding().filter((one) => !one.startsWith('OldestDueRun'));

const allSounding = () =>
  service.cloud
    .alarms()
    .filter(({ state }) => state === 'ALARM')
    .map(({ path, description }) => `${path.split('/').at(-1)}: ${description}`);

/** As text, all of which the report of a failure shows. */
const expectSilence = () => expect(sounding().join('\n')).toBe('');

/** Waits for an alarm that names the domain. None of another domain may sound. */
async function heard(alarm: string, domain: string) {
  await eventually(
    () => {
      service.cloud.evaluateAlarms();
      return sounding();
    },
    (all) => all.some((one) => one.startsWith(alarm)),
  );
  const others = sounding().filter((one) => !new RegExp(`^ApiErrors|\\b${domain}\\b`).test(one));
  expect(others.join('\n')).toBe('');
}

/** No data that breached is in any window any more. The schedules run with the next tick of the clock. */
async function over() {
  await quiet();
  aheadMillis += 16 * 60_000;
  service.cloud.evaluateAlarms();
  expectSilence();
}

function heal(path: string) {
  unread = undefined;
  service.cloud.allow(path);
  service.cloud.faults.heal(path);
}
it('every function of the template is called in one of these ways', () => {
  const known = [...routed, ...authorizers, ...workers, ...scheduled, ...readers, ...tasks].map(({ path }) => path);
  expect(known.toSorted()).toEqual(functions.toSorted());
  const kinds = [routed, authorizers, workers, scheduled, readers, tasks];
  expect(Math.min(...kinds.map(({ length }) => length))).toBeGreaterThan(0);
});

it('a healthy service that is used has no alarm, neither at once nor in ten quiet minutes', async () => {
  for (const { schedule } of scheduled) service.cloud.runSchedule(schedule);
  for (const one of workers) await queues.send(one);
  await requests.announce();
  for (const one of routed) expect(await requests.request(one), one.path).toBeLessThan(500);
  for (const { queue } of workers) await queues.emptied(queue);
  await settled();
  for (let minute = 0; minute <= 10; minute += 1) {
    await later(Number(minute > 0));
    expect(allSounding()).toEqual([]);
  }
}, 120_000);

it.each(crashing(routed))('$path is heard without its permissions, and when it $crash', async ({ crash, ...one }) => {
  const { cloud } = service;
  cloud.denyAll(one.path);
  const status = await requests.request(one);
  if (!servesWithout(one)) {
    expect(status).toBe(500);
    // On AWS the permission to write logs, from which faults are counted, may be among those that are gone.
    await heard('ApiErrors', one.domain);
  }
  if (one.domain !== 'edge' && !callsNothing(one)) await heard('Faults', one.domain);
  heal(one.path);
  expect(await requests.request(one)).toBeLessThan(500);
  await over();
  cloud.faults.breakDown(one.path, crash);
  expect(await requests.request(one)).toBeGreaterThanOrEqual(500);
  await heard('ApiErrors', one.domain);
  heal(one.path);
  expect(await requests.request(one)).toBeLessThan(500);
  await over();
});

/** The description of an interface is in the function itself. */
const callsNothing = ({ routes }: RoutedFunction) => routes.includes('GET /v1/openapi.json');
/** A meter that cannot count blocks nobody. */
const servesWithout = ({ routes }: RoutedFunction) => routes.every((route) => / \/(v1|oauth)\//.test(route));

it.each(crashing(authorizers))(
  '$path is heard when it $crash, and without its permissions',
  async ({ path, crash }) => {
    const { cloud } = service;
    const { key } = await requests.made('accounts/demo/management-keys', { name: crash, scopes: ['read'] });
    // The gateway repeats what it was told less than a minute ago.
    aheadMillis += 61_000;
    cloud.faults.breakDown(path, crash);
    expect(await requests.listRules(key)).toBe(500);
    await heard('ApiErrors', 'edge');
    heal(path);
    expect(await requests.listRules(key)).toBe(200);
    await over();
    cloud.denyAll(path);
    expect(await requests.listRules(key)).toBe(503);
    await heard('ApiErrors', 'webhooks');
    heal(path);
    await over();
    expect(await requests.listRules(key)).toBe(200);
  },
);

it.each(crashing(scheduled))('$path is heard when it $crash, and without its permissions', async (one) => {
  const { cloud } = service;
  for (const hurt of [() => cloud.faults.breakDown(one.path, one.crash), () => cloud.denyAll(one.path)]) {
    hurt();
    cloud.runSchedule(one.schedule);
    await heard('WorkerErrors', one.domain);
    await settled();
    heal(one.path);
    cloud.runSchedule(one.schedule);
    await settled();
    await over();
  }
});

it('a sweeper that nobody calls is heard by its silence', async () => {
  await later(16);
  expect(allSounding()).toEqual([]);
  aheadMillis += 20 * 60_000;
  // At once: the schedules have not run yet.
  service.cloud.evaluateAlarms();
  expect(allSounding()).toEqual([expect.stringMatching(/^OldestDueRun.*Webhooks/)]);
  await later(1);
  expect(allSounding()).toEqual([]);
});

it.each(crashing(workers))('$path is heard when it $crash, loses a try, and without its permissions', async (one) => {
  const { cloud } = service;
  const { path, queue, deadLetters, domain } = one;
  cloud.faults.breakDown(path, one.crash);
  await queues.send(one);
  await queues.counted(deadLetters, (messages) => messages === 1);
  await heard('DeadLetters', domain);
  heal(path);
  await queues.purge(deadLetters);
  cloud.faults.kill(path, 'before-invoke');
  await queues.send(one);
  await heard('Faults', domain);
  await queues.emptied(queue);
  await over();
  cloud.denyAll(path);
  // Lambda waits for messages with the permission that it had when it began to wait: the first one still comes.
  await queues.send(one);
  await heard('Faults', domain);
  if (!isLane(one)) {
    await later(61);
    await heard('OldestWork', domain);
  }
  heal(path);
  await queues.emptied(queue);
  await over();
});

const isLane = ({ queue }: QueueWorker) => /(Fast|Slow)Deliveries/.test(queue);

it.each(workers.filter(isLane))(
  '$path that has no permissions is heard by the runs that wait',
  async ({ path, queue }) => {
    await later(16);
    expect(allSounding()).toEqual([]);
    const before = receiver.posts.length;
    service.cloud.denyAll(path);
    // Runs that failed once take the slow lane.
    if (queue.includes('Slow')) receiver.will({ status: 500 });
    await requests.announce();
    if (queue.includes('Slow'))
      await eventually(
        () => receiver.posts.length,
        (posts) => posts > before,
      );
    for (let minutes = 0; minutes < 8; minutes += 2) await later(2);
    expect(allSounding()).toContainEqual(expect.stringMatching(/^OldestDueRun.*Webhooks/));
    heal(path);
    await queues.emptied(queue);
    await later(1);
    await over();
  },
);

/** By then the sweeper of every domain has come twice, and found what the stream was not read for. */
const SWEPT_MINUTES = 140;

/** A change is told of, and what follows from it is done: the sweeper must not find it after the clock was moved. */
async function toldAgain(reader: Pick<StreamReader, 'domain' | 'path'>) {
  const { runIds = [], isReceived = () => true } = await requests.change(reader);
  await requests.delivered(runIds);
  await eventually(isReceived, (received) => received);
  // A message under way would come back, as one whose worker died, when the clock is moved.
  for (const { queue } of workers) await queues.emptied(queue);
}

/**
 * Lets the sweeper of the domain come, which hears what the stream did not tell, and tells it. In steps, each shorter than
 * a record may wait on the stream of another domain.
 */
async function swept(domain: string) {
  for (let minutes = 0; minutes < SWEPT_MINUTES && !sounding().some(isFaultOf(domain)); minutes += 2) await later(2);
  expect(sounding()).toContainEqual(expect.stringMatching(/^Faults/));
  await heard('Faults', domain);
}
const isFaultOf = (domain: string) => (one: string) => one.startsWith('Faults') && one.includes(domain);

/** What such a reader gives up after most of a day is told by nobody else. */
const isOnlyWitness = ({ givesUpMinutes }: Pick<StreamReader, 'givesUpMinutes'>) => givesUpMinutes > 60;

it.each(readers)('$path that has no permissions is heard by the sweeper', async ({ path, domain }) => {
  unread = domain;
  service.cloud.denyAll(path);
  await requests.change({ domain, path });
  for (const { queue } of workers) await queues.emptied(queue);
  await swept(domain);
  heal(path);
  await toldAgain({ domain, path });
  await over();
});

it.each(crashing(readers))('$path is heard when it $crash, and when it gives up', async ({ path, domain, ...one }) => {
  service.cloud.faults.breakDown(path, one.crash);
  unread = domain;
  await requests.change({ domain, path });
  for (const { queue } of workers) await queues.emptied(queue);
  await heard('WorkerErrors', domain);
  // Older than records may get.
  await later(one.givesUpMinutes + 1);
  await queues.counted(one.deadLetters, (messages) => messages > 0);
  await heard('DeadLetters', domain);
  heal(path);
  // The probe was given up as well, which is heard an hour later; the next one is read.
  probe.isLost = isOnlyWitness(one);
  if (probe.isLost) await later(61);
  else await swept(domain);
  probe.isLost = false;
  await toldAgain({ domain, path });
  // Only now: records that waited behind the first one are given up after it, one by one.
  await queues.purge(one.deadLetters);
  await over();
});

it.each(crashing(tasks))(
  '$path is heard when it $crash, and its record is decided when it works again',
  async (one) => {
    service.cloud.faults.breakDown(one.path, one.crash);
    const id = await requests.submitImage();
    // The last function is called when a person has decided, at the latest.
    const isLast = one.path.endsWith('ApplyVerdict');
    if (isLast) await requests.refuseImage(id);
    await heard('WorkerErrors', one.domain);
    heal(one.path);
    if (!isLast) await requests.refuseImage(id);
    // Longer than a state waits before it calls its function again.
    await later(2);
    await eventually(
      () => requests.imageStatus(id),
      (status) => status === 'invalid',
    );
    await over();
  },
);
