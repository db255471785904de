import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasEnded, isParked, type Run } from '../../../functions/webhooks/runs/run.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { deaths, isThorough, times } from '../../support/runner/thoroughness.ts';
import { type Message, type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

let tables = 0;
const deskWith = (all: number, whileSilent = 1, of = table) =>
  webhookDesk({ table: of, limits: { all, whileSilent }, chance: () => 0 });

/** A desk with a table of its own, because a sweep checks all runs. */
const aloneWith = async (all: number) =>
  deskWith(all, 1, await createWebhooksTable(endpoint, `webhooks-${(tables += 1)}`));

/**
 * Runs of one configuration that are due one after the other. The first of them is posted, and while the endpoint has
 * that POST the messages of the others come, of the last one first, and find no room.
 */
async function backlog(desk: WebhookDesk, count: number, own: Parameters<WebhookDesk['configuration']>[0] = {}) {
  const configuration = await desk.configuration(own);
  const begun: { run: Run; message: Message }[] = [];
  for (let n = 0; n <= count; n += 1) {
    begun.push(await desk.begin(configuration));
    desk.now += 10;
  }
  desk.hasStream = false;
  const [first, ...others] = begun;
  desk.whilePosting = async () => {
    for (const { message } of others.toReversed()) await desk.deliver(message);
  };
  return { configuration, first: first!, others: others.map(({ run }) => run), runs: begun.map(({ run }) => run) };
}

const stored = (desk: WebhookDesk, run: Run) => desk.runs.byId(run);

async function parkedOf(desk: WebhookDesk, runs: readonly Run[]): Promise<Run[]> {
  const parked: Run[] = [];
  for (const run of runs) {
    const now = await stored(desk, run);
    if (now && isParked(now)) parked.push(now);
  }
  return parked;
}

/** Ends all, one after the other; what was posted, in order. */
async function ended(desk: WebhookDesk, runs: readonly Run[]) {
  for (const run of runs) {
    const end = await desk.ended(run);
    expect(hasEnded(end)).toBe(true);
  }
  return desk.posts.map(({ run }) => run);
}

const idsOf = (runs: readonly Run[]) => runs.map(({ id }) => id);

describe('runs that find no room', () => {
  it('wait without a message, and begin in the order in which they were due, one for each slot that is returned', async () => {
    const desk = deskWith(1);
    const { first, others, runs } = await backlog(desk, 5);
    await desk.deliver(first.message);
    // All but the one that got the slot.
    expect(idsOf(await parkedOf(desk, others))).toEqual(idsOf(others.slice(1)));
    expect(desk.queue.map(({ ticket }) => [ticket.run, ticket.slot?.number])).toEqual([[others[0]!.id, 0]]);
    let most = 0;
    for (let next = desk.receive(); next; next = desk.receive()) {
      await desk.deliver(next);
      most = Math.max(most, desk.queue.filter(({ ticket }) => !ticket.isWake).length);
    }
    expect(most).toBe(1);
    expect(desk.posts.map(({ run }) => run)).toEqual(idsOf(runs));
    expect((await desk.admission.load(first.run)).slots.size).toBe(0);
  });

  it('are not overtaken by runs that come when a slot is free', async () => {
    const desk = deskWith(1);
    const { first, others, runs, configuration } = await backlog(desk, 2);
    // The worker dies before it returns its slot, and the slot runs out.
    await desk.deliver(first.message, { mortality: new Mortality(9, 'after') });
    desk.queue.length = 0;
    desk.now += 60_000;
    const late = await desk.begin(configuration);
    await desk.deliver(late.message);
    expect(desk.postsOf(late.run)).toEqual([]);
    expect(await ended(desk, [...runs, late.run])).toEqual(idsOf([first.run, ...others, late.run]));
  });

  it('cost nothing while they wait: no message, and a sweep reads the load of their configuration', async () => {
    const desk = await aloneWith(1);
    const { first, others, runs } = await backlog(desk, isThorough ? 30 : 10);
    await desk.admission.enter(first.run, { now: desk.now, until: desk.now + 3_600_000 });
    for (const run of runs) await desk.deliver(desk.messageOf(run));
    const before = await Promise.all(runs.map((run) => stored(desk, run)));
    expect(before.every((run) => run && isParked(run))).toBe(true);
    for (let minute = 0; minute < (isThorough ? 10 : 3); minute += 1) {
      desk.now += 60_000;
      const mortality = new Mortality();
      await desk.sweep({ mortality });
      // Sixteen shards of the index, and the load.
      expect(mortality.calls).toBe(17);
    }
    expect(desk.queue).toEqual([]);
    expect(await Promise.all(runs.map((run) => stored(desk, run)))).toEqual(before);
    expect(desk.postsOf(others[0]!)).toEqual([]);
  });

  it('fail when there was no room for three days, and hold up none of those behind them', async () => {
    const desk = deskWith(1);
    const { first, others } = await backlog(desk, 3);
    const days = 3 * 86_400_000;
    const inside = desk.whilePosting;
    desk.whilePosting = async () => {
      await inside?.();
      desk.now += days + 1_000;
    };
    await desk.deliver(first.message);
    for (let next = desk.receive(); next; next = desk.receive()) await desk.deliver(next);
    for (const run of others) {
      expect(await stored(desk, run)).toMatchObject({ status: 'FAILED', error: 'endpoint_unresponsive', attempts: 0 });
    }
    expect((await desk.admission.load(first.run)).slots.size).toBe(0);
  });

  it('fail after three days even if nobody returns a slot: the sweeper finds them', async () => {
    const desk = deskWith(1);
    const { first, others } = await backlog(desk, 2);
    await desk.deliver(first.message, { mortality: new Mortality(8, 'before') });
    desk.queue.length = 0;
    desk.now += 3 * 86_400_000 + 120_000;
    // Nothing is known of the configuration any more.
    const load = await desk.admission.load(first.run);
    await desk.admission.forgetParking(first.run, load);
    for (const run of others) {
      expect(await desk.ended(run)).toMatchObject({ status: 'FAILED', error: 'endpoint_unresponsive' });
    }
  });

  it('are looked for once more by a worker whose slot nobody wanted: one may have been parked in between', async () => {
    const desk = deskWith(1);
    const { first, others } = await backlog(desk, 1);
    // Noted, and not parked yet: its worker is slow.
    await desk.admission.noteParking(first.run, await desk.admission.load(first.run), desk.now);
    const parks = desk.whilePosting;
    desk.whilePosting = undefined;
    let looks = 0;
    desk.afterLook = async () => {
      looks += 1;
      // First whether it overtakes anybody, then for whom its slot is: the run that is parked now finds it still taken.
      if (looks === 2) await parks?.();
    };
    await desk.deliver(first.message);
    expect(await ended(desk, others)).toEqual(idsOf([first.run, ...others]));
    expect(desk.now - others[0]!.createdAt).toBeLessThan(10_000);
  });
});

describe('a worker that has time left', () => {
  it('goes on with the runs that it starts, and sends the next one when its time is over', async () => {
    const desk = deskWith(1);
    const { first, runs } = await backlog(desk, 5);
    desk.continueForMillis = 120;
    await desk.deliver(first.message);
    // A POST takes 50 ms.
    expect(desk.posts.map(({ run }) => run)).toEqual(idsOf(runs.slice(0, 3)));
    expect(desk.queue.map(({ ticket }) => [ticket.run, ticket.slot?.number])).toEqual([[runs[3]!.id, 0]]);
    expect(await ended(desk, runs)).toEqual(idsOf(runs));
  });

  it('goes on with one of several that it starts', async () => {
    const desk = deskWith(3);
    const { first, runs } = await backlog(desk, 6);
    desk.continueForMillis = 75;
    const inside = desk.whilePosting;
    desk.whilePosting = async () => {
      const taken = { now: desk.now, until: desk.now + 10 };
      for (let n = 0; n < 2; n += 1) await desk.admission.enter(first.run, taken);
      await inside?.();
    };
    await desk.deliver(first.message);
    expect(desk.posts.map(({ run }) => run)).toEqual(idsOf(runs.slice(0, 2)));
    expect(desk.queue.map(({ ticket }) => ticket.run)).toEqual(idsOf(runs.slice(2, 5)));
    await ended(desk, runs);
  });

  it('does not go on where the endpoint times out: its own message would not bring that run back', async () => {
    const desk = deskWith(1);
    const { first, runs } = await backlog(desk, 2, { maxAttempts: 1 });
    desk.continueForMillis = 1_000_000;
    desk.answers.push('timeout');
    await desk.deliver(first.message);
    expect(desk.posts).toHaveLength(1);
    expect(desk.queue.map(({ ticket }) => ticket.run)).toEqual([runs[1]!.id]);
  });

  // In `npm test`, `parking-search.test.ts` tries this death and the two below, in every order of calls.
  it.runIf(isThorough)('and dies before or after any of its calls, leaves nobody waiting', async () => {
    for (const mortality of deaths(9)) {
      const desk = deskWith(1);
      const { first, runs } = await backlog(desk, 2);
      desk.continueForMillis = 1_000_000;
      await desk.deliver(first.message, { mortality });
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });
});

describe('an endpoint that does not answer', () => {
  const silent = { maxAttempts: 1, retryTimeoutSeconds: 1 };

  it('keeps its few slots busy, in the slow lane, until its backlog has failed', async () => {
    const desk = deskWith(3, 2);
    const { first, others, runs } = await backlog(desk, 12, silent);
    desk.answers.push(...runs.map(() => 'timeout' as const));
    // All slots are taken.
    for (let n = 0; n < 2; n += 1) await desk.admission.enter(first.run, { now: desk.now, until: desk.now + 2_000 });
    const from = desk.now;
    await desk.deliver(first.message);
    for (const run of others) expect(await desk.ended(run)).toMatchObject({ status: 'FAILED', error: 'timeout' });
    expect((await desk.admission.load(first.run)).isSilent).toBe(true);
    expect(desk.posts.map(({ run }) => run)).toEqual(idsOf(runs));
    expect(desk.now - from).toBeLessThan(40_000);
    // From the first timeout on.
    expect(desk.lanes.slice(runs.length)).toEqual(runs.slice(1).map(() => 'slow'));
  });

  it('has only its few slots from the moment at which it is silent: a worker returns the one that it held above them', async () => {
    const desk = deskWith(2, 1);
    const { first, others } = await backlog(desk, 4, silent);
    await desk.admission.enter(first.run, { now: desk.now, until: desk.now + 60_000 });
    desk.answers.push('timeout', 'timeout', 'timeout');
    await desk.deliver(first.message);
    for (let timeouts = 1; timeouts < 3; timeouts += 1) await desk.deliver(desk.receive()!);
    const { isSilent, slots } = await desk.admission.load(first.run);
    expect([isSilent, [...slots.keys()]]).toEqual([true, [0]]);
    expect(await parkedOf(desk, others)).toHaveLength(2);
    for (const run of others) await desk.ended(run);
  });

  it('gets as many runs at once as it has slots, from its first answer on', async () => {
    const desk = deskWith(4, 1);
    const { first, others, configuration } = await backlog(desk, 20, { ...silent, maxAttempts: 2 });
    const inside = desk.whilePosting;
    desk.whilePosting = async () => {
      for (let n = 0; n < 3; n += 1) await desk.admission.enter(first.run, { now: desk.now, until: desk.now + 10_000 });
      await inside?.();
    };
    desk.answers.push('timeout', 'timeout', 'timeout');
    await desk.deliver(first.message);
    for (let timeouts = 1; timeouts < 3; timeouts += 1) await desk.deliver(desk.receive()!);
    desk.now += 10_000;
    expect(await desk.admission.load(first.run)).toMatchObject({ isSilent: true });
    expect(desk.queue.filter(({ ticket }) => ticket.slot)).toHaveLength(1);
    await desk.deliver(desk.receive()!);
    expect(desk.posts.at(-1)?.answer).toBe(200);
    expect(desk.queue.filter(({ ticket }) => ticket.slot).map(({ ticket }) => ticket.run)).toEqual(
      idsOf(others.slice(3, 7)),
    );
    expect(configuration.maxAttempts).toBe(2);
    for (const run of others) expect(await desk.ended(run)).toMatchObject({ status: 'COMPLETED' });
  });
});

/** The outcomes of the dead worker's run and of the waiting ones, and the time that they took. */
async function expectAllDelivered(desk: WebhookDesk, runs: readonly Run[], what: string) {
  const from = desk.now;
  await ended(desk, runs);
  for (const run of runs) {
    const end = await stored(desk, run);
    expect(end, what).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    const lines = await desk.lines(run);
    const counting = lines.filter(({ outcome, isLate }) => outcome !== 'interrupted' && !isLate);
    expect(counting, what).toHaveLength(1);
    expect(desk.postsOf(run).length, what).toBeLessThanOrEqual(lines.length);
  }
  // The lease of a slot, and a sweep.
  expect(desk.now - from, what).toBeLessThan(45_000 + 2 * 60_000 + 5_000);
  expect(desk.deadLetters).toBe(0);
}

describe('a worker that dies before or after any of its calls', () => {
  it('as it parks a run, leaves nobody waiting', async () => {
    for (const mortality of deaths()) {
      const desk = deskWith(1);
      const { first, others, runs } = await backlog(desk, 2);
      desk.whilePosting = async () => {
        await desk.deliver(desk.messageOf(others[0]!), { mortality });
        await desk.deliver(desk.messageOf(others[1]!));
      };
      await desk.deliver(first.message);
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });

  it('as it passes its slot on, leaves nobody waiting', async () => {
    for (const mortality of deaths(8)) {
      const desk = deskWith(1);
      const { first, runs } = await backlog(desk, isThorough ? 3 : 2);
      await desk.deliver(first.message, { mortality });
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });

  // In `npm test` those above and below are its two parts: passing a slot on, and what the sweeper repairs.
  it.runIf(isThorough)('as it passes several slots on, leaves nobody waiting', async () => {
    for (const mortality of deaths(8)) {
      const desk = deskWith(3);
      const { first, runs } = await backlog(desk, 4);
      const inside = desk.whilePosting;
      desk.whilePosting = async () => {
        const taken = { now: desk.now, until: desk.now + 100 };
        for (let n = 0; n < 2; n += 1) await desk.admission.enter(first.run, taken);
        await inside?.();
        desk.now += 100;
      };
      await desk.deliver(first.message, { mortality });
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });
});

describe('a worker that dies at any of its calls and whose slot others wait for', () => {
  it.runIf(isThorough)('as it takes a slot that was kept for its run, leaves nobody waiting', async () => {
    for (const mortality of deaths()) {
      const desk = deskWith(1);
      const { first, runs } = await backlog(desk, 3);
      await desk.deliver(first.message);
      await desk.deliver(desk.receive()!, { mortality });
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });

  it.runIf(isThorough)(
    'as it takes over the attempt of a lost worker while others wait, leaves nobody waiting',
    async () => {
      for (const isRecorded of [true, false]) {
        for (const mortality of deaths()) {
          const desk = deskWith(1);
          const { first, runs } = await backlog(desk, 2);
          await desk.deliver(first.message, { mortality: new Mortality(isRecorded ? 8 : 7, 'after') });
          desk.now += 50_000;
          await desk.deliver(desk.messageOf(first.run), { mortality });
          await expectAllDelivered(desk, runs, String(mortality));
          expect(desk.postsOf(first.run).length).toBeLessThanOrEqual(isRecorded ? 1 : 3);
        }
      }
    },
  );

  /** The calls before it only read the sixteen shards. */
  const FIRST = 16;

  it('as the sweeper repairs a chain that broke, leaves nobody waiting', async () => {
    for (const mortality of deaths(FIRST)) {
      const desk = await aloneWith(2);
      const { first, runs } = await backlog(desk, 4);
      const inside = desk.whilePosting;
      desk.whilePosting = async () => {
        await desk.admission.enter(first.run, { now: desk.now, until: desk.now + 100 });
        await inside?.();
      };
      await desk.deliver(first.message, { mortality: new Mortality(9, 'after') });
      desk.queue.length = 0;
      desk.now += 60_000;
      await desk.sweep({ mortality }).catch(() => undefined);
      if (mortality.diedAt === undefined) expect(desk.queue.filter(({ ticket }) => ticket.slot)).toHaveLength(2);
      await expectAllDelivered(desk, runs, String(mortality));
    }
  });
});

describe('an attempt whose line was written before its worker died', () => {
  it.each([
    ['succeeded', 200, { status: 'COMPLETED', responseCode: 200 }],
    ['failed', 500, { status: 'FAILED', error: 'http_status', responseCode: 500 }],
  ])('and %s is not made again: the run ends by the line, at its time', async (_how, answer, end) => {
    const desk = deskWith(2);
    const { run, message } = await desk.begin(await desk.configuration({ maxAttempts: 1 }));
    desk.answers.push(answer);
    await desk.deliver(message, { mortality: new Mortality(8, 'after') });
    const [line] = await desk.lines(run);
    desk.now += 60_000;
    await desk.deliver(message);
    expect(await stored(desk, run)).toMatchObject({ ...end, completedAt: line!.endedAt });
    expect(desk.postsOf(run)).toHaveLength(1);
    expect(await desk.lines(run)).toEqual([line]);
  });

  it('is finished once, by the worker that takes over or by its own, should that live', async () => {
    for (let seed = 0; seed < times(3); seed += 1) {
      const desk = deskWith(2);
      const { run, message } = await desk.begin(await desk.configuration({ retryIntervalSeconds: 600 }));
      desk.answers.push(500);
      // Slow as it writes: another worker takes over in between.
      const slow = new Mortality();
      const live = slow.live.bind(slow);
      slow.live = async (work) => {
        if (slow.calls === 8) {
          desk.now += 50_000;
          await desk.deliver(desk.messageOf(run));
        }
        return live(work);
      };
      await desk.deliver(message, { mortality: slow });
      const now = await stored(desk, run);
      expect(now).toMatchObject({ status: 'IN_PROGRESS', attempts: 1, dispatchAttempt: 2 });
      expect(desk.postsOf(run)).toHaveLength(1);
      expect(await desk.lines(run)).toMatchObject([{ outcome: 'http_status' }]);
      expect((await desk.lines(run))[0]).not.toHaveProperty('isLate');
      const [line] = await desk.lines(run);
      expect(now && 'nextAttemptAt' in now && now.nextAttemptAt).toBe(line!.endedAt! + 600_000);
    }
  });
});
