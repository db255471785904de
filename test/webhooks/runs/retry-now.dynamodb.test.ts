import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { retryNow } from '../../../functions/webhooks/runs/retry-now.ts';
import type { Run } from '../../../functions/webhooks/runs/run.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const HOUR_MILLIS = 3_600_000;

/** A run whose first attempt has failed, and that waits an hour for its next one. */
async function waitingRun(): Promise<{ desk: WebhookDesk; run: Run }> {
  const desk = webhookDesk({ table });
  const { run, message } = await desk.begin(await desk.configuration({ retryIntervalSeconds: 3_600 }));
  desk.answers.push(500);
  await desk.deliver(message);
  return { desk, run };
}

describe('a run that waits an hour for its next attempt', () => {
  it('makes it at once when it is retried, and counts it like any other', async () => {
    const { desk, run } = await waitingRun();
    desk.answers.push(500);
    const before = desk.now;
    expect(await retryNow(desk.runs, run, desk.now)).toMatchObject({ attempts: 1, nextAttemptAt: desk.now });
    expect(await desk.ended(run, { copies: 2 })).toMatchObject({ status: 'COMPLETED', attempts: 3 });
    const [, second, third] = desk.postsOf(run);
    expect([second?.at, desk.postsOf(run).length]).toEqual([before, 3]);
    // What follows the attempt waits as long as before.
    expect(third?.at).toBeGreaterThanOrEqual(before + HOUR_MILLIS);
  });

  it('makes it within minutes even if its message is lost', async () => {
    const { desk, run } = await waitingRun();
    desk.hasStream = false;
    const before = desk.now;
    await retryNow(desk.runs, run, desk.now);
    expect((await desk.ended(run)).status).toBe('COMPLETED');
    expect(desk.now - before).toBeLessThan(5 * 60_000);
  });

  it('makes it once, however many have it retried at the same time', async () => {
    const { desk, run } = await waitingRun();
    const retried = await Promise.allSettled([1, 2, 3].map(() => retryNow(desk.runs, run, desk.now)));
    expect(retried.some(({ status }) => status === 'fulfilled')).toBe(true);
    await desk.ended(run, { copies: 2 });
    expect(desk.postsOf(run)).toHaveLength(2);
  });
});

describe('a run that waits for no time', () => {
  const refused = (code: string, detail: RegExp) => ({ status: 409, code, detail: expect.stringMatching(detail) });

  it('is not retried: one that has ended, whose attempt is due or in progress, or that has no slot', async () => {
    const { desk, run } = await waitingRun();
    desk.now += HOUR_MILLIS;
    await expect(retryNow(desk.runs, run, desk.now)).rejects.toMatchObject(
      refused('not-waiting', /due or in progress/),
    );
    desk.deliveringFrom = Number.POSITIVE_INFINITY;
    await desk.deliver(desk.messageOf(run, 2, 'slow'));
    await expect(retryNow(desk.runs, run, desk.now)).rejects.toMatchObject(refused('not-waiting', /free slot/));
    desk.deliveringFrom = 0;
    const { run: other } = await desk.begin(await desk.configuration());
    await desk.ended(other);
    await expect(retryNow(desk.runs, other, desk.now)).rejects.toMatchObject(refused('not-waiting', /has ended/));
  });

  it('does not exist for another tenant', async () => {
    const { desk, run } = await waitingRun();
    const key = { tenant: 'another', id: run.id };
    await expect(retryNow(desk.runs, key, desk.now)).rejects.toMatchObject({ status: 404 });
  });

  it('is said to have changed when it does so at every try', async () => {
    const { desk, run } = await waitingRun();
    const runs = { ...desk.runs, replace: async () => false };
    await expect(retryNow(runs, run, desk.now)).rejects.toMatchObject(refused('changed-meanwhile', /Try again/));
  });
});
