import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayRun } from '../../../functions/webhooks/runs/replay-run.ts';
import { hasEnded, type Run } from '../../../functions/webhooks/runs/run.ts';
import type { NewRun } from '../../../functions/webhooks/runs/run-machine.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { Random } from '../../bench/records/generated-businesses.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { deaths, few, isThorough } from '../../support/runner/thoroughness.ts';
import { type Message, type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const INTERRUPTIONS_MAX = 2;

/** Checks the invariants of every ended run. */
async function expectWhole(desk: WebhookDesk, run: Run) {
  const posts = desk.postsOf(run);
  const lines = await desk.lines(run);
  expect(hasEnded(run)).toBe(true);
  expect(run.attempts).toBeLessThanOrEqual(run.maxAttempts);
  expect(posts.length).toBeLessThanOrEqual(run.maxAttempts * (1 + INTERRUPTIONS_MAX));
  const places = posts.map(({ attempt, part }) => `${attempt}.${part}`);
  expect(new Set(places).size).toBe(places.length);
  expect(lines.map(({ attempt, part }) => `${attempt}.${part}`)).toEqual(expect.arrayContaining(places));
  const told = lines.filter(({ outcome }) => outcome !== 'interrupted');
  expect(places).toEqual(expect.arrayContaining(told.map(({ attempt, part }) => `${attempt}.${part}`)));
  // What counts is at most one outcome for each attempt.
  expect(told.filter(({ isLate }) => !isLate).length).toBeLessThanOrEqual(run.attempts);
  for (const { key, body } of posts) {
    expect(key).toBe(run.idempotencyKey);
    expect(body).toBe(`{"run":"${run.id}"}`);
  }
  if (run.status === 'COMPLETED') expect(posts.some(({ answer }) => answer === 200)).toBe(true);
}

interface Story {
  readonly what: string;
  readonly own?: Partial<NewRun>;
  readonly answers?: readonly (number | 'timeout')[];
  /** The steps before the message whose worker dies. @default the message of the first attempt */
  readonly before?: (desk: WebhookDesk, run: Run, message: Message) => Promise<Message>;
  readonly end: Partial<Run>;
}

/** The number of the call that posts in a first delivery. Taking over begins with one more, for the log. */
const POST = 7;

/** A worker dies while the endpoint has its POST, and its lease runs out. */
async function lost(desk: WebhookDesk, message: Message, before = 0) {
  const posts = desk.posts.length;
  await desk.deliver(message, { mortality: new Mortality(before === 0 ? POST : POST + 1, 'after') });
  expect(desk.posts.length).toBe(posts + 1);
  desk.now += 60_000;
}

const STORIES: Story[] = [
  { what: 'an attempt that succeeds', end: { status: 'COMPLETED', responseCode: 200 } },
  {
    what: 'an attempt that fails and is retried',
    answers: [500, 200, 200, 200],
    end: { status: 'COMPLETED' },
  },
  {
    what: 'the last attempt, that fails',
    own: { maxAttempts: 1 },
    answers: [500, 500, 500, 500],
    end: { status: 'FAILED', error: 'http_status', attempts: 1 },
  },
  {
    what: 'a retry that times out',
    own: { maxAttempts: 2 },
    answers: [503, 'timeout', 'timeout', 'timeout', 'timeout'],
    before: async (desk, run, message) => {
      await desk.deliver(message);
      desk.now += 10_000;
      return desk.messageOf(run, 2, 'slow');
    },
    end: { status: 'FAILED', error: 'timeout', attempts: 2 },
  },
  {
    what: 'an attempt that takes over from a lost one',
    before: async (desk, _run, message) => {
      await lost(desk, message);
      desk.queue.length = 0;
      return message;
    },
    end: { status: 'COMPLETED' },
  },
];

describe('a worker that dies before or after any of its calls, of', () => {
  it.each(STORIES.map((story): [string, Story] => [story.what, story]))(
    '%s, leaves a run that ends as it would have',
    async (_what, { own = {}, answers = [], before, end }) => {
      let lives = 0;
      for (const mortality of deaths()) {
        const desk = webhookDesk({ table });
        desk.hasStream = lives % 2 === 0;
        const { run, message } = await desk.begin(await desk.configuration(), own);
        desk.answers.push(...answers);
        const last = (await before?.(desk, run, message)) ?? message;
        const wasDone = await desk.deliver(last, { mortality });
        expect(wasDone || mortality.diedAt !== undefined).toBe(true);
        // Everything comes twice from here on.
        const ended = await desk.ended(run, { copies: 2 });
        expect(ended, String(mortality)).toMatchObject(end);
        await expectWhole(desk, ended);
        expect(desk.deadLetters).toBe(0);
        lives += 1;
      }
      expect(lives).toBeGreaterThan(isThorough ? 16 : 5);
    },
    120_000,
  );

  it('a replay that succeeds, leaves replay and original in agreement', async () => {
    for (const mortality of deaths()) {
      const desk = webhookDesk({ table });
      const configuration = await desk.configuration();
      const { run: original, message } = await desk.begin(configuration, { maxAttempts: 1 });
      desk.answers.push(400);
      await desk.deliver(message);
      const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
      expect(await desk.runs.createReplay(original, run, payload)).toBe('created');
      await desk.deliver(desk.messageOf(run), { mortality });
      const stored = await desk.runs.byId(run);
      expect((await desk.runs.byId(original))?.resolvedBy).toBe(stored?.status === 'COMPLETED' ? run.id : undefined);
      const ended = await desk.ended(run, { copies: 2 });
      expect(ended.status).toBe('COMPLETED');
      await expectWhole(desk, ended);
      expect(await desk.runs.byId(original)).toMatchObject({ resolvedBy: run.id, replays: 1, status: 'FAILED' });
    }
  });

  it('a run that is being replayed, is replayed again only by who does not ask', async () => {
    const desk = webhookDesk({ table });
    const { run, message } = await desk.begin(await desk.configuration(), { maxAttempts: 1 });
    desk.answers.push(500);
    await desk.deliver(message);
    const replay = (unlessReplaying: boolean) =>
      replayRun(desk, run, { id: newId('run'), now: desk.now, unlessReplaying });
    expect(await replay(true)).toMatchObject({ replayOf: run.id });
    await expect(replay(true)).rejects.toMatchObject({ status: 409, code: 'replay-in-progress' });
    expect(await replay(false)).toMatchObject({ replayOf: run.id });
  });

  it('a run whose configuration is gone, leaves a run that fails and says so', async () => {
    for (const mortality of deaths()) {
      const desk = webhookDesk({ table });
      const configuration = await desk.configuration();
      const { run, message } = await desk.begin(configuration);
      await desk.configurations.remove({ tenant: 'acme', id: configuration.id });
      await desk.deliver(message, { mortality });
      expect(await desk.ended(run, { copies: 2 })).toMatchObject({ status: 'FAILED', error: 'config_missing' });
      expect(desk.postsOf(run)).toEqual([]);
    }
  });

  it('a run whose configuration is disabled, leaves a run that fails, says so, and can be replayed once it is not', async () => {
    for (const mortality of deaths()) {
      const desk = webhookDesk({ table });
      const configuration = await desk.configuration();
      const { run, message } = await desk.begin(configuration);
      const enable = (enabled: boolean) =>
        desk.configurations.change(configuration, (stored) => ({ ...stored, enabled }));
      await enable(false);
      await desk.deliver(message, { mortality });
      expect(await desk.ended(run, { copies: 2 })).toMatchObject({ status: 'FAILED', error: 'config_disabled' });
      expect(desk.postsOf(run)).toEqual([]);
      const replay = () => replayRun(desk, run, { id: newId('run'), now: desk.now });
      await expect(replay()).rejects.toMatchObject({ status: 409, code: 'configuration-disabled' });
      await enable(true);
      expect(await replay()).toMatchObject({ status: 'CREATED', replayOf: run.id });
    }
  });

  it('a run whose secret can no longer be decrypted, leaves a run that fails and says so', async () => {
    for (const mortality of deaths()) {
      const desk = webhookDesk({ table });
      desk.canReadSecrets = false;
      const { run, message } = await desk.begin(await desk.configuration());
      await desk.deliver(message, { mortality });
      expect(await desk.ended(run, { copies: 2 })).toMatchObject({ status: 'FAILED', error: 'secret_unreadable' });
      expect(desk.postsOf(run)).toEqual([]);
    }
  });

  it('an attempt that was lost twice before, gives it up at last', async () => {
    for (const mortality of deaths()) {
      const desk = webhookDesk({ table });
      const { run, message } = await desk.begin(await desk.configuration(), { maxAttempts: 1 });
      for (let losses = 0; losses < 3; losses += 1) await lost(desk, message, losses);
      desk.queue.length = 0;
      await desk.deliver(message, { mortality });
      const ended = await desk.ended(run, { copies: 2 });
      expect(ended).toMatchObject({ status: 'FAILED', error: 'interrupted', attempts: 1 });
      await expectWhole(desk, ended);
      expect(desk.postsOf(run)).toHaveLength(3);
    }
  });
});

describe('12: a slow worker that comes back when another one has made its attempt', () => {
  it.each([
    ['completed', 200, 'COMPLETED', 'succeeded'],
    ['failed', 400, 'FAILED', 'http_status'],
  ] as const)('does not change that the run has %s, and leaves a late line', async (_how, answer, status, outcome) => {
    const desk = webhookDesk({ table, limits: { all: 2, whileSilent: 1 } });
    const { run, message } = await desk.begin(await desk.configuration({ maxAttempts: 1 }));
    desk.whilePosting = async () => {
      desk.now += 50_000;
      await desk.deliver(message);
    };
    // The other one has its answer first.
    desk.answers.push(answer, 200);
    await desk.deliver(message);
    const ended = await desk.ended(run);
    expect(ended).toMatchObject({ status, responseCode: answer });
    expect((await desk.lines(run)).map((line) => [line.part, line.outcome, line.isLate])).toEqual([
      [0, 'succeeded', true],
      [1, outcome, undefined],
    ]);
    await expectWhole(desk, ended);
  });
});

/** The table refuses one call of a process that lives on. */
class Refusing extends Mortality {
  private readonly refused: number;
  constructor(refused: number) {
    super();
    this.refused = refused;
  }
  override live<T>(work: () => Promise<T>): Promise<T> {
    if (this.calls + 1 !== this.refused) return super.live(work);
    this.calls += 1;
    return Promise.reject(new Error('ProvisionedThroughputExceededException'));
  }
}

describe('18: a call that is refused', () => {
  it('at any point of a delivery makes the message come again, and no run is lost', async () => {
    for (let call = 1, calls = 2; call <= calls; call += 1) {
      const desk = webhookDesk({ table });
      const { run, message } = await desk.begin(await desk.configuration());
      const refusing = new Refusing(call);
      await desk.deliver(message, { mortality: refusing });
      calls = refusing.calls;
      const ended = await desk.ended(run);
      expect(ended.status).toBe('COMPLETED');
      expect(desk.postsOf(run).length).toBeLessThanOrEqual(2);
      await expectWhole(desk, ended);
    }
  });
});

describe('21: with clocks that differ by two seconds', () => {
  it.each([-2_000, 2_000])(
    'a message that looks early by %i ms is delayed once more, and none is lost',
    async (aheadMillis) => {
      const desk = webhookDesk({ table });
      const { run, message } = await desk.begin(await desk.configuration(), { retryIntervalSeconds: 1 });
      desk.answers.push(500, 500);
      await desk.deliver(message, { aheadMillis: -aheadMillis });
      const ended = await desk.ended(run, { worker: () => ({ aheadMillis }) });
      expect(ended).toMatchObject({ status: 'COMPLETED', attempts: 3 });
      await expectWhole(desk, ended);
      expect(desk.postsOf(run)).toHaveLength(3);
    },
  );
});

describe('in a storm of deaths, losses, duplicates and clocks that differ, a run', () => {
  it.each(few([1, 3], [2, 4]))(
    'ends whole, %i',
    async (seed) => {
      const random = new Random(seed);
      for (let n = 0; n < (isThorough ? 5 : 1); n += 1) {
        const desk = webhookDesk({ table, limits: { all: 2, whileSilent: 1 }, chance: () => random.next() });
        desk.hasStream = random.chance(0.5);
        const configuration = await desk.configuration({ retryIntervalSeconds: random.pick([0, 5, 1_200]) });
        const { run, message } = await desk.begin(configuration, { maxAttempts: 1 + random.below(4) });
        desk.answers.push(...Array.from({ length: 20 }, () => random.pick([200, 500, 'timeout' as const])));
        desk.queue.push(message);
        let storm = 40;
        const worker = () => {
          storm -= 1;
          if (storm < 0) return {};
          if (random.chance(0.2)) desk.queue.splice(random.below(desk.queue.length), 1);
          if (random.chance(0.2))
            desk.queue.push(desk.messageOf(run, 1 + random.below(4), random.pick(['fast', 'slow'])));
          const aheadMillis = random.below(4_001) - 2_000;
          if (!random.chance(0.5)) return { aheadMillis };
          return { aheadMillis, mortality: new Mortality(1 + random.below(10), random.pick(['before', 'after'])) };
        };
        const ended = await desk.ended(run, { copies: 1 + random.below(2), worker });
        await expectWhole(desk, ended);
        // Nothing that is still on its way changes an end.
        for (let left = desk.receive(); left; left = desk.receive()) await desk.deliver(left);
        expect(await desk.runs.byId(run)).toEqual(ended);
      }
    },
    120_000,
  );

  it('is attempted by one of many workers at the same time', async () => {
    const desk = webhookDesk({ table, limits: { all: 20, whileSilent: 2 } });
    const { run, message } = await desk.begin(await desk.configuration());
    await Promise.all(Array.from({ length: 20 }, () => desk.deliver(message)));
    const ended = await desk.ended(run);
    expect(desk.postsOf(run)).toHaveLength(1);
    await expectWhole(desk, ended);
  });
});

it('a payload that was refused for its size is never sent, even if its rule is corrected before the run is made', async () => {
  const desk = webhookDesk({ table });
  const { run, payload } = desk.newRun(await desk.configuration(), { id: newId('run') });
  // The first maker stored an empty payload and died before the run.
  await desk.runs.create(run, { ...payload, body: new Uint8Array() });
  await desk.deliver(desk.messageOf(run));
  expect(desk.postsOf(run)).toEqual([]);
  expect(await desk.runs.byId(run)).toMatchObject({ status: 'FAILED', error: 'payload_missing' });
});
