import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkReplay, PageTicket } from '../../../functions/webhooks/bulk-replays/bulk-replay.ts';
import { bulkReplayKey, runningKey } from '../../../functions/webhooks/bulk-replays/bulk-replay-items.dynamodb.ts';
import { wakeBulkReplays } from '../../../functions/webhooks/bulk-replays/wake-bulk-replays.ts';
import type { EndedRun, Run } from '../../../functions/webhooks/runs/run.ts';
import { getItem } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { Killed, Mortality, unlessKilled } from '../../support/faults/mortal-clients.ts';
import { deaths, isThorough } from '../../support/runner/thoroughness.ts';
import { createReplayDesk, type ReplayDesk, START } from '../../support/webhooks/replay-desk.ts';

const MINUTE = 60_000;

let endpoint: LocalEndpoint;
let desk: ReplayDesk;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  desk = await createReplayDesk(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

interface Mixed {
  readonly tenant: string;
  /** The runs that a bulk replay replays. */
  readonly replayable: readonly string[];
}

/** Runs of which three can be replayed and two cannot; with pages of three, that is two pages. */
async function mixedRuns(): Promise<Mixed> {
  const owner = await desk.tenant();
  const states: Partial<EndedRun>[] = [
    {},
    { resolvedBy: 'run_earlier' },
    {},
    { replays: 3 },
    {},
    { replayOf: 'run_earlier' },
    { status: 'COMPLETED' },
  ];
  const runs = await Promise.all(states.map((own) => desk.failedRun(owner, own)));
  const replayable = runs.filter((_, index) => Object.keys(states[index] ?? {}).length === 0);
  return { tenant: owner.tenant, replayable: sorted(replayable.map(({ id }) => id)) };
}

const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b));
const originalsOf = (replays: readonly Run[]) => sorted(replays.map(({ replayOf = '' }) => replayOf));

/** Whatever happened: each run was replayed once, the counts say so, and the next bulk replay may start. */
async function expectDone({ tenant, replayable }: Mixed, { id }: { id: string }, place = '') {
  const made = await desk.replaysMade({ tenant, id });
  expect(originalsOf(made), place).toEqual(replayable);
  expect(await desk.replay({ tenant, id }), place).toMatchObject({
    status: 'COMPLETED',
    replayed: replayable.length,
    skipped: { resolved: 1, 'replays-spent': 1 },
    pages: 2,
  });
  const originals = (await desk.allRuns(tenant)).filter((run) => replayable.includes(run.id));
  for (const { replays } of originals) expect(replays, place).toBe(1);
  const next = await desk.start(tenant, { from: START - 1 });
  await desk.runAll(next.sent);
}

describe('a bulk replay', () => {
  it('makes one replay of every failed run that can be replayed, and counts those that cannot', async () => {
    const mixed = await mixedRuns();
    const { replay, sent } = await desk.start(mixed.tenant);
    expect(sent).toEqual([{ tenant: mixed.tenant, id: replay.id, page: 0 }]);
    await desk.runAll(sent);
    await expectDone(mixed, replay);
    const [first] = await desk.replaysMade(replay);
    expect(await desk.runs.payload(first!)).toMatchObject({ body: new Uint8Array(Buffer.from('{}')) });
  });

  it('keeps to its filter, and to runs that were made before it', async () => {
    const owner = await desk.tenant();
    const other = await desk.tenant();
    const old = await desk.failedRun(owner);
    const one = await desk.failedRun(owner);
    const breach = await desk.failedRun(owner, { module: 'breach' });
    const named = await desk.failedRun(owner, { record: 'subject request: odd' });
    const late = await desk.failedRun(owner, { createdAt: START });
    await desk.failedRun(other);
    const replayedBy = async (filter: object) => {
      const { replay, sent } = await desk.start(owner.tenant, filter);
      await desk.runAll(sent);
      await desk.failAll(owner.tenant);
      return originalsOf(await desk.replaysMade(replay));
    };
    expect(await replayedBy({ module: 'breach' })).toEqual([breach.id]);
    expect(await replayedBy({ record: 'odd' })).toEqual([named.id]);
    expect(await replayedBy({ configuration: 'cfg_other' })).toEqual([]);
    expect(await replayedBy({ to: one.createdAt })).toEqual([old.id]);
    expect(await replayedBy({ from: one.createdAt })).toEqual(sorted([one.id, breach.id, named.id]));
    expect(await replayedBy({ to: START + MINUTE })).toEqual(sorted([old.id, one.id, breach.id, named.id]));
    expect(await desk.runs.byId(late)).toMatchObject({ replays: 0 });
    expect(await desk.allRuns(other.tenant)).toHaveLength(1);
  });

  it('skips runs whose configuration is gone', async () => {
    const owner = await desk.tenant();
    await desk.failedRun(owner);
    await desk.deleteConfiguration(owner.tenant, owner.configuration.id);
    const { replay, sent } = await desk.start(owner.tenant);
    await desk.runAll(sent);
    expect(await desk.replay(replay)).toMatchObject({
      status: 'COMPLETED',
      replayed: 0,
      skipped: { 'configuration-missing': 1 },
    });
  });

  it('skips runs whose configuration is disabled, and replays them when it is asked to later', async () => {
    const owner = await desk.tenant();
    const { id } = await desk.failedRun(owner);
    await desk.configurations.change(owner.configuration, (stored) => ({ ...stored, enabled: false }));
    const { replay, sent } = await desk.start(owner.tenant);
    await desk.runAll(sent);
    expect(await desk.replay(replay)).toMatchObject({
      status: 'COMPLETED',
      replayed: 0,
      skipped: { 'configuration-disabled': 1 },
    });
    await desk.configurations.change(owner.configuration, (stored) => ({ ...stored, enabled: true }));
    const again = await desk.start(owner.tenant);
    await desk.runAll(again.sent);
    expect(await desk.replay(again.replay)).toMatchObject({ replayed: 1, skipped: {} });
    expect(await desk.replaysMade(again.replay)).toMatchObject([{ replayOf: id }]);
  });

  it('skips a run whose replay is in progress, and replays it when that has failed', async () => {
    const owner = await desk.tenant();
    await desk.failedRun(owner);
    const outcomes: [number, object][] = [];
    for (const isOver of [false, true, true]) {
      const { replay, sent } = await desk.start(owner.tenant);
      await desk.runAll(sent);
      const { replayed, skipped } = await desk.replay(replay);
      outcomes.push([replayed, skipped]);
      if (isOver) await desk.failAll(owner.tenant);
    }
    expect(outcomes).toEqual([
      [1, {}],
      [0, { 'replay-in-progress': 1 }],
      [1, {}],
    ]);
  });

  it('replays a run again that failed again, up to three times', async () => {
    const owner = await desk.tenant();
    const { id } = await desk.failedRun(owner);
    const counts: [number, object][] = [];
    for (let n = 0; n < 4; n += 1) {
      const { replay, sent } = await desk.start(owner.tenant);
      await desk.runAll(sent);
      const { replayed, skipped } = await desk.replay(replay);
      counts.push([replayed, skipped]);
      await desk.failAll(owner.tenant);
    }
    expect(counts).toEqual([
      [1, {}],
      [1, {}],
      [1, {}],
      [0, { 'replays-spent': 1 }],
    ]);
    expect(await desk.runs.byId({ tenant: owner.tenant, id })).toMatchObject({ replays: 3 });
  });

  it('is the only one of its tenant, until it has ended', async () => {
    const mixed = await mixedRuns();
    const starts = await Promise.allSettled([1, 2, 3].map(() => desk.start(mixed.tenant)));
    const [started, ...more] = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(more).toEqual([]);
    for (const one of starts) {
      if (one.status === 'rejected') {
        expect(one.reason).toMatchObject({
          status: 409,
          code: 'replay-running',
          detail: expect.stringContaining(started!.replay.id),
        });
      }
    }
    const other = await desk.start((await desk.tenant()).tenant);
    await desk.runAll([...other.sent, ...started!.sent]);
    await expectDone(mixed, started!.replay);
  });

  it('belongs to its tenant, and is listed newest first', async () => {
    const [{ tenant }, { tenant: other }] = [await desk.tenant(), await desk.tenant()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { replay, sent } = await desk.start(tenant, {}, { now: START + n });
      await desk.runAll(sent);
      ids.unshift(replay.id);
    }
    const first = await desk.replays.list(tenant, { limit: 2 });
    const rest = await desk.replays.list(tenant, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect((await desk.replays.list(other, { limit: 2 })).items).toEqual([]);
    expect(await desk.replays.byId({ tenant: other, id: ids[0]! })).toBeUndefined();
    await expect(desk.cancel({ tenant: other, id: ids[0]! })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('the items of a bulk replay', () => {
  it('expire when its retention is over, and not before', async () => {
    const { tenant } = await desk.tenant();
    const { replay, sent } = await desk.start(tenant);
    for (const key of [bulkReplayKey(replay), runningKey(tenant)]) {
      const { ttl } = (await getItem(desk.table, key))!;
      expect([key.sk, ttl]).toEqual([key.sk, Date.UTC(2026, 11, 1) / 1_000]);
    }
    await desk.runAll(sent);
  });
});

describe('a worker that dies', () => {
  it('at any of its calls, before or after they reach AWS, leaves the same replays and counts', {
    timeout: 240_000,
  }, async () => {
    let deliversBefore = false;
    for (const mortality of deaths()) {
      const mixed = await mixedRuns();
      const { replay, sent } = await desk.start(mixed.tenant);
      let died = false;
      deliversBefore = !deliversBefore;
      const queue = [...sent];
      for (let minute = 3; (await desk.replay(replay)).status === 'RUNNING'; minute += 3) {
        for (let ticket = queue.shift(); ticket; ticket = queue.shift()) {
          try {
            queue.push(...(await desk.run(ticket, died ? {} : { mortality })));
          } catch (error) {
            expect(error).toBeInstanceOf(Killed);
            died = true;
            // What was replayed may succeed before the message comes again.
            if (deliversBefore) await desk.deliverAll(mixed.tenant);
            queue.push(ticket);
          }
        }
        queue.push(...(await desk.wake(mixed.tenant, START + minute * MINUTE)));
      }
      await expectDone(mixed, replay, `killed ${String(mortality)}`);
    }
  });

  it('while a bulk replay starts leaves nothing, or one that is found and finished', async () => {
    for (const mortality of deaths()) {
      const mixed = await mixedRuns();
      await desk.start(mixed.tenant, {}, { mortality }).catch(unlessKilled);
      await desk.runAll(await desk.wake(mixed.tenant, START + 3 * MINUTE));
      const [replay, ...more] = (await desk.replays.list(mixed.tenant, { limit: 10 })).items;
      expect(more).toEqual([]);
      if (replay) await expectDone(mixed, replay);
      else await desk.runAll((await desk.start(mixed.tenant)).sent);
    }
  });
});

describe('a waker that dies', () => {
  it('at any of its calls leaves the waking to the next, or to one some minutes later', async () => {
    for (const mortality of deaths()) {
      const mixed = await mixedRuns();
      const { replay } = await desk.start(mixed.tenant);
      const now = START + 2 * MINUTE;
      await desk.wake(mixed.tenant, now, { mortality }).catch(unlessKilled);
      const sent = [1, 2, 3, 4].map((minute) => () => desk.wake(mixed.tenant, now + minute * MINUTE));
      for (const wake of sent) await desk.runAll(await wake());
      await expectDone(mixed, replay);
    }
  });
});

describe('messages', () => {
  it('that come twice, late, in any order and at once change nothing', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(9)), async (chances) => {
        const chance = () => chances.next().value as number;
        const mixed = await mixedRuns();
        const { replay, sent } = await desk.start(mixed.tenant);
        const queue = [...sent, ...sent];
        let copies = 12;
        while (queue.length > 0) {
          const taken = queue.splice(chance() % queue.length, 1 + (chance() % 3));
          for (const ticket of taken) {
            if (copies === 0 || chance() >= 3) continue;
            queue.push(ticket);
            copies -= 1;
          }
          const outcomes = await Promise.all(taken.map((ticket) => desk.run(ticket)));
          if (chance() < 3) await desk.deliverAll(mixed.tenant);
          queue.push(...outcomes.flat());
        }
        await expectDone(mixed, replay);
      }),
      { numRuns: isThorough ? 20 : 2 },
    );
  });

  it('of a page that is done, or of none, mean nothing', async () => {
    const mixed = await mixedRuns();
    const { replay, sent } = await desk.start(mixed.tenant);
    const [second] = await desk.run(sent[0]!);
    const before = await desk.replay(replay);
    expect(await desk.run(sent[0]!)).toEqual([]);
    expect(await desk.run({ ...sent[0]!, page: 7 })).toEqual([]);
    expect(await desk.run({ ...sent[0]!, id: 'rpl_none' })).toEqual([]);
    expect(await desk.run({ ...second!, tenant: 'somebody-else' })).toEqual([]);
    expect(await desk.replay(replay)).toEqual(before);
    await desk.runAll([second!]);
    await expectDone(mixed, replay);
  });

  it('leave a page as the first worker recorded it, which may record it twice', async () => {
    const mixed = await mixedRuns();
    const { replay, sent } = await desk.start(mixed.tenant);
    const { cursor: _, ...first } = { ...replay, pages: 1, progressedAt: START + 5 };
    expect(await desk.replays.save(first)).toBe(true);
    expect(await desk.replays.save(first)).toBe(true);
    expect(await desk.replays.save({ ...first, progressedAt: START + 6 })).toBe(false);
    expect(await desk.replays.save({ ...first, pages: 3 })).toBe(false);
    expect(await desk.replay(replay)).toEqual(first);
    await desk.cancel(replay);
    expect(await desk.replays.save({ ...first, pages: 2 })).toBe(false);
    expect(await desk.run(sent[0]!)).toEqual([]);
  });

  it('that are lost are sent again after two silent minutes, then less and less often', async () => {
    const mixed = await mixedRuns();
    const { replay } = await desk.start(mixed.tenant);
    const woken: number[] = [];
    let last: PageTicket[] = [];
    for (let minute = 0; minute < 40; minute += 1) {
      const sent = await desk.wake(mixed.tenant, START + minute * MINUTE);
      if (sent.length === 0) continue;
      woken.push(minute);
      last = sent;
    }
    expect(woken).toEqual([2, 6, 14, 30]);
    expect(last).toHaveLength(1);
    await desk.runAll(last);
    await expectDone(mixed, replay);
    expect(await desk.wake(mixed.tenant, START + 90 * MINUTE)).toEqual([]);
  });

  it('that are lost after a page are sent again after two silent minutes, however often earlier ones were lost', async () => {
    const mixed = await mixedRuns();
    const { replay } = await desk.start(mixed.tenant);
    const wakeAt = (minute: number) => desk.wake(mixed.tenant, START + minute * MINUTE);
    const [, , ticket] = [...(await wakeAt(2)), ...(await wakeAt(6)), ...(await wakeAt(14))];
    const lost = await desk.run(ticket!, { now: START + 20 * MINUTE });
    expect(lost).toHaveLength(1);
    expect(await wakeAt(21)).toEqual([]);
    expect(await wakeAt(22)).toEqual(lost);
    await desk.runAll(lost);
    await expectDone(mixed, replay);
  });

  it('that come while webhooks of the tenant are paused do nothing, and it goes on when they do', async () => {
    const mixed = await mixedRuns();
    const { replay, sent } = await desk.start(mixed.tenant);
    desk.pausedTenants.add(mixed.tenant);
    expect(await desk.run(sent[0]!)).toEqual([]);
    expect(await desk.wake(mixed.tenant, START + 90 * MINUTE)).toEqual([]);
    expect(await desk.replay(replay)).toMatchObject({ status: 'RUNNING', replayed: 0, pages: 0 });
    desk.pausedTenants.delete(mixed.tenant);
    const woken = await desk.wake(mixed.tenant, START + 91 * MINUTE);
    expect(woken).toHaveLength(1);
    await desk.runAll(woken);
    await expectDone(mixed, replay);
  });

  it('that are lost are sent again for every tenant, when there are more than one read gives', async () => {
    const crowd = await createReplayDesk(endpoint, 'crowd');
    const started = Array.from({ length: 105 }, (_, n) => `tenant-${n}`);
    // A few at a time, or a busy machine is late to take so many connections.
    for (let n = 0; n < started.length; n += 10) {
      await Promise.all(started.slice(n, n + 10).map((tenant) => crowd.start(tenant)));
    }
    const woken = new Set<string>();
    const deps = {
      replays: crowd.replays,
      deliveringFrom: async () => 0,
      send: async ({ tenant }: PageTicket) => void woken.add(tenant),
    };
    expect(await wakeBulkReplays(deps, START + 2 * MINUTE)).toBe(started.length);
    expect(woken).toEqual(new Set(started));
  });
});

describe('a bulk replay that is cancelled', () => {
  /** Lets another process act just before one of the calls of a process. */
  class Interruption extends Mortality {
    private readonly at: number;
    private readonly work: () => Promise<unknown>;

    constructor(at: number, work: () => Promise<unknown>) {
      super();
      this.at = at;
      this.work = work;
    }

    override async live<T>(call: () => Promise<T>): Promise<T> {
      if (this.calls + 1 === this.at) await this.work();
      return super.live(call);
    }
  }

  /** The step is no multiple of the calls for one run, so that over several runs each call is covered. */
  const STRIDE = 5;

  it('at any moment of a page has made the replays that it counts, and makes no more', {
    timeout: 240_000,
  }, async () => {
    for (let at = 1, wasCancelled = true; wasCancelled; at += isThorough ? 1 : STRIDE) {
      const mixed = await mixedRuns();
      const { replay, sent } = await desk.start(mixed.tenant);
      const queue = [...sent];
      let answer: BulkReplay | undefined;
      const mortality = new Interruption(at, async () => (answer = await desk.cancel(replay)));
      for (let ticket = queue.shift(); ticket; ticket = queue.shift()) {
        queue.push(...(await desk.run(ticket, { mortality })));
      }
      wasCancelled = answer !== undefined;
      if (!answer || answer.status === 'COMPLETED') {
        await expectDone(mixed, replay);
        continue;
      }
      const place = `cancelled at call ${at}`;
      expect(answer, place).toMatchObject({ status: 'CANCELLED', completedAt: START + 2_000 });
      expect(await desk.replay(replay), place).toEqual(answer);
      expect((await desk.replaysMade(replay)).length, place).toBe(answer.replayed);
      // The next one takes up what is left, and not what is being replayed.
      const next = await desk.start(mixed.tenant, {}, { now: START + 3_000 });
      await desk.runAll([...sent, ...next.sent]);
      expect((await desk.replaysMade(next.replay)).length, place).toBe(3 - answer.replayed);
      expect((await desk.replaysMade(replay)).length, place).toBe(answer.replayed);
    }
  });

  it('by a process that dies has ended or runs on, and is cancelled the next time', async () => {
    for (const mortality of deaths()) {
      const { tenant } = await mixedRuns();
      const { replay, sent } = await desk.start(tenant);
      await desk.cancel(replay, { mortality }).catch(unlessKilled);
      expect(await desk.cancel(replay)).toMatchObject({ status: 'CANCELLED' });
      await desk.runAll(sent);
      expect(await desk.replaysMade(replay)).toEqual([]);
      await desk.cancel((await desk.start(tenant)).replay);
    }
  });

  it('twice, or after its end, stays as it is', async () => {
    const mixed = await mixedRuns();
    const first = await desk.start(mixed.tenant);
    const cancelled = await desk.cancel(first.replay);
    expect(cancelled).toMatchObject({ status: 'CANCELLED', replayed: 0 });
    const second = await desk.start(mixed.tenant);
    expect(await desk.cancel(first.replay)).toEqual(cancelled);
    await desk.runAll(second.sent);
    await expectDone(mixed, second.replay);
    expect(await desk.cancel(second.replay)).toMatchObject({ status: 'COMPLETED', replayed: 3 });
  });
});
