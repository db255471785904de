/**
 * Kills the functions of the running service at the points of a delivery, and as they park a run, pass a slot on and take
 * one: a run ends all the same, every POST that the endpoint saw is in the log, and all of them carry the same key and the
 * same bytes. `npm test` has a death for each way in which AWS makes a run go on afterwards: the caller, the stream, the
 * queue and the sweeper. All points are tried without the service, in `deliver-run`, `sweep-runs` and
 * `parking.dynamodb.test.ts` of `test/webhooks/deliveries` and in `test/webhooks/events/trigger-runs.dynamodb.test.ts`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Death } from '../../../cdk/local/lambda/faults.ts';
import { clientOptions, eventually, invoke } from '../../support/cloud/local-cloud.ts';
import { type RunningService, startService } from '../../support/cloud/running-service.ts';
import { polled } from '../../support/runner/machine-time.ts';
import { few, isThorough } from '../../support/runner/thoroughness.ts';
import { type Answer, type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';

/** What the endpoint waits for before it answers. */
type Delay = Promise<unknown> | 'hang';
/** An answer, or something that happens while the endpoint has the POST, and then an answer. */
type Reaction = Answer | (() => Answer);

const folder = mkdtempSync(join(tmpdir(), 'webhook-faults-'));
/** As the local stage has them. */
const SLOTS = 4;
/** What the endpoint does with the coming POSTs, by path. */
const reactions = new Map<string, Reaction[]>();
let receiver: Receiver;
let service: RunningService;
let acme: WebhookTenant;
let sqs: SQSClient;
let queues: Record<'fast' | 'slow', string>;

beforeAll(async () => {
  receiver = await startReceiver({ answer: ({ path }) => next(path), now: () => service.cloud.clock.now() });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'Webhooks/' });
  acme = await webhookTenant(service, 'acme');
  sqs = new SQSClient(clientOptions(service.cloud));
  queues = { fast: await queueUrl('WebhooksFastDeliveriesQueue'), slow: await queueUrl('WebhooksSlowDeliveriesQueue') };
});
afterAll(async () => {
  await service?.close();
  await receiver?.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  expect(service.cloud.faults.pending).toBe(0);
  await settled();
});

function next(path: string): Answer {
  const reaction = reactions.get(path)?.shift() ?? { status: 200 };
  if (typeof reaction !== 'function') return reaction;
  return reaction();
}

async function queueUrl(id: string): Promise<string> {
  const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand({}));
  const matches = urls.filter((url) => url.includes(id));
  if (matches.length !== 1) throw new Error(`${matches.length} queues are named ${id}: ${urls.join(', ')}`);
  return matches[0] ?? '';
}

/** One run of its own rule, and what happens to it. */
async function scene(configuration: Record<string, unknown> = {}, ...answers: Reaction[]) {
  const path = `/${crypto.randomUUID()}`;
  reactions.set(path, answers);
  const { faults } = service.cloud;
  const webhook = await acme.webhook(receiver.url + path, { retryTimeoutSeconds: 10, ...configuration });
  const event = { recordId: path.slice(1), id: path.slice(1) };
  const announce = () =>
    acme.call('POST', 'events', {
      module: 'dsar',
      trigger: 'DSAR starts',
      recordType: 'subject request',
      ...event,
    });
  const posts = () => receiver.posts.filter((post) => post.path === path);
  const log = async () => (await acme.get(`runs?configuration=${webhook.configuration}`)).items;

  return {
    announce,
    posts,
    log,
    configuration: webhook.configuration,

    /** Announces the event and returns the id of the run. */
    begin: async (): Promise<string> => {
      const answer = await announce();
      expect(answer.status, answer.text).toBe(202);
      // Later scenes announce events of the same kind.
      await acme.call('DELETE', `rules/${webhook.rule}`);
      return answer.json.runIds[0];
    },

    /** The next invocations of a function die, each at its moment; waits until they have. */
    async dies<T>(functionName: string, deaths: readonly Death[], work: () => Promise<T>): Promise<T> {
      for (const death of deaths) faults.kill(functionName, death);
      const result = await work();
      await eventually(
        service.cloud,
        () => faults.pending,
        (pending) => pending === 0,
      );
      return result;
    },

    posted: (count: number) => receiver.posted(path, count),

    /** A message as this service sends them, or another one. */
    send: (lane: 'fast' | 'slow', run: string, own: Record<string, unknown> = {}) =>
      sqs.send(
        new SendMessageCommand({
          QueueUrl: queues[lane],
          MessageBody: JSON.stringify({
            v: 1,
            tenant: 'acme',
            run,
            attempt: 1,
            configuration: webhook.configuration,
            ...own,
          }),
        }),
      ),

    async status(run: string): Promise<string> {
      return (await acme.get(`runs/${run}`)).status;
    },

    /** The end of the run and what there is to see of it: no POST without its line, and all POSTs the same. */
    async ended(run: string) {
      const { status, idempotencyKey, payload, error, attempts, maxAttempts } = await acme.ended(run);
      const lines: Record<string, unknown>[] = await acme.attempts(run);
      const seen = posts();
      for (const post of seen) {
        expect(post.headers['x-service-idempotency-key']).toBe(idempotencyKey);
        expect(post.body.toString()).toBe(payload);
      }
      const places = lines.map(({ attempt, part }) => `${String(attempt)}.${String(part)}`);
      expect(new Set(places).size).toBe(places.length);
      expect(attempts).toBeLessThanOrEqual(maxAttempts);
      if (status === 'COMPLETED') {
        expect(lines.some(({ responseCode }) => Number(responseCode) >= 200 && Number(responseCode) < 300)).toBe(true);
      }
      return { status, error, lines: lines.map(({ outcome }) => outcome), posts: seen.length };
    },
  };
}

/** An endpoint that takes its time for the first POSTs. */
async function slowScene(...waits: readonly Delay[]) {
  const path = `/${crypto.randomUUID()}`;
  reactions.set(
    path,
    waits.map((after) => (after === 'hang' ? 'hang' : { status: 200, after })),
  );
  const trigger = 'Task is completed';
  const webhook = await acme.webhook(receiver.url + path, {
    retryTimeoutSeconds: waits.includes('hang') ? 10 : 60,
    maxAttempts: 1,
    rule: { trigger },
  });
  const runs: string[] = [];
  const posts = () => receiver.posts.filter((post) => post.path === path);
  return {
    posts,
    runs,
    /** Runs that have been posted and have not ended. */
    async underWay() {
      let count = 0;
      // One after the other: at once, each read would start a function of its own.
      for (const run of runs) {
        const { status, attempts } = await acme.get(`runs/${run}`);
        if (attempts > 0 && status === 'IN_PROGRESS') count += 1;
      }
      return count;
    },
    /** One run more. */
    async announce() {
      const [run = ''] = await acme.announce({ trigger });
      runs.push(run);
      return run;
    },
    begun: (count: number) => receiver.posted(path, count),
    parked: (run: string) =>
      polled(
        () => acme.get(`runs/${run}`),
        ({ waitsForEndpoint }) => waitsForEndpoint,
      ),
    /** Later scenes announce events of the same kind. */
    close: () => acme.call('DELETE', `rules/${webhook.rule}`),
    /** All have been posted once, and but for one that timed out have succeeded. */
    async delivered(lost?: string) {
      const ends: unknown[] = [];
      for (const run of runs) {
        const { status } = await acme.ended(run);
        ends.push([status, (await acme.attempts(run)).map(({ outcome }: Record<string, unknown>) => outcome)]);
      }
      expect(ends).toEqual(runs.map((run) => (run === lost ? ['FAILED', ['timeout']] : ['COMPLETED', ['succeeded']])));
      expect(posts()).toHaveLength(runs.length);
    },
  };
}

const dead = () =>
  polled(
    () => service.cloud.faults.pending,
    (pending) => pending === 0,
  );

/** A worker that is silent for a minute is taken for dead: slots and leases have run out, and the sweeper looks. */
async function aMinuteLater() {
  service.cloud.clock.advance(65_000);
  await invoke(service.cloud, service.cloud.functionName('SweepRuns'), {});
}

/** The function that reads the stream of the table. Refusals by throttling would be used up while the clock moves. */
const DISPATCHER = 'Webhooks/DispatchRuns';

/** The stream of the table is not read while this lasts. Then what it has announced meanwhile is sent and handled. */
async function withoutDispatcher<T>(work: () => Promise<T>): Promise<T> {
  service.cloud.denyAll(DISPATCHER);
  try {
    return await work();
  } finally {
    await dispatcherReturns();
  }
}
async function dispatcherReturns() {
  service.cloud.allow(DISPATCHER);
  await settled();
}

/** A row of a table of tests. Rows of deaths are few, because every death starts a thread anew. */
const thorough = <Row extends unknown[]>(...row: Row): Row[] => (isThorough ? [row] : []);
const sending = (call: number): Death => ({ call, moment: 'sending' });
const answered = (call: number): Death => ({ call, moment: 'answered' });
/** The calls of one delivery, by number, when nothing goes wrong. There is no secret, so that KMS is not called. */
const READ_RUN = 1;
const TAKE_SLOT = 3;
const CLAIM = 6;
const WRITE_LINE = 7;
const FINISH = 8;
const LEAVE_SLOT = 9;

const once = { status: 'COMPLETED', error: null, lines: ['succeeded'], posts: 1 };

describe('a run is made once', () => {
  it('1: when its maker dies before it is stored, and the event comes again', async () => {
    const at = await scene();
    // The account, the quota, rules, the rules themselves, the configuration, the payload: then the run.
    for (const death of few([answered(6)], [1, 2, 3, 4, 5, 6, 7].map(sending))) {
      await at.dies('Webhooks/Events', [death], async () =>
        expect((await at.announce()).status).toBeGreaterThanOrEqual(500),
      );
      expect(await at.log()).toEqual([]);
    }
    expect(await at.ended(await at.begin())).toEqual(once);
  });

  it('2: when its maker dies after that, and it is never announced: the sweeper sends it', async () => {
    const at = await scene();
    const run = await withoutDispatcher(async () => {
      service.cloud.faults.kill('Webhooks/Events', answered(7));
      expect((await at.announce()).status).toBeGreaterThanOrEqual(500);
      const [{ id }] = await eventually(service.cloud, at.log, (items) => items.length === 1);
      expect(at.posts()).toEqual([]);
      await aMinuteLater();
      expect(await at.ended(id)).toEqual(once);
      return id;
    });
    // The event again, and the announcement, which comes late or is given up as too old: nothing new.
    expect(await at.begin()).toBe(run);
    expect(await at.ended(run)).toEqual(once);
  });
});

describe('a run that is posted once', () => {
  it.each(
    few<[what: string, functionName: string, deaths: readonly Death[]]>(
      [
        ['3: the dispatcher dies after it has sent the message', 'DispatchRuns', [answered(1)]],
        ['11: the worker dies after it has completed the run', 'DeliverFast', [answered(FINISH)]],
      ],
      [
        ['5: the worker dies with a slot and without a claim', 'DeliverFast', [sending(CLAIM)]],
        ['3: the dispatcher dies before it sends the message', 'DispatchRuns', [sending(1), 'before-invoke']],
        [
          '5: the worker dies between the message and the claim',
          'DeliverFast',
          [answered(READ_RUN), 'before-invoke', sending(READ_RUN), sending(TAKE_SLOT)],
        ],
        ['5: the worker dies as it has taken a slot', 'DeliverFast', [answered(TAKE_SLOT)]],
        ['11: the worker dies as it returns its slot', 'DeliverFast', [sending(LEAVE_SLOT)]],
        ['11: the worker dies before the message is deleted', 'DeliverFast', ['after-result']],
      ],
    ),
  )('%s', async (_what, functionName, deaths) => {
    const at = await scene();
    const run = await at.dies(functionName, deaths, at.begin);
    expect(await at.ended(run)).toEqual(once);
    for (const lane of ['fast', 'slow', 'fast'] as const) await at.send(lane, run);
    await emptied();
    expect(await at.ended(run)).toEqual(once);
  });

  it.runIf(isThorough)('3: every record and every message is handled twice at the same time', async () => {
    const { faults } = service.cloud;
    const at = await scene();
    faults.deliverTwice('DispatchRuns', { together: true });
    faults.deliverTwice('DeliverFast', { together: true });
    faults.deliverTwice('DeliverFast', { together: true });
    const run = await at.begin();
    await eventually(
      service.cloud,
      () => faults.pending,
      (pending) => pending === 0,
    );
    expect(await at.ended(run)).toEqual(once);
  });

  // That it is given up, `alarms.test.ts` shows for every stream, and 2 that the sweeper finds the run.
  it.runIf(isThorough)('4: the record of the stream is given up: the sweeper finds the run', async () => {
    const { faults } = service.cloud;
    const at = await scene();
    const givenUp = await queueUrl('WebhooksRunChangesGivenUp');
    const before = await countOf(givenUp);
    for (let deaths = 0; deaths < 8; deaths += 1) faults.kill('DispatchRuns', 'before-invoke');
    const run = await at.begin();
    await eventually(
      service.cloud,
      () => faults.pending,
      (pending) => pending < 8,
    );
    // Too old to be tried once more.
    service.cloud.clock.advance(660_000);
    await eventually(
      service.cloud,
      () => countOf(givenUp),
      (count) => count === before + 1,
    );
    faults.clear();
    await aMinuteLater();
    expect(await at.ended(run)).toEqual(once);
  });

  it.runIf(isThorough)('6: the worker dies with a claim, before it connects', async () => {
    const at = await scene();
    const run = await at.dies('DeliverFast', [answered(CLAIM)], at.begin);
    await emptied();
    expect(at.posts()).toEqual([]);
    await aMinuteLater();
    expect(await at.ended(run)).toEqual({ ...once, lines: ['interrupted', 'succeeded'] });
  });

  it.runIf(isThorough)('13: the sweeper dies between sending and recording', async () => {
    const at = await scene();
    await withoutDispatcher(async () => {
      const run = await at.begin();
      // Two counts, sixteen shards of the index, the run, the account: then it sends.
      service.cloud.faults.kill('SweepRuns', answered(21));
      await aMinuteLater();
      expect(await at.ended(run)).toEqual(once);
      await aMinuteLater();
      await emptied();
      expect(await at.ended(run)).toEqual(once);
    });
  });

  it.runIf(isThorough)('20: the workers of its message die until it ends among the dead letters', async () => {
    const at = await scene();
    const before = await countOf(service.cloud.outputs['DeadLettersFastDeliveries'] ?? '');
    const deaths = Array.from({ length: 5 }, (): Death => 'before-invoke');
    const run = await at.dies('DeliverFast', deaths, at.begin);
    await eventually(
      service.cloud,
      () => countOf(service.cloud.outputs['DeadLettersFastDeliveries'] ?? ''),
      (count) => count === before + 1,
    );
    expect(await at.status(run)).toBe('CREATED');
    await aMinuteLater();
    expect(await at.ended(run)).toEqual(once);
  });

  it('22: its message is of another version: it is left to the sweeper, and does not become a dead letter', async () => {
    const at = await scene();
    await withoutDispatcher(async () => {
      const dead = await countOf(service.cloud.outputs['DeadLettersFastDeliveries'] ?? '');
      const run = await at.begin();
      for (const v of [0, 2, undefined]) await at.send('fast', run, { v });
      await emptied();
      expect(await at.status(run)).toBe('CREATED');
      expect(await countOf(service.cloud.outputs['DeadLettersFastDeliveries'] ?? '')).toBe(dead);
      await aMinuteLater();
      expect(await at.ended(run)).toEqual(once);
    });
  });
});

describe('an attempt whose worker is lost is made again, with the same key', () => {
  it.each([
    ['7: during the POST', 'hang'],
    ...thorough('19: by a lack of memory during the answer', {
      drip: { first: 'HTTP/1.1 200 OK\r\n\r\n', piece: '.', everyMillis: 50 },
    }),
  ] satisfies [string, Answer][])('%s', async (_what, answer) => {
    const at = await scene({}, answer);
    const run = await at.begin();
    await at.posted(1);
    expect(await service.cloud.faults.killRunning('DeliverFast')).toBe(1);
    await emptied();
    await aMinuteLater();
    expect(await at.ended(run)).toEqual({ ...once, lines: ['interrupted', 'succeeded'], posts: 2 });
  });

  it.runIf(isThorough)('8: before the answer is recorded', async () => {
    const at = await scene();
    const run = await at.dies('DeliverFast', [sending(WRITE_LINE)], at.begin);
    await emptied();
    expect(await at.status(run)).toBe('IN_PROGRESS');
    await aMinuteLater();
    expect(await at.ended(run)).toEqual({ ...once, lines: ['interrupted', 'succeeded'], posts: 2 });
  });

  it.runIf(isThorough).each<[string, Death]>([
    ['8: not when the answer is recorded', answered(WRITE_LINE)],
    ['18: not as it finishes', sending(FINISH)],
  ])('%s: the run ends by the line', async (_what, death) => {
    const at = await scene();
    const run = await at.dies('DeliverFast', [death], at.begin);
    await emptied();
    expect(await at.status(run)).toBe('IN_PROGRESS');
    // Those that take over die as well, at each of their calls: they read the run, the account and the line, and finish the run.
    await at.dies('DeliverFast', [answered(3), ...[1, 2, 3, 4].map(sending)], aMinuteLater);
    expect(await at.ended(run)).toEqual(once);
  });

  it.runIf(isThorough)('19: at most twice; then it has failed', async () => {
    const at = await scene({ maxAttempts: 1 }, 'hang', 'hang', 'hang');
    const run = await at.begin();
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      await at.posted(deaths);
      // The message that comes back and that of the sweeper: the worker that takes over, and one that finds it at work.
      expect(await service.cloud.faults.killRunning('DeliverFast')).toBeGreaterThanOrEqual(1);
      await emptied();
      await aMinuteLater();
    }
    const lines = ['interrupted', 'interrupted', 'interrupted'];
    expect(await at.ended(run)).toEqual({ status: 'FAILED', error: 'interrupted', lines, posts: 3 });
  });

  it.runIf(isThorough).each<[string, number, string, string]>([
    ['completed', 200, 'COMPLETED', 'succeeded'],
    ['failed', 400, 'FAILED', 'http_status'],
  ])(
    '12: and a slow worker that comes back late does not change that it has %s',
    async (_how, status, end, outcome) => {
      const gate = Promise.withResolvers<void>();
      // The slow worker waits for the gate in real time, and a busy machine may take long to open it.
      const slow = { maxAttempts: 1, retryTimeoutSeconds: 30 };
      const at = await scene(slow, { status: 200, after: gate.promise }, { status });
      const run = await at.begin();
      await at.posted(1);
      await aMinuteLater();
      await polled(
        () => acme.get(`runs/${run}`),
        (seen) => seen.status === end && seen.responseCode === status,
      );
      gate.resolve();
      await service.cloud.settled();
      const late = (line: Record<string, unknown>) => [line['part'], line['outcome'], line['late']];
      expect((await acme.attempts(run)).map(late)).toEqual([
        [0, 'succeeded', true],
        [1, outcome, false],
      ]);
      expect(await at.ended(run)).toMatchObject({ status: end, posts: 2 });
    },
  );
});

describe('a retry comes', () => {
  const twice = { ...once, lines: ['http_status', 'succeeded'], posts: 2 };
  const failing = { status: 500 };
  const silencing = () => {
    service.cloud.denyAll(DISPATCHER);
    return failing;
  };

  it.runIf(isThorough)('9: when it is never announced and the sweeper sends it', async () => {
    const at = await scene({ retryIntervalSeconds: 1 }, silencing);
    const run = await at.begin();
    await at.posted(1);
    await emptied();
    await aMinuteLater();
    expect(await at.ended(run)).toEqual(twice);
    await dispatcherReturns();
    expect(await at.ended(run)).toEqual(twice);
  });

  it.runIf(isThorough)(
    '9: when it is never announced and the message of the previous attempt comes again',
    async () => {
      const at = await scene({ retryIntervalSeconds: 1 }, silencing);
      const run = await at.begin();
      await at.posted(1);
      await emptied();
      await at.send('fast', run);
      expect(await at.ended(run)).toEqual(twice);
      await dispatcherReturns();
      expect(await at.ended(run)).toEqual(twice);
    },
  );

  it.runIf(isThorough)('10: once, when the worker dies after it was announced', async () => {
    const at = await scene({ retryIntervalSeconds: 1 }, failing);
    const run = await at.dies('DeliverFast', ['after-result'], at.begin);
    expect(await at.ended(run)).toEqual(twice);
  });

  it.runIf(isThorough)(
    '14: not at all, when its configuration was deleted meanwhile: the run fails, and says why',
    async () => {
      const at = await scene({ retryIntervalSeconds: 3 }, failing);
      const run = await at.begin();
      await at.posted(1);
      await acme.withdraw(at.configuration);
      expect(await at.ended(run)).toEqual({
        status: 'FAILED',
        error: 'config_missing',
        lines: ['http_status'],
        posts: 1,
      });
    },
  );

  it('17: when the queue takes nothing for a while', async () => {
    const at = await scene({ retryIntervalSeconds: 0 }, failing);
    const { Attributes: { QueueArn: arn } = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: queues.slow, AttributeNames: ['QueueArn'] }),
    );
    const deny = { Effect: 'Deny', Principal: '*', Action: 'sqs:SendMessage', Resource: arn };
    await policyOf(queues.slow, JSON.stringify({ Version: '2012-10-17', Statement: [deny] }));
    const run = await at.begin();
    await at.posted(1);
    await emptied();
    expect(await at.status(run)).toBe('IN_PROGRESS');
    await eventually(
      service.cloud,
      () => JSON.stringify(service.cloud.logsOf('DispatchRuns')),
      (lines) => lines.includes('AccessDenied'),
    );
    await policyOf(queues.slow, '');
    await aMinuteLater();
    expect(await at.ended(run)).toEqual(twice);
  });

  it.runIf(isThorough)('17: within a minute of its time, when all messages are lost', async () => {
    const at = await scene({ retryIntervalSeconds: 30 }, failing);
    const run = await at.begin();
    await at.posted(1);
    await eventually(
      service.cloud,
      () => countOf(queues.slow, 'ApproximateNumberOfMessagesDelayed'),
      (count) => count === 1,
    );
    await emptied(queues.fast);
    for (const url of Object.values(queues)) await sqs.send(new PurgeQueueCommand({ QueueUrl: url }));
    await aMinuteLater();
    expect(await at.ended(run)).toEqual(twice);
  });

  it.runIf(isThorough)('21: never early, when a message is', async () => {
    const at = await scene({ retryIntervalSeconds: 3 }, failing);
    const run = await at.begin();
    await at.posted(1);
    await eventually(
      service.cloud,
      async () => (await acme.get(`runs/${run}`)).nextAttemptAt,
      (due) => due !== null,
    );
    for (let copies = 0; copies < 3; copies += 1) await at.send('slow', run, { attempt: 2 });
    expect(await at.ended(run)).toEqual(twice);
    const [first, second] = at.posts();
    expect(second!.at.getTime() - first!.at.getTime()).toBeGreaterThanOrEqual(3_000);
  });
});

describe('a replay', () => {
  // In `npm test`, `run-store.dynamodb.test.ts` shows it without the service.
  it.runIf(isThorough)(
    '15, 16: counts exactly when it exists, and resolves its original exactly when it has completed',
    async () => {
      const at = await scene({ maxAttempts: 1 }, { status: 500 });
      const original = await at.begin();
      expect(await at.ended(original)).toMatchObject({ status: 'FAILED', posts: 1 });
      const replay = () => acme.call('POST', `runs/${original}/replay`);
      const replays = async () =>
        (await at.log()).filter((run: Record<string, unknown>) => run['replayOf'] === original);
      // The line of the audit log, the account, the original, its payload, its configuration, the payload again: then
      // replay and counter in one.
      for (const death of few([answered(6)], [1, 2, 3, 4, 5, 6, 7].map(sending))) {
        await at.dies('Webhooks/Runs', [death], async () =>
          expect((await replay()).status).toBeGreaterThanOrEqual(500),
        );
        expect(await replays()).toEqual([]);
        expect(await acme.get(`runs/${original}`)).toMatchObject({ replays: 0, resolved: false });
      }
      // The worker that is to deliver it dies as it finishes; the one that takes over has finished it by its line.
      if (isThorough) service.cloud.faults.kill('DeliverFast', sending(FINISH));
      service.cloud.faults.kill('Webhooks/Runs', answered(7));
      expect((await replay()).status).toBeGreaterThanOrEqual(500);
      const [{ id }] = await eventually(service.cloud, replays, (items) => items.length === 1);
      expect((await acme.get(`runs/${original}`)).replays).toBe(1);
      if (isThorough) {
        await eventually(
          service.cloud,
          () => service.cloud.faults.pending,
          (pending) => pending === 0,
        );
        await emptied();
        expect(await at.status(id)).toBe('IN_PROGRESS');
        expect(await acme.get(`runs/${original}`)).toMatchObject({ resolved: false, resolvedBy: null });
        service.cloud.faults.kill('DeliverFast', answered(4));
        await aMinuteLater();
      }
      expect(await at.ended(id)).toEqual({ ...once, posts: 2 });
      expect(await acme.get(`runs/${original}`)).toMatchObject({ resolved: true, resolvedBy: id, replays: 1 });
      await emptied();
    },
  );
});

describe('a run that finds no room is delivered once', () => {
  it.runIf(isThorough)('whatever its worker dies at', async () => {
    const gate = Promise.withResolvers<void>();
    const at = await slowScene(...Array.from({ length: SLOTS }, () => gate.promise));
    for (let n = 0; n < SLOTS; n += 1) await at.announce();
    await at.begun(SLOTS);
    // It reads the run and the account, asks for a slot, notes that it is about to park the run, parks it, and looks at the slots.
    const calls = [1, 2, 3, 4, 5, 6].flatMap((call) => [sending(call), answered(call)]);
    for (const death of ['after-result', ...calls] satisfies Death[]) {
      service.cloud.faults.kill('DeliverFast', death);
      const run = await at.announce();
      await dead();
      await at.parked(run);
    }
    await at.close();
    gate.resolve();
    await at.delivered();
  });
});

describe('runs that wait for a slot are delivered once', () => {
  it.each(few([sending(9)], [answered(9), ...[10, 11, 12, 13, 14].map(sending), answered(13), answered(14)]))(
    'when the worker that returns one dies: %o',
    async (death) => {
      const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const at = await slowScene(first.promise, others.promise, others.promise, others.promise);
      service.cloud.faults.kill('DeliverFast', death);
      await at.announce();
      await at.begun(1);
      for (let n = 1; n < SLOTS; n += 1) await at.announce();
      await at.begun(SLOTS);
      const waiting = [await at.announce(), await at.announce()];
      for (const run of waiting) await at.parked(run);
      await at.close();
      first.resolve();
      await dead();
      others.resolve();
      // The others have passed theirs on; nobody else holds an attempt when the time leaps.
      for (const run of at.runs.slice(0, SLOTS)) await acme.ended(run);
      await eventually(
        service.cloud,
        () => at.underWay(),
        (count) => count === 0,
      );
      await aMinuteLater();
      await at.delivered();
    },
  );

  // It takes the time of a timeout each.
  it.runIf(isThorough).each([sending(1), answered(1), sending(2), answered(2), sending(3), answered(3)])(
    'when the worker that was given one dies: %o',
    async (death) => {
      // A timeout sends those that follow to the slow lane, where every run has a worker of its own.
      const others = Promise.withResolvers<void>();
      const at = await slowScene('hang', others.promise, others.promise, others.promise);
      const lost = await at.announce();
      await at.begun(1);
      // The others are posted so much later that they have not timed out when the worker dies.
      const begunAt = performance.now();
      await polled(
        () => performance.now() - begunAt,
        (millis) => millis > 6_000,
      );
      for (let n = 1; n < SLOTS; n += 1) await at.announce();
      await at.begun(SLOTS);
      const waiting = [await at.announce(), await at.announce()];
      for (const run of waiting) await at.parked(run);
      await at.close();
      service.cloud.faults.kill('DeliverSlow', death);
      await dead();
      others.resolve();
      await at.delivered(lost);
    },
  );
});

type Count =
  | 'ApproximateNumberOfMessages'
  | 'ApproximateNumberOfMessagesDelayed'
  | 'ApproximateNumberOfMessagesNotVisible';

async function countOf(url: string, ...delayed: readonly Count[]): Promise<number> {
  const names: Count[] = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', ...delayed];
  const { Attributes: counts = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: names }),
  );
  return names.reduce((sum, name) => sum + Number(counts[name] ?? 0), 0);
}

/** Waits until every message has been handled that is not delayed. */
async function emptied(...urls: string[]) {
  for (const url of urls.length > 0 ? urls : Object.values(queues)) {
    await eventually(
      service.cloud,
      () => countOf(url),
      (count) => count === 0,
    );
  }
}

/** The stream keeps its order: when a new run is through, no late message of earlier scenes can die in its place. */
async function settled() {
  const trigger = 'DSAR is completed';
  const { rule } = await acme.webhook(`${receiver.url}/settled`, { rule: { trigger } });
  const [run = ''] = await acme.announce({ trigger });
  await acme.ended(run);
  await acme.call('DELETE', `rules/${rule}`);
  await emptied();
}

const policyOf = (url: string, policy: string) =>
  sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { Policy: policy } }));
