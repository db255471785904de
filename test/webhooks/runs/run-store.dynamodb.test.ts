import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayRun } from '../../../functions/webhooks/runs/replay-run.ts';
import type { LeasedRun, Run } from '../../../functions/webhooks/runs/run.ts';
import { runKey } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { claim, failed, finish, type NewRun } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { REPLAYS_MAX } from '../../../shared/replay-limit.ts';
import { marshalled, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';
import { Mortality } from '../../support/faults/mortal-clients.ts';
import { MOMENTS } from '../../support/runner/thoroughness.ts';
import { type WebhookDesk, webhookDesk } from '../../support/webhooks/webhook-desk.ts';

let endpoint: LocalEndpoint;
let table: Table;
let desk: WebhookDesk;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
  desk = webhookDesk({ table });
});
afterAll(() => endpoint.close());

const mortalStore = (mortality: Mortality) =>
  runStore({
    table: { name: table.name, client: mortality.bind(table.client) },
    retentionDays: 30,
  });

function claimed(run: Run, token: string, now = desk.now): LeasedRun {
  const step = claim(run, run.attempts + 1, { now, token });
  if (step.kind !== 'attempt') throw new Error(`It was ${step.kind}.`);
  return step.run;
}

const succeeded = (run: LeasedRun) => finish(run, run.lease.token, { succeeded: true, responseCode: 200 }, desk.now)!;

/** A stored run that has failed. */
async function failedRun(own: Partial<NewRun> = {}) {
  const configuration = await desk.configuration();
  const { run, payload } = desk.newRun(configuration, own);
  const ended = failed(run, 'timeout', desk.now)!;
  await desk.runs.create(ended, payload);
  return { original: ended, configuration };
}

describe('a run that is created', () => {
  it('by twenty at the same time is stored once, with the payload of one of them, and all get that one', async () => {
    const configuration = await desk.configuration();
    const { run } = desk.newRun(configuration);
    const facts = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        desk.runs.create(
          { ...run, createdAt: run.createdAt + n },
          { body: Buffer.from(`body ${n}`), headers: [['X-N', String(n)]], createdAt: run.createdAt + n },
        ),
      ),
    );
    const stored = (await desk.runs.byId(run))!;
    expect(facts).toEqual(Array.from({ length: 20 }, () => stored));
    const payload = (await desk.runs.payload(run))!;
    const n = payload.createdAt - run.createdAt;
    expect(stored.createdAt).toBe(payload.createdAt);
    expect(Buffer.from(payload.body).toString()).toBe(`body ${n}`);
    expect(payload.headers).toEqual([['X-N', String(n)]]);
  });

  it('again after its maker died between payload and run has the first payload and its time', async () => {
    const { run, payload } = desk.newRun(await desk.configuration());
    await expect(mortalStore(new Mortality(1, 'after')).create(run, payload)).rejects.toThrow();
    expect(await desk.runs.byId(run)).toBeUndefined();
    const later = run.createdAt + 5_000;
    const made = await desk.runs.create(
      { ...run, createdAt: later },
      { body: Buffer.from('another'), headers: [], createdAt: later },
    );
    expect(made.createdAt).toBe(run.createdAt);
    expect(await desk.runs.payload(run)).toMatchObject({ createdAt: run.createdAt });
    expect(Buffer.from((await desk.runs.payload(run))!.body)).toEqual(payload.body);
  });

  it('again after it was attempted is returned as it is, and changes nothing', async () => {
    const { run, payload } = desk.newRun(await desk.configuration());
    await desk.runs.create(run, payload);
    const attempted = claimed(run, 'mine');
    await desk.runs.replace(attempted);
    expect(await desk.runs.create(run, payload)).toEqual(attempted);
    expect(await desk.runs.byId(run)).toEqual(attempted);
  });

  it('is kept apart by tenant', async () => {
    const { run, payload } = desk.newRun(await desk.configuration());
    await desk.runs.create(run, payload);
    expect(await desk.runs.byId({ tenant: 'other', id: run.id })).toBeUndefined();
    expect(await desk.runs.payload({ tenant: 'other', id: run.id })).toBeUndefined();
  });
});

describe('a change of a run', () => {
  it('is made by one of twenty workers that saw the same state', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const steps = Array.from({ length: 20 }, (_, n) => claimed(run, `token ${n}`));
    const done = await Promise.all(steps.map((step) => desk.runs.replace(step)));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await desk.runs.byId(run)).toEqual(steps[done.indexOf(true)]);
  });

  it('that is sent twice, as the SDK does when an answer is lost, counts as made', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const step = claimed(run, 'mine');
    expect([await desk.runs.replace(step), await desk.runs.replace(step)]).toEqual([true, true]);
    const end = succeeded(step);
    expect([await desk.runs.finish(end, 'mine'), await desk.runs.finish(end, 'mine')]).toEqual([true, true]);
  });

  it('by a worker whose lease was taken over does not count', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const first = claimed(run, 'first');
    await desk.runs.replace(first);
    const claims = claim(first, 1, { now: first.lease.until, token: 'second' });
    if (claims.kind !== 'attempt') throw new Error(claims.kind);
    await desk.runs.replace(claims.run);
    expect(await desk.runs.finish(succeeded(first), 'first')).toBe(false);
    expect(await desk.runs.byId(run)).toEqual(claims.run);
    const end = finish(claims.run, 'second', { succeeded: false, error: 'timeout' }, desk.now)!;
    expect(await desk.runs.finish(end, 'second')).toBe(true);
    expect(await desk.runs.finish(succeeded(first), 'first')).toBe(false);
    expect(await desk.runs.byId(run)).toEqual(end);
  });

  it('is not undone by a sweeper that saw the run before', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const step = claimed(run, 'mine');
    await desk.runs.replace(step);
    await desk.due.postponeSweep(run, { nextSweepAt: 1, sweeps: 1 });
    expect(await desk.runs.byId(run)).toEqual(step);
  });
});

/** The expiry of a run's items by sort key, in seconds since 1970. */
async function expiries({ tenant, id }: Run) {
  const { Items: items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: marshalled({ ':pk': runKey({ tenant, id }).pk }),
    }),
  );
  return Object.fromEntries(items.map((item) => unmarshall(item)).map(({ sk, ttl }) => [sk, ttl]));
}

describe('the retention of a run', () => {
  const KEPT_SECONDS = 30 * 86_400;

  it('begins when it is made, for it and its payload, whatever is written later; for an attempt when that begins', async () => {
    const { run } = await desk.begin(await desk.configuration());
    const ends = Math.floor(run.createdAt / 1_000) + KEPT_SECONDS;
    expect(await expiries(run)).toEqual({ PAYLOAD: ends, RUN: ends });
    const startedAt = run.createdAt + 5_000_000;
    const step = claimed(run, 'mine', startedAt);
    await desk.runs.replace(step);
    const lost = { attempt: 1, part: 0, targetUrl: run.targetUrl, startedAt, outcome: 'interrupted' as const };
    const existing = { ...lost, outcome: 'succeeded' as const };
    await desk.runs.addInterrupted(run, lost);
    await desk.runs.addAttempt(run, { ...existing, part: 1 });
    await desk.runs.addLate(run, { ...existing, part: 2, isLate: true });
    const lines = ['ATTEMPT#01.0', 'ATTEMPT#01.1', 'ATTEMPT#01.2'].map((line) => [line, ends + 5_000]);
    const all = { PAYLOAD: ends, RUN: ends, ...Object.fromEntries(lines) };
    expect(await expiries(run)).toEqual(all);
    await desk.runs.finish(succeeded(step), 'mine');
    expect(await expiries(run)).toEqual(all);
  });
});

describe('a line of the log', () => {
  const line = {
    attempt: 1,
    part: 0,
    targetUrl: 'https://example.com/hooks',
    startedAt: 5,
    outcome: 'interrupted' as const,
  };

  const existing = { ...line, endedAt: 9, outcome: 'succeeded' as const, statusCode: 200 };

  it('that has an outcome is found by the worker that takes over, and stays', async () => {
    const { run } = await desk.begin(await desk.configuration());
    expect(await desk.runs.addAttempt(run, existing)).toBe(true);
    expect(await desk.runs.addAttempt(run, existing)).toBe(true);
    expect(await desk.runs.addInterrupted(run, line)).toEqual(existing);
    expect(await desk.lines(run)).toEqual([existing]);
  });

  it('that says "interrupted" gives way to none but the late line of the lost worker', async () => {
    const { run } = await desk.begin(await desk.configuration());
    for (let tries = 0; tries < 2; tries += 1) expect(await desk.runs.addInterrupted(run, line)).toBeUndefined();
    expect(await desk.runs.addAttempt(run, existing)).toBe(false);
    expect(await desk.lines(run)).toEqual([line]);
    await desk.runs.addLate(run, { ...existing, isLate: true });
    // Nor does that one count for the next worker.
    expect(await desk.runs.addInterrupted(run, line)).toBeUndefined();
    expect(await desk.lines(run)).toEqual([{ ...existing, isLate: true }]);
  });
});

describe('a replay', () => {
  const replayOf = (original: Run) =>
    replayRun({ runs: desk.runs, configurations: desk.configurations }, original, { id: newId('run'), now: desk.now });

  it(`is made ${REPLAYS_MAX} times of 20 requests at the same time, and counted as often`, async () => {
    const { original } = await failedRun();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => replayOf(original)));
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(made).toHaveLength(REPLAYS_MAX);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['replays-spent']));
    expect(await desk.runs.byId(original)).toMatchObject({ replays: REPLAYS_MAX, status: 'FAILED' });
    for (const run of made) {
      expect(await desk.runs.byId(run)).toEqual(run);
      expect(await desk.runs.payload(run)).toEqual(await desk.runs.payload(original));
      expect(run.idempotencyKey).toBe(original.idempotencyKey);
    }
  });

  it('is not made of a run that has not failed, is resolved, or is a replay, whatever its caller has seen', async () => {
    const configuration = await desk.configuration();
    const { run: created } = await desk.begin(configuration);
    const { run: completed } = await desk.begin(configuration);
    const attempted = claimed(completed, 'mine');
    await desk.runs.replace(attempted);
    await desk.runs.finish(succeeded(attempted), 'mine');
    const { original: resolved } = await failedRun({ resolvedBy: 'run_other' });
    const { original: replay } = await failedRun({ replayOf: 'run_other' });
    for (const original of [created, completed, resolved, replay]) {
      const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
      expect(await desk.runs.createReplay(original, run, payload)).toBe('not-replayable');
      expect(await desk.runs.byId(run)).toBeUndefined();
      expect(await desk.runs.byId(original)).toMatchObject({ replays: 0 });
      await expect(replayOf((await desk.runs.byId(original))!)).rejects.toMatchObject({ status: 409 });
    }
  });

  it('is not made when its configuration was deleted during the request, and is not counted', async () => {
    const { original, configuration } = await failedRun();
    await desk.configurations.remove({ tenant: 'acme', id: configuration.id });
    const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
    expect(await desk.runs.createReplay(original, run, payload)).toBe('configuration-missing');
    expect(await desk.runs.byId(original)).toEqual(original);
    expect(await desk.runs.byId(run)).toBeUndefined();
  });

  it('is not made when its configuration was disabled during the request, and is not counted', async () => {
    const { original, configuration } = await failedRun();
    await desk.configurations.change(configuration, (stored) => ({ ...stored, enabled: false }));
    const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
    expect(await desk.runs.createReplay(original, run, payload)).toBe('configuration-disabled');
    expect(await desk.runs.byId(original)).toEqual(original);
    expect(await desk.runs.byId(run)).toBeUndefined();
  });

  it('that is requested twice under one id is made and counted once', async () => {
    const { original, configuration } = await failedRun();
    const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
    const outcomes = [];
    for (let n = 0; n < 2; n += 1) outcomes.push(await desk.runs.createReplay(original, run, payload));
    expect(outcomes).toEqual(['created', 'exists']);
    expect((await desk.runs.byId(original))?.replays).toBe(1);
  });

  it('exists with its count, or not at all, when its maker dies at any call', async () => {
    for (const when of MOMENTS) {
      for (let call = 1; call <= 2; call += 1) {
        const { original, configuration } = await failedRun();
        const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
        await expect(mortalStore(new Mortality(call, when)).createReplay(original, run, payload)).rejects.toThrow();
        const isThere = (await desk.runs.byId(run)) !== undefined;
        expect(isThere).toBe(call === 2 && when === 'after');
        expect((await desk.runs.byId(original))?.replays).toBe(isThere ? 1 : 0);
      }
    }
  });

  it('resolves its original once: the first of three that succeed at the same time, whatever order they are seen in', async () => {
    const { original, configuration } = await failedRun();
    const finishing: LeasedRun[] = [];
    for (let n = 0; n < REPLAYS_MAX; n += 1) {
      const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
      await desk.runs.createReplay(original, run, payload);
      const attempted = claimed(run, `token ${n}`);
      await desk.runs.replace(attempted);
      finishing.push(attempted);
    }
    const done = await Promise.all(finishing.map((run) => desk.runs.finish(succeeded(run), run.lease.token)));
    expect(done).toEqual([true, true, true]);
    const resolvedBy = (await desk.runs.byId(original))?.resolvedBy;
    expect(finishing.map(({ id }) => id)).toContain(resolvedBy);
    for (const run of finishing) expect((await desk.runs.byId(run))?.status).toBe('COMPLETED');
    // Repeated, it changes nothing.
    await desk.runs.finish(succeeded(finishing[0]!), finishing[0]!.lease.token);
    expect((await desk.runs.byId(original))?.resolvedBy).toBe(resolvedBy);
  });

  it('that fails, or has lost its lease, resolves nothing', async () => {
    const { original, configuration } = await failedRun();
    const { run, payload } = desk.newRun(configuration, { replayOf: original.id });
    await desk.runs.createReplay(original, run, payload);
    const attempted = claimed(run, 'mine');
    await desk.runs.replace(attempted);
    expect(await desk.runs.finish(succeeded(attempted), 'theirs')).toBe(false);
    const end = finish({ ...attempted, maxAttempts: 1 }, 'mine', { succeeded: false, error: 'timeout' }, desk.now)!;
    expect(await desk.runs.finish(end, 'mine')).toBe(true);
    expect((await desk.runs.byId(original))?.resolvedBy).toBeUndefined();
  });
});
