import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sweepRuns } from '../../../functions/webhooks/deliveries/sweep-runs.ts';
import type { Run } from '../../../functions/webhooks/runs/run.ts';
import { runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { isThorough, MOMENTS } from '../../support/runner/thoroughness.ts';
import { waiting } from '../../support/webhooks/run-states.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
let desk: WebhookDesk;
let tables = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
beforeEach(async () => {
  // A table of its own: the sweeper looks at all runs.
  table = await createWebhooksTable(endpoint, `webhooks-${(tables += 1)}`);
  desk = webhookDesk({ table });
  desk.hasStream = false;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => endpoint.close());

/** Reads the stored run, which waits. */
const stored = async (run: Run) => waiting(await desk.runs.byId(run));
const sent = () => desk.queue.map(({ ticket }) => ticket.run);

const always = async () => 0;

describe('the sweeper', () => {
  it('sends runs that were not announced for a minute, and nothing before that', async () => {
    const { run } = await desk.begin(await desk.configuration());
    desk.now += 59_999;
    expect(await desk.sweep()).toMatchObject({ sent: 0 });
    desk.now += 1;
    expect(await desk.sweep()).toMatchObject({ looked: 1, sent: 1, oldestMillis: 60_000, isCut: false });
    expect(sent()).toEqual([run.id]);
  });

  it('reports announced runs that no message reached: once, and not while messages are on their way', async () => {
    const waiting = await desk.begin(await desk.configuration());
    desk.queue.push({ ...waiting.message, visibleAt: Number.POSITIVE_INFINITY });
    desk.now += 60_000;
    expect(await desk.sweep()).toMatchObject({ sent: 1, unannounced: 0 });
    desk.queue.length = 0;
    await desk.begin(await desk.configuration());
    desk.now += 60_000;
    expect(await desk.sweep()).toMatchObject({ sent: 2, unannounced: 1 });
    desk.queue.length = 0;
    desk.now += 60_000;
    expect(await desk.sweep()).toMatchObject({ unannounced: 0 });
  });

  it('records when to look again only after it has sent: a death in between sends twice and loses nothing', async () => {
    const { run } = await desk.begin(await desk.configuration());
    desk.now += 60_000;
    // Sixteen shards, which are only read, the run, the message, the note.
    for (let call = isThorough ? 1 : 16; call <= 19; call += 1) {
      for (const when of MOMENTS) {
        desk.queue.length = 0;
        const before = await stored(run);
        const { nextSweepAt } = before;
        await expect(desk.sweep({ mortality: new Mortality(call, when) })).rejects.toThrow();
        const wasNoted = (await stored(run)).nextSweepAt !== nextSweepAt;
        if (wasNoted) expect(sent()).toEqual([run.id]);
        expect(wasNoted).toBe(call === 19 && when === 'after');
      }
    }
  });

  it('comes back to a run later and later while messages are on their way, and at once when there are none', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const other = await desk.begin(await desk.configuration());
    desk.queue.push({ ...other.message, visibleAt: Number.POSITIVE_INFINITY });
    const looks: number[] = [];
    for (let minute = 1; minute <= (isThorough ? 40 : 16); minute += 1) {
      desk.now += 60_000;
      await desk.sweep();
      if (sent().filter((id) => id === run.id).length > looks.length) looks.push(minute);
    }
    expect(looks).toEqual([1, 2, 4, 8, 16, ...(isThorough ? [31] : [])]);
    desk.queue.length = 0;
    await desk.sweep();
    expect(sent()).toContain(run.id);
  });

  it('leaves runs alone whose message is yet to come, also when the queues are empty', async () => {
    const { run, message } = await desk.begin(await desk.configuration({ retryIntervalSeconds: 600 }));
    desk.answers.push(500);
    await desk.deliver(message);
    expect((await stored(run)).nextAttemptAt).toBeGreaterThan(desk.now + 590_000);
    expect(await desk.sweep()).toMatchObject({ sent: 0 });
    desk.now += 640_000;
    expect(await desk.sweep()).toMatchObject({ sent: 1 });
  });

  it('sends retries after more than a quarter of an hour before they are due, and never early ones', async () => {
    const { run, message } = await desk.begin(await desk.configuration({ retryIntervalSeconds: 1_200 }));
    desk.answers.push(500);
    await desk.deliver(message);
    expect(desk.queue).toEqual([]);
    const due = (await stored(run)).nextAttemptAt;
    expect(await desk.ended(run)).toMatchObject({ status: 'COMPLETED', attempts: 2 });
    const [, second] = desk.postsOf(run);
    expect(second!.at).toBeGreaterThanOrEqual(due);
    expect(second!.at).toBeLessThan(due + 2_000);
  });

  it('does no harm with a clock that is two seconds ahead or behind', async () => {
    for (const aheadMillis of [-2_000, 2_000]) {
      const { run, message } = await desk.begin(await desk.configuration({ retryIntervalSeconds: 1_000 }));
      desk.answers.push(500);
      await desk.deliver(message);
      const due = (await stored(run)).nextAttemptAt;
      // A few sweeps before that.
      desk.now = due - 190_000;
      while ((await desk.runs.byId(run))?.status === 'IN_PROGRESS') {
        desk.now += 5_000;
        if (desk.now % 60_000 < 5_000) await desk.sweep({ aheadMillis });
        for (let next = desk.receive(); next; next = desk.receive()) await desk.deliver(next);
      }
      const [, second, ...others] = desk.postsOf(run);
      expect(others).toEqual([]);
      expect(second!.at).toBeGreaterThanOrEqual(due);
    }
  });

  it('sends all others when one cannot be sent, and reports the failure', async () => {
    const runs: Run[] = [];
    const configuration = await desk.configuration();
    for (let n = 0; n < 12; n += 1) runs.push((await desk.begin(configuration)).run);
    desk.now += 60_000;
    const [bad] = runs;
    const helped: string[] = [];
    const sweep = () =>
      sweepRuns({
        runs: desk.due,
        deliveringFrom: always,
        startParked: async () => 0,
        queued: async () => ({ all: 0, waiting: 0 }),
        sendAll: async (deliveries) => {
          const unsent = deliveries.filter(({ ticket }) => ticket.run === bad!.id);
          helped.push(...deliveries.filter((one) => !unsent.includes(one)).map(({ ticket }) => ticket.run));
          return unsent;
        },
        now: () => desk.now,
        until: desk.now + 50_000,
      });
    expect(await sweep()).toMatchObject({ looked: 12, sent: 11 });
    // A run that was not sent is not recorded, and so is sent the next time.
    expect((await stored(bad!)).sweeps).toBe(0);
    expect(helped.toSorted()).toEqual(
      runs
        .slice(1)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('starts the parked runs of all others when those of one configuration cannot be started, and reports it', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => ({ tenant: 'acme', configurationId: `cfg_${n}` }));
    for (const key of keys) await desk.admission.noteParking(key, await desk.admission.load(key), desk.now);
    const { run } = await desk.begin(await desk.configuration());
    desk.now += 60_000;
    const refusal = new Error('The table refuses.');
    const tried: string[] = [];
    const swept = await sweepRuns({
      runs: desk.due,
      deliveringFrom: always,
      startParked: async ({ configurationId }) => {
        tried.push(configurationId);
        if (configurationId === 'cfg_0') throw refusal;
        return 2;
      },
      queued: async () => ({ all: 1, waiting: 0 }),
      sendAll: async (deliveries) => {
        expect(deliveries.map(({ ticket }) => ticket.run)).toEqual([run.id]);
        return [];
      },
      now: () => desk.now,
      until: Number.POSITIVE_INFINITY,
    });
    expect(tried.toSorted()).toEqual(keys.map(({ configurationId }) => configurationId).toSorted());
    expect(swept).toMatchObject({ started: 22, sent: 1, failures: [refusal] });
  });

  it('sends all others when one cannot be read', async () => {
    const configuration = await desk.configuration();
    const { run: bad } = await desk.begin(configuration);
    const { run: good } = await desk.begin(configuration);
    const item = { ...runItem(bad, desk.now), status: 'OF_THE_FUTURE' };
    await table.client.send(new PutItemCommand({ TableName: table.name, Item: marshalled(item) }));
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    desk.now += 60_000;
    expect(await desk.sweep()).toMatchObject({ looked: 1, sent: 1 });
    expect(printed.mock.calls.join()).toContain(bad.id);
    expect(sent()).toEqual([good.id]);
  });

  it('ends in time and leaves the rest to the next sweep', async () => {
    await desk.begin(await desk.configuration());
    desk.now += 60_000;
    const sends: string[] = [];
    const sweep = (until: number) =>
      sweepRuns({
        runs: desk.due,
        deliveringFrom: always,
        startParked: async () => 0,
        queued: async () => ({ all: 1, waiting: 0 }),
        sendAll: async (deliveries) => {
          sends.push(...deliveries.map(({ ticket }) => ticket.run));
          return [];
        },
        now: () => desk.now,
        until,
      });
    await sweep(desk.now - 1);
    expect(sends).toEqual([]);
    await sweep(desk.now);
    expect(sends).toHaveLength(1);
  });

  it('adds nothing to a long backlog at first, and in the end sends what may have been lost', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const from = desk.now;
    const sends: number[] = [];
    const sweep = () =>
      sweepRuns({
        runs: desk.due,
        deliveringFrom: always,
        startParked: async () => 0,
        queued: async () => ({ all: 20_000, waiting: 20_000 }),
        sendAll: async (deliveries) => {
          sends.push(...deliveries.map(() => (desk.now - from) / 60_000));
          return [];
        },
        now: () => desk.now,
        until: Number.POSITIVE_INFINITY,
      });
    for (let minute = 1; minute <= (isThorough ? 45 : 16); minute += 1) {
      desk.now = from + minute * 60_000;
      await sweep();
    }
    // After 1, 2, 4 and 8 minutes more.
    expect(sends).toEqual([8, 16, ...(isThorough ? [31] : [])]);
    expect((await stored(run)).sweeps).toBe(isThorough ? 6 : 5);
  });

  it('finds every run of many, in batches and over all parts of the index', async () => {
    const configuration = await desk.configuration();
    const runs: { run: Run }[] = [];
    // A few at a time, or a busy machine is late to take so many connections.
    while (runs.length < 230) {
      runs.push(...(await Promise.all(Array.from({ length: 10 }, () => desk.begin(configuration)))));
    }
    desk.now += 60_000;
    expect(await desk.sweep()).toMatchObject({ looked: 230, sent: 230 });
    expect(new Set(sent())).toEqual(new Set(runs.map(({ run }) => run.id)));
  });
});
