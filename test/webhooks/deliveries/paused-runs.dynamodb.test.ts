import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAUSED } from '../../../functions/webhooks/pauses/pause.ts';
import { presentRun, type Run } from '../../../functions/webhooks/runs/run.ts';
import { payloadKey, runKey } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { getItem, type Key, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { deaths, isThorough } from '../../support/runner/thoroughness.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

const DAY = 86_400_000;

let endpoint: LocalEndpoint;
let tables = 0;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

/** A desk with a table of its own, because a sweep checks all runs. */
async function newDesk(all = 1): Promise<{ desk: WebhookDesk; table: Table }> {
  const table = await createWebhooksTable(endpoint, `paused-${(tables += 1)}`);
  return { desk: webhookDesk({ table, limits: { all, whileSilent: 1 }, chance: () => 0 }), table };
}

const pause = (desk: WebhookDesk) => void (desk.deliveringFrom = PAUSED);
const resume = (desk: WebhookDesk) => void (desk.deliveringFrom = desk.now);

/** Messages that are visible arrive, and the sweeper comes once. */
async function aMinutePasses(desk: WebhookDesk): Promise<void> {
  desk.now += 60_000;
  for (let message = desk.receive(); message; message = desk.receive()) await desk.deliver(message);
  await desk.sweep();
}

async function runsOf(desk: WebhookDesk, count: number): Promise<Run[]> {
  const configuration = await desk.configuration();
  const runs: Run[] = [];
  for (let n = 0; n < count; n += 1) {
    const { run, message } = await desk.begin(configuration);
    desk.queue.push(message);
    runs.push(run);
    desk.now += 10;
  }
  return runs;
}

const idsOf = (runs: readonly Run[]) => runs.map(({ id }) => id);

describe('runs of a tenant whose webhooks are paused', () => {
  it('are not posted and use up no attempt, and go out in the order in which they were due once they go on', async () => {
    const { desk } = await newDesk();
    pause(desk);
    const runs = await runsOf(desk, 3);
    await aMinutePasses(desk);
    for (const run of runs) {
      const stored = await desk.runs.byId(run);
      expect(presentRun(stored!)).toMatchObject({
        status: 'CREATED',
        attempts: 0,
        paused: true,
        waitsForEndpoint: false,
      });
    }
    for (let minute = 0; minute < 5; minute += 1) await aMinutePasses(desk);
    expect([desk.posts, desk.queue]).toEqual([[], []]);
    resume(desk);
    for (const run of runs) expect(await desk.ended(run)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(desk.posts.map(({ run }) => run)).toEqual(idsOf(runs));
  });

  it('keep the attempts that they have left', async () => {
    const { desk } = await newDesk();
    const [run] = await runsOf(desk, 1);
    desk.answers.push(500);
    await desk.deliver(desk.receive()!);
    pause(desk);
    for (let minute = 0; minute < 3; minute += 1) await aMinutePasses(desk);
    expect(presentRun((await desk.runs.byId(run!))!)).toMatchObject({ attempts: 1, paused: true });
    resume(desk);
    desk.answers.push(500, 500);
    expect(await desk.ended(run!)).toMatchObject({ status: 'FAILED', attempts: 3, error: 'http_status' });
    expect(desk.postsOf(run!).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  });

  it('hand on no slot that was reserved for one of them', async () => {
    const { desk } = await newDesk(1);
    const [first, second, third] = await runsOf(desk, 3);
    desk.hasStream = false;
    const messages = [desk.receive()!, desk.receive()!, desk.receive()!];
    desk.whilePosting = async () => {
      await desk.deliver(messages[1]!);
      await desk.deliver(messages[2]!);
    };
    await desk.deliver(messages[0]!);
    // The slot was reserved for the second one, and its message is on its way.
    pause(desk);
    for (let minute = 0; minute < 3; minute += 1) await aMinutePasses(desk);
    expect(desk.posts.map(({ run }) => run)).toEqual([first!.id]);
    resume(desk);
    for (const run of [second!, third!])
      expect(await desk.ended(run)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  });

  it('have three days for their endpoint after the pause, whatever they had waited before it', async () => {
    const { desk } = await newDesk(1);
    const [run] = await runsOf(desk, 1);
    const message = desk.receive()!;
    desk.hasStream = false;
    /** Others have the only slot. */
    const occupy = (until: number) => desk.admission.enter(run!, { now: desk.now, until });
    await occupy(desk.now + 2.9 * DAY);
    await desk.deliver(message);
    desk.now += 2.9 * DAY;
    pause(desk);
    for (let day = 0; day < 5; day += 1) {
      desk.now += DAY;
      await aMinutePasses(desk);
    }
    expect(await desk.runs.byId(run!)).toMatchObject({ status: 'CREATED', isParked: true });
    resume(desk);
    await occupy(desk.now + 10 * DAY);
    desk.now += 2.9 * DAY;
    await aMinutePasses(desk);
    expect(await desk.runs.byId(run!)).toMatchObject({ status: 'CREATED', isParked: true });
    desk.now += 0.2 * DAY;
    expect(await desk.ended(run!)).toMatchObject({ status: 'FAILED', error: 'endpoint_unresponsive' });
    expect(desk.posts).toEqual([]);
  });

  it('are kept with their payloads through a pause that is longer than the delivery log', async () => {
    const { desk, table } = await newDesk();
    pause(desk);
    const [run] = await runsOf(desk, 1);
    await aMinutePasses(desk);
    const expiryOf = async (key: Key) => Number((await getItem(table, key))?.['ttl']) * 1_000;
    const [days, step] = isThorough ? [100, 1] : [40, 4];
    for (let day = 0; day < days; day += step) {
      desk.now += step * DAY;
      await desk.sweep();
      for (const key of [runKey(run!), payloadKey(run!)]) {
        expect(await expiryOf(key), `day ${day}`).toBeGreaterThan(desk.now + 20 * DAY);
      }
    }
    resume(desk);
    expect(await desk.ended(run!)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(await expiryOf(runKey(run!))).toBeGreaterThan(desk.now + 20 * DAY);
  });

  it('do not count as late: a sweep finds nothing behind', async () => {
    const { desk } = await newDesk();
    pause(desk);
    await runsOf(desk, 2);
    await aMinutePasses(desk);
    desk.now += 10 * DAY;
    const { oldestMillis, sent, unannounced } = await desk.sweep();
    expect({ sent, unannounced }).toEqual({ sent: 0, unannounced: 0 });
    // Since the look that was due, a sweep ago in life.
    expect(oldestMillis).toBeLessThan(8 * DAY);
    expect((await desk.sweep()).oldestMillis).toBe(0);
  });
});

describe('a worker that dies before or after any of its calls', () => {
  it('as it puts a run aside for a pause, loses nothing and posts nothing', async () => {
    for (const mortality of deaths()) {
      const { desk } = await newDesk();
      pause(desk);
      const [run] = await runsOf(desk, 1);
      await desk.deliver(desk.receive()!, { mortality });
      for (let minute = 0; minute < (isThorough ? 20 : 5); minute += 1) await aMinutePasses(desk);
      expect(desk.posts, String(mortality)).toEqual([]);
      resume(desk);
      expect(await desk.ended(run!), String(mortality)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    }
  });

  it('as the sweeper starts the runs after a pause, posts each of them', async () => {
    for (const mortality of deaths()) {
      const { desk } = await newDesk(2);
      pause(desk);
      const runs = await runsOf(desk, 2);
      await aMinutePasses(desk);
      resume(desk);
      await desk.sweep({ mortality }).catch(() => undefined);
      for (const run of runs) {
        expect(await desk.ended(run), String(mortality)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
      }
      expect(desk.posts.map(({ run }) => run).toSorted(), String(mortality)).toEqual(idsOf(runs).toSorted());
    }
  });
});
