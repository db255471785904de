import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import { configurationStore } from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { type DeliverDeps, deliverRun } from '../../../functions/webhooks/deliveries/deliver-run.ts';
import { postRun } from '../../../functions/webhooks/deliveries/post-run.ts';
import { sweepParked } from '../../../functions/webhooks/deliveries/start-parked.ts';
import { type SweepResult, sweepRuns } from '../../../functions/webhooks/deliveries/sweep-runs.ts';
import { type Lane, type Ticket, ticketOf } from '../../../functions/webhooks/deliveries/ticket.ts';
import type { Attempt } from '../../../functions/webhooks/runs/attempt.ts';
import { dueRuns } from '../../../functions/webhooks/runs/due-runs.dynamodb.ts';
import { parkedRuns } from '../../../functions/webhooks/runs/parked-runs.dynamodb.ts';
import {
  hasEnded,
  type Payload,
  type Run,
  type RunKey,
  snapshotOf,
  type WaitingRun,
} from '../../../functions/webhooks/runs/run.ts';
import { runLog } from '../../../functions/webhooks/runs/run-log.dynamodb.ts';
import { created, type NewRun, pendingDispatch } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import type { SendResult } from '../../../functions/webhooks/sending/sending.ts';
import { admission } from '../../../functions/webhooks/slots/admission.dynamodb.ts';
import type { SlotLimits } from '../../../functions/webhooks/slots/admission.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { Mortality } from '../faults/mortal-clients.ts';
import { waiting } from './run-states.ts';

/** A status, or no answer in time. */
type Answer = number | 'timeout';

/** A POST that reached the endpoint. */
interface Made {
  readonly run: string;
  readonly attempt: number;
  readonly part: number;
  readonly key: string;
  readonly body: string;
  readonly answer: Answer;
  readonly at: number;
}

export interface Message {
  readonly lane: Lane;
  readonly ticket: Ticket;
  readonly visibleAt: number;
  readonly receives: number;
}

/** A process: when it dies, and how its clock differs. */
interface Worker {
  readonly mortality?: Pick<Mortality, 'bind' | 'live'>;
  readonly aheadMillis?: number;
}

interface DeskOptions {
  readonly table: Table;
  readonly limits?: SlotLimits;
  /** From 0 to 1. */
  readonly chance?: () => number;
}

/** The visibility timeout of the service's queues. */
const VISIBILITY_MILLIS = 840_000;
const RECEIVES_MAX = 5;
const POST_MILLIS = 50;

/**
 * Deliveries of webhooks with the queues, the clock and the endpoint under control of the test. Nothing happens by
 * itself; `ended` lets messages arrive and the sweeper come every minute, until a run has ended.
 */
export function webhookDesk({ table, limits = { all: 4, whileSilent: 2 }, chance = () => 0.5 }: DeskOptions) {
  const runs = runStore({ table, retentionDays: 30 });
  const configurations = configurationStore(table);
  const announcedOnce = new Set<string>();
  const desk = {
    now: Date.now(),
    queue: [] as Message[],
    deadLetters: 0,
    posts: [] as Made[],
    told: [] as Attempt[],
    /** What the endpoint answers, in turn; 200 when nothing is left. */
    answers: [] as Answer[],
    /** True if the stream of the table is read. */
    hasStream: true,
    canReadSecrets: true,
    /** Since when the webhooks of its tenant go out. */
    deliveringFrom: 0,
    /** As long as a worker goes on with runs that it starts. */
    continueForMillis: 0,
    /** The lanes of the messages that were delivered. */
    lanes: [] as Lane[],
    /** Happens after anybody has looked for parked runs. */
    afterLook: undefined as (() => Promise<unknown>) | undefined,
    /** Happens while the endpoint has the next POST. */
    whilePosting: undefined as (() => Promise<unknown>) | undefined,
    runs,
    due: dueRuns(table, { retentionDays: 30 }),
    configurations,
    admission: admission({ table, limits, chance }),

    async configuration(own: Partial<Configuration> = {}): Promise<Configuration> {
      const id = newId('cfg');
      const configuration: Configuration = {
        id,
        tenant: 'acme',
        name: id,
        targetUrl: 'https://example.com/hooks',
        retryIntervalSeconds: 5,
        retryTimeoutSeconds: 30,
        maxAttempts: 3,
        description: '',
        authentication: { type: 'bearer', secret: 'ciphertext' },
        enabled: true,
        createdAt: new Date(desk.now).toISOString(),
        updatedAt: new Date(desk.now).toISOString(),
        ...own,
      };
      await configurations.add(configuration);
      return configuration;
    },

    /** A run that is not stored yet, and its payload. */
    newRun(configuration: Configuration, own: Partial<NewRun> = {}): { run: WaitingRun; payload: Payload } {
      const run = created({
        id: newId('run'),
        tenant: configuration.tenant,
        eventId: 'event',
        ruleId: 'rule',
        module: 'dsar',
        trigger: 'DSAR starts',
        record: 'subject request: 1',
        idempotencyKey: newId('key'),
        createdAt: desk.now,
        ...snapshotOf(configuration),
        ...own,
      });
      return { run, payload: { body: Buffer.from(`{"run":"${run.id}"}`), headers: [], createdAt: desk.now } };
    },

    /** A stored run, and the message of its first attempt. */
    async begin(
      configuration: Configuration,
      own: Partial<NewRun> = {},
    ): Promise<{ run: WaitingRun; message: Message }> {
      const { run, payload } = desk.newRun(configuration, own);
      const stored = waiting(await runs.create(run, payload));
      return { run: stored, message: desk.messageOf(stored) };
    },

    messageOf: (run: Run, attempt = 1, lane: Lane = 'fast'): Message => ({
      lane,
      ticket: ticketOf(run, attempt),
      visibleAt: desk.now,
      receives: 0,
    }),

    /** One delivery of a message to a worker; returns whether the message was deleted. */
    async deliver(message: Message, worker: Worker = {}): Promise<boolean> {
      const deps = depsOf(worker);
      desk.lanes.push(message.lane);
      let heldMillis = VISIBILITY_MILLIS;
      const wasDone = await deliverRun(deps, message.ticket, {
        lane: message.lane,
        remainingMillis: () => 140_000,
        hold: (millis) =>
          deps.mortality.live(async () => {
            heldMillis = millis;
          }),
      }).then(
        () => true,
        () => false,
      );
      const receives = message.receives + 1;
      if (!wasDone && receives < RECEIVES_MAX) {
        desk.queue.push({ ...message, receives, visibleAt: desk.now + heldMillis });
      } else if (!wasDone) desk.deadLetters += 1;
      await readStream({ tenant: message.ticket.tenant, id: message.ticket.run });
      return wasDone;
    },

    /** Fails where the function would. */
    async sweep(worker: Worker = {}): Promise<SweepResult> {
      const deps = depsOf(worker);
      const { send, now, due, deliveringFrom } = deps;
      const swept = await sweepRuns({
        runs: due,
        deliveringFrom,
        sendAll: async (deliveries) => {
          for (const { lane, ticket, delayMillis } of deliveries) await send(lane, ticket, delayMillis);
          return [];
        },
        startParked: (configuration) => sweepParked(deps, configuration),
        now,
        queued: async () => ({ all: desk.queue.length, waiting: 0 }),
        until: Number.POSITIVE_INFINITY,
      });
      if (swept.failures.length > 0) throw new AggregateError(swept.failures);
      return swept;
    },

    /** Takes the message that is visible for longest. */
    receive(): Message | undefined {
      const [first] = desk.queue.filter(({ visibleAt }) => visibleAt <= desk.now);
      if (first) desk.queue.splice(desk.queue.indexOf(first), 1);
      return first;
    },

    /**
     * Lets time pass until the run has ended: messages arrive, each `copies` times, and the sweeper comes every minute.
     * @param worker of each delivery and each sweep. @default one that lives
     */
    async ended(
      key: RunKey,
      { copies = 1, worker = () => ({}) }: { copies?: number; worker?: () => Worker } = {},
    ): Promise<Run> {
      const end = desk.now + 7 * 86_400_000;
      let sweepAt = desk.now + 60_000;
      while (desk.now < end) {
        const run = await runs.byId(key);
        if (run && hasEnded(run)) return run;
        await readStream(key);
        const message = desk.receive();
        if (message) {
          for (let copy = 0; copy < copies; copy += 1) await desk.deliver(message, worker());
          continue;
        }
        desk.now = Math.min(sweepAt, ...desk.queue.map(({ visibleAt }) => visibleAt));
        if (desk.now < sweepAt) continue;
        sweepAt += 60_000;
        // The next sweep continues where this one died.
        await desk.sweep(worker()).catch(() => undefined);
      }
      throw new Error(`The run did not end: ${JSON.stringify(await runs.byId(key))}`);
    },

    async lines(key: RunKey): Promise<readonly Attempt[]> {
      return (await runLog(table).details(key))?.attempts ?? [];
    },

    postsOf: ({ id }: { id: string }) => desk.posts.filter(({ run }) => run === id),
  };

  /** The stream may bring a change twice, but here it does not; a message of every announcement follows. */
  async function readStream(key: RunKey) {
    const run = desk.hasStream ? await runs.byId(key) : undefined;
    const next = run && pendingDispatch(run, desk.now);
    if (!run || !next || announcedOnce.has(`${run.id}@${run.revision}`)) return;
    announcedOnce.add(`${run.id}@${run.revision}`);
    const lane = next.attempt === 1 ? 'fast' : 'slow';
    desk.queue.push({ ...desk.messageOf(run, next.attempt, lane), visibleAt: desk.now + seconds(next.delayMillis) });
  }

  function depsOf({ mortality = new Mortality(), aheadMillis = 0 }: Worker) {
    const mortal = { name: table.name, client: mortality.bind(table.client) };
    const now = () => desk.now + aheadMillis;
    const deps = {
      runs: runStore({ table: mortal, retentionDays: 30 }),
      configurations: configurationStore(mortal),
      parkedRuns: {
        ...parkedRuns(mortal),
        first: async (key, count) => {
          const runs = await parkedRuns(mortal).first(key, count);
          await desk.afterLook?.();
          return runs;
        },
      },
      admission: admission({ table: mortal, limits, chance }),
      limits,
      secretsOf: () =>
        mortality.live(async () => (desk.canReadSecrets ? { authentication: 'secret', signing: [] } : undefined)),
      deliveringFrom: async () => desk.deliveringFrom,
      post: (post) => mortality.live(() => receivePost(post)),
      send: (lane, ticket, delayMillis) =>
        mortality.live(async () => {
          desk.queue.push({ lane, ticket, visibleAt: desk.now + seconds(delayMillis), receives: 0 });
        }),
      reportAttempt: (_run, attempt) => desk.told.push(attempt),
      now,
      newToken: () => newId('token'),
      continueForMillis: desk.continueForMillis,
    } satisfies DeliverDeps;
    return { ...deps, due: dueRuns(mortal, { retentionDays: 30 }), mortality };
  }

  function receivePost(post: Parameters<DeliverDeps['post']>[0]): Promise<SendResult> {
    return postRun(async ({ headers, body, timeoutMillis }) => {
      const { whilePosting } = desk;
      desk.whilePosting = undefined;
      await whilePosting?.();
      const answer = desk.answers.shift() ?? 200;
      desk.posts.push({
        run: post.run.id,
        attempt: post.run.attempts,
        part: post.run.interruptions,
        key: headers.find(([name]) => name === 'X-Service-Idempotency-Key')?.[1] ?? '',
        body: Buffer.from(body).toString(),
        answer,
        at: desk.now,
      });
      desk.now += answer === 'timeout' ? timeoutMillis : POST_MILLIS;
      const timings = { totalMillis: POST_MILLIS };
      if (answer === 'timeout') return { kind: 'not-answered', failure: 'timeout', timings };
      return { kind: 'answered', statusCode: answer, body: { bytes: new Uint8Array(), isTruncated: false }, timings };
    }, new Set())(post);
  }

  return desk;
}

export type WebhookDesk = ReturnType<typeof webhookDesk>;

/** As SQS counts delays: in whole seconds, at most a quarter of an hour. */
const seconds = (millis: number) => Math.ceil(Math.min(millis, 900_000) / 1000) * 1000;
