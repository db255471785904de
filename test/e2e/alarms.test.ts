/**
 * Breaks functions and queues of the template, has each called as it is in life, and hears an alarm that names the domain
 * it hurts; heals it, and hears the alarm end. `npm test` breaks functions of each kind and has each kind of crash once,
 * thorough tests break all functions in all ways. What is broken comes from the template: what is added to it fails here until it is said how it is called.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { localStacks } from '../support/cloud/local-assembly.ts';
import { eventually, invoke, later } from '../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../support/cloud/running-service.ts';
import { queuesOf, requestsTo } from '../support/cloud/service-calls.ts';
import {
  crashing,
  harmed,
  ofFewDomains,
  partsOf,
  type QueueWorker,
  type RoutedFunction,
  type StreamReader,
  type Way,
} from '../support/cloud/service-parts.ts';
import { outageFaults } from '../support/faults/planted-faults.ts';
import { stepsInOrder } from '../support/runner/steps-in-order.ts';
import { few, isThorough } from '../support/runner/thoroughness.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

stepsInOrder();

const folder = mkdtempSync(join(tmpdir(), 'alarms-'));
const parts = partsOf(await localStacks());
const { functions, routed, authorizers, workers, scheduled, readers, tasks } = parts;

let configuration: string;
let receiver: Receiver;
let service: RunningService;
let requests: ReturnType<typeof requestsTo>;
let queues: ReturnType<typeof queuesOf>;

beforeAll(async () => {
  receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    // Room for every function, all of which are called again and again.
    threads: 128,
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  requests = requestsTo(service, service.cloud.clock.millis);
  queues = queuesOf(service);
  const { id } = await requests.made('api-configurations', { name: 'Endpoint', targetUrl: `${receiver.url}/hook` });
  configuration = id;
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

/** The clock moves on, and the schedules that have become due run, once each. */
async function laterBy(minutes: number) {
  await later(service.cloud, minutes * 60_000);
  service.cloud.evaluateAlarms();
}

/** What sounds, without the alarms that sound because the clock was moved past the watch and past runs that are due. */
const sounding = () => allSounding().filter((one) => !/^(WatchAlarm|OldestDueRun)/.test(one));

const allSounding = () =>
  service.cloud
    .alarms()
    .filter(({ state }) => state === 'ALARM')
    .map(({ path, description }) => `${path.split('/').at(-1)}: ${description}`);

/** As text, all of which the report of a failure shows. */
const expectSilence = () => expect(sounding().join('\n')).toBe('');

/** Waits for an alarm that names the domain. None of another domain may sound. */
async function heard(alarm: string, domain: string) {
  // Of the whole stage, counted every three minutes; the log of the watch names the queue.
  if (alarm === 'DeadLetters') for (let minutes = 0; minutes < 3; minutes += 1) await laterBy(1);
  await eventually(
    service.cloud,
    () => {
      service.cloud.evaluateAlarms();
      return sounding();
    },
    // Of the busiest workers an alarm of their own.
    (all) => all.some((one) => one.replace(/^Busy/, '').startsWith(alarm)),
  );
  const others = sounding().filter(
    (one) => !new RegExp(`^(ApiErrors|ApiOutage|DeadLetters)|\\b${domain}\\b`).test(one),
  );
  expect(others.join('\n')).toBe('');
}

/** No data that breached is in any window any more. The schedules run with the next tick of the clock. */
async function over() {
  await service.cloud.settled();
  service.cloud.clock.advance(16 * 60_000);
  service.cloud.evaluateAlarms();
  // Each shard waits by itself before it tries again: what one gives up of an earlier harm may come at any time.
  if (sounding().some((one) => one.startsWith('DeadLetters'))) {
    for (const { deadLetters } of readers) await queues.purge(deadLetters);
    await laterBy(6);
  }
  expectSilence();
}

function harm({ path, way }: { readonly path: string; readonly way: Way }) {
  const { cloud } = service;
  if (way === 'loses its permissions') cloud.denyAll(path);
  else if (way === 'loses a try') cloud.faults.kill(path, 'before-invoke');
  else cloud.faults.breakDown(path, way);
}

function heal(path: string) {
  service.cloud.allow(path);
  service.cloud.faults.heal(path);
}
it('every function of the template is called in one of these ways', () => {
  const paths = [...routed, ...authorizers, ...workers, ...scheduled, ...readers, ...tasks].map(({ path }) => path);
  expect(paths.toSorted()).toEqual(functions.toSorted());
  const kinds = [routed, authorizers, workers, scheduled, readers, tasks];
  expect(Math.min(...kinds.map(({ length }) => length))).toBeGreaterThan(0);
  for (const one of routed) expect(requests.requestFor(one)).toBeTypeOf('function');
  for (const one of readers) expect(requests.changeFor(one)).toBeTypeOf('function');
});

/** The functions of these two answer alone, or serve without what they lost. */
const servesAlone = ({ domain }: RoutedFunction) => domain === 'edge' || domain === 'reference';
const harmedRouted = routed.filter((one) => isThorough || !servesAlone(one));

it('a healthy service that is used has no alarm, neither at once nor in ten quiet minutes', async () => {
  for (const one of ofFewDomains(harmedRouted)) expect(await requests.request(one), one.path).toBeLessThan(500);
  for (const { schedule } of scheduled) service.cloud.runSchedule(schedule);
  for (const one of ofFewDomains(workers)) await queues.send(one);
  await requests.announce();
  for (const { queue } of workers) await queues.emptied(queue);
  await service.cloud.settled();
  for (let minute = 0; minute <= 10; minute += 1) {
    await laterBy(Number(minute > 0));
    expect(allSounding()).toEqual([]);
  }
});

/** Moves the clock by single minutes until the alarms that sound are as expected, and returns how many that were. */
async function minutesUntil(isSo: (sounding: readonly string[]) => boolean): Promise<number> {
  for (let minutes = 1; minutes <= 10; minutes += 1) {
    await laterBy(1);
    if (isSo(allSounding())) return minutes;
  }
  throw new Error(`Another alarm sounds, or none: ${allSounding().join()}`);
}

it('the watch that has stopped is heard within five minutes, and another schedule too', async () => {
  for (const [schedule, alarm] of [
    ['WatchEveryMinute', /^WatchAlarm/],
    ['Records/WakeImportsEveryMinute', /^SchedulesAlarm/],
  ] as const) {
    // The watch allows for a time in which it did not run itself.
    await minutesUntil((all) => all.length === 0);
    service.cloud.enableSchedule(schedule, false);
    expect(await minutesUntil((all) => all.some((one) => alarm.test(one)))).toBeLessThanOrEqual(5);
    expect(allSounding()).toEqual([expect.stringMatching(alarm)]);
    service.cloud.enableSchedule(schedule, true);
  }
  await laterBy(1);
  await over();
});

it.each(harmed(harmedRouted, ['loses its permissions', 'crashes'], 'runs-out-of-memory'))(
  '$path is heard when it $way',
  async (one) => {
    harm(one);
    const status = await requests.request(one);
    if (one.way === 'loses its permissions') {
      if (!servesWithout(one) && !callsNothing(one)) {
        // 503 where the audit log is what it cannot write.
        expect(status).toBeGreaterThanOrEqual(500);
        // On AWS the permission to write logs, from which faults are counted, may be among those that are gone.
        await heard('ApiErrors', one.domain);
      }
      if (one.domain !== 'edge' && !callsNothing(one)) await heard('Faults', one.domain);
    } else {
      expect(status).toBeGreaterThanOrEqual(500);
      await heard('ApiErrors', one.domain);
    }
    heal(one.path);
    expect(await requests.request(one)).toBeLessThan(500);
    await over();
  },
);

/** Answered by the function alone: descriptions, who the caller is, and the console where nobody has signed in. */
const ALONE = [
  'GET /',
  'GET /v1/openapi.json',
  'GET /manage/v1/me',
  'GET /manage/v1/schemas',
  'GET /manage/v1/modules',
  'GET /console',
];
const callsNothing = ({ routes }: RoutedFunction) => ALONE.some((route) => routes.includes(route));
/** A meter that cannot count blocks nobody. */
const servesWithout = (one: RoutedFunction) =>
  callsNothing(one) || one.routes.every((route) => / \/(v1|oauth)\//.test(route));

it.each(harmed(authorizers, ['loses its permissions', 'crashes'], 'throws'))(
  '$path is heard when it $way',
  async (one) => {
    const { key } = await requests.made('accounts/demo/management-keys', { name: one.way, scopes: ['read'] });
    // The gateway repeats what it was told less than a minute ago.
    service.cloud.clock.advance(61_000);
    harm(one);
    const isDenied = one.way === 'loses its permissions';
    expect(await requests.listRules(key)).toBe(isDenied ? 503 : 500);
    await heard('ApiErrors', isDenied ? 'webhooks' : 'edge');
    heal(one.path);
    // What it could not look up it does not remember.
    if (!isDenied) expect(await requests.listRules(key)).toBe(200);
    await over();
    expect(await requests.listRules(key)).toBe(200);
  },
);

it.each(harmed(scheduled, ['crashes', 'loses its permissions'], 'fails-to-load'))(
  '$path is heard when it $way',
  async (one) => {
    harm(one);
    service.cloud.runSchedule(one.schedule);
    await heard(one.domain === 'edge' ? 'Schedules' : 'WorkerErrors', one.domain);
    await service.cloud.settled();
    heal(one.path);
    service.cloud.runSchedule(one.schedule);
    await service.cloud.settled();
    await over();
  },
);

/** Others of these: `npm run test:long`. */
const PLANTED = /^(imports may not read|an execution ends with)/;

it('faults of AWS are heard within five minutes', async () => {
  const endpoint = { millis: 0, configuration };
  const plant = { service, requests, queues, endpoint, parts };
  const faults = outageFaults(plant).filter(({ name }) => PLANTED.test(name));
  expect(faults).toHaveLength(2);
  for (const fault of faults) {
    const end = await fault.plant();
    try {
      await fault.use?.();
      await service.cloud.settled();
      service.cloud.evaluateAlarms();
      const [, alarm] = fault.alarm.split('/');
      expect(sounding()).toContainEqual(expect.stringMatching(`^${alarm}Alarm`));
    } finally {
      await end();
    }
    await over();
  }
});

it.each(harmed(workers, ['crashes', 'loses a try', 'loses its permissions'], 'throws'))(
  '$path is heard when it $way',
  async (one) => {
    const { path, queue, deadLetters, domain } = one;
    harm(one);
    await queues.send(one);
    if (one.way === 'loses its permissions') {
      // Lambda cannot read the queue for it. Whatever is handed to it fails at its first call.
      await queues.handOver(one);
      await heard('Faults', domain);
    } else if (one.way === 'loses a try') {
      await heard('WorkerErrors', domain);
      await heard('Faults', domain);
    } else {
      // Long before the message is given up: the clock has not moved.
      await heard('WorkerErrors', domain);
      await queues.counted(deadLetters, (messages) => messages === 1);
      // What schedules send while the clock moves ends well.
      heal(path);
      await heard('DeadLetters', domain);
      await queues.purge(deadLetters);
    }
    if (one.way === 'loses its permissions' && !isLane(one)) {
      await laterBy(61);
      await heard('OldestWork', domain);
    }
    heal(path);
    await queues.emptied(queue);
    await over();
  },
);

const isLane = ({ queue }: QueueWorker) => /(Fast|Slow)Deliveries/.test(queue);

const [fast, slow] = workers.filter(isLane);

it.each(few([fast!], [slow!]))(
  '$path that has no permissions is heard by the runs that wait',
  async ({ path, queue }) => {
    await laterBy(16);
    expect(allSounding()).toEqual([]);
    const before = receiver.posts.length;
    service.cloud.denyAll(path);
    // Runs that failed once take the slow lane.
    if (queue.includes('Slow')) receiver.will({ status: 500 });
    await requests.announce();
    if (queue.includes('Slow'))
      await eventually(
        service.cloud,
        () => receiver.posts.length,
        (posts) => posts > before,
      );
    for (let minutes = 0; minutes < 8; minutes += 2) await laterBy(2);
    expect(allSounding()).toContainEqual(expect.stringMatching(/^OldestDueRun.*Webhooks/));
    heal(path);
    await queues.emptied(queue);
    await laterBy(1);
    await over();
  },
);

/** By then the sweeper of every domain has come twice, and found what the stream was not read for. */
const SWEPT_MINUTES = 140;

/** A change is told of, and what follows from it is done: the sweeper must not find it after the clock was moved. */
async function toldAgain(reader: Pick<StreamReader, 'domain' | 'path'>) {
  const { runIds = [], isReceived = () => true } = await requests.change(reader);
  await requests.delivered(runIds);
  await eventually(service.cloud, isReceived, (received) => received);
  // A message under way would come back, as one whose worker died, when the clock is moved.
  for (const { queue } of workers) await queues.emptied(queue);
}

/** Lets the sweeper of the domain come, which finds what the stream did not announce, and announces it. */
async function swept(domain: string) {
  for (let minutes = 0; minutes < SWEPT_MINUTES && !sounding().some(isFaultOf(domain)); minutes += 20)
    await laterBy(20);
  expect(sounding()).toContainEqual(expect.stringMatching(/^Faults/));
  await heard('Faults', domain);
}
const isFaultOf = (domain: string) => (one: string) => one.startsWith('Faults') && one.includes(domain);

/** What such a reader gives up after most of a day is told by nobody else. */
const isOnlyWitness = ({ givesUpMinutes }: Pick<StreamReader, 'givesUpMinutes'>) => givesUpMinutes > 60;

/** Takes hours of the clock. What a crashed one below has given up, sweepers and probes find as well. */
it.each(few([], readers))('$path that has no permissions is heard by the sweeper', async ({ path, domain }) => {
  service.cloud.denyAll(path);
  await requests.change({ domain, path });
  for (const { queue } of workers) await queues.emptied(queue);
  await swept(domain);
  heal(path);
  await toldAgain({ domain, path });
  await over();
});

/** Every hour something that nobody needs is written for it, to see that it is read. */
const isProbed = (path: string) => path.includes('/Announce');

/** One that a sweeper stands behind, and one that is the only witness: others of each differ in their names only. */
const crashedReaders = crashing(readers).filter(
  (one, n, all) => isThorough || all.findIndex((other) => isOnlyWitness(other) === isOnlyWitness(one)) === n,
);

it.each(crashedReaders)('$path is heard when it $crash, and when it gives up', async ({ path, domain, ...one }) => {
  service.cloud.faults.breakDown(path, one.crash);
  await requests.change({ domain, path });
  for (const { queue } of workers) await queues.emptied(queue);
  await heard('WorkerErrors', domain);
  // Older than records may get.
  await laterBy(one.givesUpMinutes + 1);
  await queues.counted(one.deadLetters, (messages) => messages > 0);
  await heard('DeadLetters', domain);
  heal(path);
  // The probe was given up as well, which is heard an hour later; the next one is read.
  if (isOnlyWitness(one)) {
    await laterBy(61);
    if (isProbed(path)) await heard('Faults', domain);
  } else await swept(domain);
  await toldAgain({ domain, path });
  // Only now: records that waited behind the first one are given up after it, one by one.
  await queues.purge(one.deadLetters);
  await over();
});

it.each(tasks.slice(0, 1))('$path is heard when it throws', async ({ path, domain }) => {
  service.cloud.faults.breakDown(path, 'throws');
  await invoke(service.cloud, service.cloud.functionName(path), {});
  await heard('WorkerErrors', domain);
  heal(path);
  await over();
});

/** The last function is called when a person has decided, at the latest. */
const isLast = ({ path }: { readonly path: string }) => path.endsWith('ApplyVerdict');

/** `images/workflow/validation-run` shows, too, that a machine continues after a crash of each of its functions. */
it.each(few([], crashing(tasks)))(
  '$path is heard when it $crash, and its record is decided when it works again',
  async (one) => {
    service.cloud.faults.breakDown(one.path, one.crash);
    const id = await requests.submitImage();
    if (isLast(one)) await requests.refuseImage(id);
    await heard('WorkerErrors', one.domain);
    heal(one.path);
    if (!isLast(one)) await requests.refuseImage(id);
    // Longer than a state waits before it calls its function again.
    await laterBy(2);
    await eventually(
      service.cloud,
      () => requests.imageStatus(id),
      (status) => status === 'invalid',
    );
    await over();
  },
);
