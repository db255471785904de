import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admission } from '../../../functions/webhooks/deliveries/admission.dynamodb.ts';
import type { ConfigurationKey, Entered } from '../../../functions/webhooks/deliveries/admission.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/local-endpoint.ts';
import { createWebhooksTable } from '../../support/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const SLOTS = 3;
const NOW = 1_000_000;
const LEASE = 45_000;

const newKey = (): ConfigurationKey => ({ tenant: 'acme', configurationId: newId('cfg') });
const desk = () => admission({ table, slots: SLOTS, chance: Math.random });
const enter = (key: ConfigurationKey, now = NOW) => desk().enter(key, { now, until: now + LEASE });

async function entered(key: ConfigurationKey, now = NOW) {
  const outcome = await enter(key, now);
  if (outcome.kind !== 'entered') throw new Error(`It was ${outcome.kind}.`);
  return outcome;
}

/** Timeouts one after the other, while this many of the other slots are taken. */
async function timeouts(key: ConfigurationKey, count: number, { taken }: { taken: number }) {
  for (let n = 0; n < taken; n += 1) await entered(key);
  for (let n = 0; n < count; n += 1) await desk().leave(key, await entered(key), 'timed-out', NOW);
}

const held = (outcomes: readonly Entered[]) => outcomes.flatMap((one) => (one.kind === 'entered' ? [one] : []));

describe('slots', () => {
  it('are never more than there are, however many come at the same time', async () => {
    const key = newKey();
    for (let round = 0; round < 5; round += 1) {
      const inside = held(await Promise.all(Array.from({ length: 30 }, () => enter(key))));
      expect(inside.length).toBeGreaterThan(0);
      expect(inside.length).toBeLessThanOrEqual(SLOTS);
      expect(new Set(inside.map(({ slot }) => slot.number)).size).toBe(inside.length);
      await Promise.all(inside.map((one) => desk().leave(key, one, 'answered', NOW)));
    }
  });

  it('are found one after the other until all are taken, and belong to one configuration', async () => {
    const key = newKey();
    for (let n = 0; n < SLOTS; n += 1) await entered(key);
    expect(await enter(key)).toEqual({ kind: 'full', hasTimedOut: false });
    await entered(newKey());
  });

  it('become free when they are left, and when their holder has died', async () => {
    const key = newKey();
    const first = await entered(key);
    for (let n = 1; n < SLOTS; n += 1) await entered(key);
    await desk().leave(key, first, 'answered', NOW);
    await entered(key);
    expect((await enter(key, NOW + LEASE - 1)).kind).toBe('full');
    await entered(key, NOW + LEASE);
  });

  it('are not released by a worker whose lease has run out', async () => {
    const key = newKey();
    const dead = await Promise.all(Array.from({ length: SLOTS }, () => enter(key)));
    const later = NOW + LEASE;
    for (let n = 0; n < SLOTS; n += 1) await entered(key, later);
    for (const one of held(dead)) await desk().leave(key, one, 'timed-out', later);
    expect((await enter(key, later)).kind).toBe('full');
  });
});

describe('an endpoint that times out', () => {
  it('is paused when that happens three times in a row with every slot taken', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: SLOTS - 1 });
    expect(await enter(key)).toEqual({ kind: 'paused', until: NOW + 15_000, pauses: 1 });
  });

  it('is known to have timed out when a worker finds no room', async () => {
    const key = newKey();
    await timeouts(key, 1, { taken: SLOTS - 1 });
    await entered(key);
    expect(await enter(key)).toEqual({ kind: 'full', hasTimedOut: true });
  });

  it('keeps its exact times as long as there is room, or an answer in between', async () => {
    const roomy = newKey();
    await timeouts(roomy, 10, { taken: SLOTS - 2 });
    await entered(roomy);
    const answering = newKey();
    await timeouts(answering, 2, { taken: SLOTS - 1 });
    await desk().leave(answering, await entered(answering), 'answered', NOW);
    await desk().leave(answering, await entered(answering), 'timed-out', NOW);
    await entered(answering);
  });

  it('gets a single attempt after its pause, however many wait for it', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: 2 });
    const after = NOW + LEASE;
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => enter(key, after)));
    expect(held(outcomes)).toHaveLength(1);
    for (const one of outcomes.filter(({ kind }) => kind === 'paused')) {
      expect(one).toEqual({ kind: 'paused', until: after + LEASE, pauses: 1 });
    }
  });

  it('gets another attempt when the worker of that one has died', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: 2 });
    await entered(key, NOW + LEASE);
    expect((await enter(key, NOW + 2 * LEASE - 1)).kind).toBe('paused');
    await entered(key, NOW + 2 * LEASE);
  });

  it('gets another attempt at once when that one was not made after all', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: 2 });
    const probe = await entered(key, NOW + LEASE);
    await desk().leave(key, probe, 'unused', NOW + LEASE + 10);
    await entered(key, NOW + LEASE + 10);
  });

  it('is paused longer and longer, up to five minutes', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: 2 });
    let now = NOW + LEASE;
    const pauses: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      await desk().leave(key, await entered(key, now), 'timed-out', now);
      const paused = await enter(key, now);
      if (paused.kind !== 'paused') throw new Error(`It was ${paused.kind}.`);
      pauses.push((paused.until - now) / 1_000);
      now = paused.until;
    }
    expect(pauses).toEqual([30, 60, 120, 240, 300, 300, 300, 300]);
  });

  it('has all its slots again, and a clean record, when it answers', async () => {
    const key = newKey();
    await timeouts(key, 3, { taken: 2 });
    const after = NOW + LEASE;
    await desk().leave(key, await entered(key, after), 'answered', after);
    for (let n = 0; n < SLOTS; n += 1) {
      const { load } = await entered(key, after);
      expect(load).toMatchObject({ timeouts: 0, pauses: 0 });
      expect(load.pausedUntil).toBeUndefined();
    }
  });
});
