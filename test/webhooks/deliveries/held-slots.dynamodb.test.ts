import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import type { Run } from '../../../functions/webhooks/runs/run.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

let tables = 0;
const deskWith = async (all: number) =>
  webhookDesk({
    table: await createWebhooksTable(endpoint, `webhooks-${(tables += 1)}`),
    limits: { all, whileSilent: 1 },
    chance: () => 0,
  });

const loadOf = (desk: WebhookDesk, { tenant, id }: Configuration) =>
  desk.admission.load({ tenant, configurationId: id });

describe('the slot of a run', () => {
  it('is its own until the deadline of the attempt: a run that comes shortly before is parked', async () => {
    const desk = await deskWith(1);
    const configuration = await desk.configuration({ retryTimeoutSeconds: 30 });
    const first = await desk.begin(configuration);
    const second = await desk.begin(configuration);
    desk.hasStream = false;
    let meanwhile: Run | undefined;
    desk.whilePosting = async () => {
      desk.now += 30_000;
      await desk.deliver(second.message);
      meanwhile = await desk.runs.byId(second.run);
    };
    await desk.deliver(first.message);
    expect(meanwhile).toMatchObject({ isParked: true, attempts: 0 });
    expect(desk.posts.map((post) => post.run)).toEqual([first.run.id]);
    expect(await desk.ended(second.run)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  });

  it('goes with it into the slow lane, so that it finds room there', async () => {
    const desk = await deskWith(1);
    const configuration = await desk.configuration({ maxAttempts: 1 });
    desk.answers.push('timeout');
    await desk.deliver((await desk.begin(configuration)).message);
    desk.hasStream = false;
    const { run, message } = await desk.begin(configuration);
    await desk.deliver(message);
    expect(desk.postsOf(run)).toEqual([]);
    const [sent] = desk.queue;
    const until = (await loadOf(desk, configuration)).slots.get(0);
    expect(sent).toMatchObject({ lane: 'slow', ticket: { run: run.id, slot: { number: 0, until } } });
    await desk.deliver(desk.receive()!);
    expect(desk.postsOf(run)).toHaveLength(1);
    expect((await loadOf(desk, configuration)).slots.size).toBe(0);
  });

  it('goes with it to the next worker, when this one has too little time left', async () => {
    const desk = await deskWith(1);
    // Workers have 140 s left here, of which they keep 8 s for their writes.
    const configuration = await desk.configuration({ retryTimeoutSeconds: 133 });
    const { run, message } = await desk.begin(configuration);
    desk.hasStream = false;
    await desk.deliver(message);
    expect(desk.posts).toEqual([]);
    const until = (await loadOf(desk, configuration)).slots.get(0);
    expect(desk.queue).toMatchObject([{ lane: 'fast', ticket: { run: run.id, slot: { number: 0, until } } }]);
  });

  it('is returned at once, when another worker is making the attempt in a slot of its own', async () => {
    const desk = await deskWith(2);
    const configuration = await desk.configuration();
    const { run, message } = await desk.begin(configuration);
    const counts: number[] = [];
    desk.whilePosting = async () => {
      const load = await loadOf(desk, configuration);
      const [slot] = await desk.admission.reserve(run, load, { count: 1, now: desk.now, until: desk.now + 15_000 });
      await desk.deliver({ ...message, ticket: { ...message.ticket, slot } });
      counts.push(load.slots.size, (await loadOf(desk, configuration)).slots.size);
    };
    await desk.deliver(message);
    expect(desk.postsOf(run)).toHaveLength(1);
    counts.push((await loadOf(desk, configuration)).slots.size);
    expect(counts).toEqual([1, 1, 0]);
  });
});
