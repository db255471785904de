import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueRuns } from '../../../functions/webhooks/runs/due-runs.dynamodb.ts';
import type { ConfigurationKey } from '../../../functions/webhooks/runs/run.ts';
import { admission } from '../../../functions/webhooks/slots/admission.dynamodb.ts';
import type { AdmissionResult, AttemptOutcome, Slot } from '../../../functions/webhooks/slots/admission.ts';
import { LOAD, LOAD_ITEM } from '../../../functions/webhooks/table-keys.ts';
import { newId } from '../../../shared/ids.ts';
import { getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const SLOTS = 5;
const SILENT = 2;
const NOW = 1_000_000;
const LEASE = 45_000;

const newKey = (): ConfigurationKey => ({ tenant: 'acme', configurationId: newId('cfg') });
/** A function of its own: it knows nothing yet. */
const desk = () => admission({ table, limits: { all: SLOTS, whileSilent: SILENT }, chance: Math.random });
const enter = (key: ConfigurationKey, now = NOW, reserved?: Slot) =>
  desk().enter(key, { now, until: now + LEASE, reserved });

async function entered(key: ConfigurationKey, now = NOW, reserved?: Slot) {
  const outcome = await enter(key, now, reserved);
  if (outcome.kind !== 'entered') throw new Error(`It was ${outcome.kind}.`);
  return outcome;
}

type HeldSlot = Awaited<ReturnType<typeof entered>>;
const leave = (key: ConfigurationKey, { slot, load }: HeldSlot, outcome: AttemptOutcome, reservedUntil?: number) =>
  desk().leave(key, slot, { outcome, now: NOW, reservedUntil, hadTimeouts: load.timeouts > 0 || load.isSilent });

/** Timeouts one after the other, while this many of the other slots are taken; the visits of those. */
async function timeouts(key: ConfigurationKey, count: number, { taken }: { taken: number }) {
  const others: HeldSlot[] = [];
  for (let n = 0; n < taken; n += 1) others.push(await entered(key));
  for (let n = 0; n < count; n += 1) await leave(key, await entered(key), 'timed-out');
  return others;
}
const silenced = (key: ConfigurationKey) => timeouts(key, 3, { taken: SLOTS - 1 });

const held = (outcomes: readonly AdmissionResult[]) => outcomes.flatMap((one) => (one.kind === 'entered' ? [one] : []));

describe('slots', () => {
  it('are never more than there are, however many come at the same time', async () => {
    const key = newKey();
    for (let round = 0; round < 5; round += 1) {
      const inside = held(await Promise.all(Array.from({ length: 30 }, () => enter(key))));
      expect(inside.length).toBeGreaterThan(0);
      expect(inside.length).toBeLessThanOrEqual(SLOTS);
      expect(new Set(inside.map(({ slot }) => slot.number)).size).toBe(inside.length);
      await Promise.all(inside.map((one) => leave(key, one, 'answered')));
    }
  });

  it('are found one after the other until all are taken, and belong to one configuration', async () => {
    const key = newKey();
    for (let n = 0; n < SLOTS; n += 1) await entered(key);
    expect(await enter(key)).toMatchObject({ kind: 'full', load: { timeouts: 0, isSilent: false } });
    await entered(newKey());
  });

  it('become free when they are left, and when their holder has died', async () => {
    const key = newKey();
    const first = await entered(key);
    for (let n = 1; n < SLOTS; n += 1) await entered(key);
    await leave(key, first, 'answered');
    await entered(key);
    expect((await enter(key, NOW + LEASE - 1)).kind).toBe('full');
    await entered(key, NOW + LEASE);
  });

  it('are not released by a worker whose lease has run out', async () => {
    const key = newKey();
    const dead = held(await Promise.all(Array.from({ length: SLOTS }, () => enter(key))));
    const later = NOW + LEASE;
    for (let n = 0; n < SLOTS; n += 1) await entered(key, later);
    for (const one of dead) expect(await leave(key, one, 'timed-out')).toBeUndefined();
    expect((await enter(key, later)).kind).toBe('full');
  });

  it('are known to be taken for a second by a function that found them so, until it returns one itself', async () => {
    const key = newKey();
    const own = desk();
    const at = (now: number) => own.enter(key, { now, until: now + LEASE });
    const first = await at(NOW);
    const others = await timeouts(key, 0, { taken: SLOTS - 1 });
    expect((await at(NOW)).kind).toBe('full');
    await leave(key, others[0]!, 'answered');
    expect((await at(NOW + 999)).kind).toBe('full');
    if (first.kind === 'entered')
      await own.leave(key, first.slot, { outcome: 'answered', now: NOW, hadTimeouts: false });
    expect((await at(NOW + 999)).kind).toBe('entered');
  });
});

describe('a slot that is kept for another run', () => {
  it('goes to one of the workers that get its message, and is taken for all others', async () => {
    const key = newKey();
    const visits = await timeouts(key, 0, { taken: SLOTS });
    const until = NOW + 15_000;
    expect(await leave(key, visits[0]!, 'answered', until)).toMatchObject({ timeouts: 0 });
    const reserved = { number: visits[0]!.slot.number, until };
    expect((await enter(key)).kind).toBe('full');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => enter(key, NOW, reserved)));
    expect(held(outcomes).map(({ slot }) => slot)).toEqual([{ number: reserved.number, until: NOW + LEASE }]);
  });

  it('becomes free when its message does not come, and then its message takes any other slot', async () => {
    const key = newKey();
    const visits = await timeouts(key, 0, { taken: SLOTS });
    const until = NOW + 15_000;
    await leave(key, visits[0]!, 'answered', until);
    await entered(key, until);
    const reserved = { number: visits[0]!.slot.number, until };
    expect((await enter(key, until, reserved)).kind).toBe('full');
    await leave(key, visits[1]!, 'answered');
    expect((await entered(key, until, reserved)).slot.number).toBe(visits[1]!.slot.number);
  });

  it('is taken by its message also in a function that has just found all slots taken', async () => {
    const key = newKey();
    const visits = await timeouts(key, 0, { taken: SLOTS });
    const own = desk();
    const lease = { now: NOW, until: NOW + LEASE };
    expect((await own.enter(key, lease)).kind).toBe('full');
    const until = NOW + 15_000;
    await leave(key, visits[0]!, 'answered', until);
    const reserved = { number: visits[0]!.slot.number, until };
    expect(await own.enter(key, { ...lease, reserved })).toMatchObject({
      kind: 'entered',
      slot: { number: reserved.number },
    });
  });

  it('is not taken any more when the endpoint has become silent since, unless it is one of the few', async () => {
    const key = newKey();
    const others = await silenced(key);
    const until = NOW + 15_000;
    for (const { slot } of others) {
      await desk().leave(key, slot, { outcome: 'unused', now: NOW, reservedUntil: until, hadTimeouts: true });
      const outcome = await enter(key, NOW, { number: slot.number, until });
      expect(outcome.kind === 'entered' && outcome.slot.number === slot.number).toBe(slot.number < SILENT);
    }
  });

  it('may be any that is free, but none that another worker has taken since', async () => {
    const key = newKey();
    const stale = await desk().load(key);
    const [taken] = await timeouts(key, 0, { taken: 2 });
    const reserved = await desk().reserve(key, stale, { count: SLOTS, now: NOW, until: NOW + 15_000 });
    expect(reserved).toHaveLength(SLOTS - 2);
    expect(reserved.map(({ number }) => number)).not.toContain(taken!.slot.number);
    expect((await enter(key)).kind).toBe('full');
    expect(await desk().reserve(key, await desk().load(key), { count: 1, now: NOW, until: NOW + 1 })).toEqual([]);
  });
});

describe('an endpoint that times out', () => {
  it('is silent when that happens three times in a row with every slot taken', async () => {
    const key = newKey();
    await timeouts(key, 2, { taken: SLOTS - 1 });
    expect((await desk().load(key)).isSilent).toBe(false);
    const last = await entered(key);
    expect(await leave(key, last, 'timed-out')).toMatchObject({ timeouts: 3, isSilent: true });
  });

  it('is silent as well when its slots go from run to run', async () => {
    const key = newKey();
    await timeouts(key, 0, { taken: SLOTS - 1 });
    let visit = await entered(key);
    for (let n = 1; n <= 3; n += 1) {
      const until = NOW + 15_000;
      const load = await leave(key, visit, 'timed-out', until);
      expect(load?.isSilent).toBe(n === 3);
      if (n < 3) visit = await entered(key, NOW, { number: visit.slot.number, until });
    }
  });

  it('keeps all its slots as long as there is room, or an answer in between', async () => {
    const roomy = newKey();
    await timeouts(roomy, 10, { taken: SLOTS - 2 });
    expect((await desk().load(roomy)).isSilent).toBe(false);
    const answering = newKey();
    await timeouts(answering, 2, { taken: SLOTS - 1 });
    await leave(answering, await entered(answering), 'answered');
    await leave(answering, await entered(answering), 'timed-out');
    expect((await desk().load(answering)).isSilent).toBe(false);
    await entered(answering);
  });

  it('keeps a few slots while it is silent, never more and never none', async () => {
    const key = newKey();
    const others = await silenced(key);
    for (const one of others) await leave(key, one, 'unused');
    for (let round = 0; round < 5; round += 1) {
      const inside = held(await Promise.all(Array.from({ length: 20 }, () => enter(key))));
      expect(inside.length).toBeGreaterThan(0);
      expect(inside.map(({ slot }) => slot.number).every((number) => number < SILENT)).toBe(true);
      const rest = SILENT - inside.length;
      for (let n = 0; n < rest; n += 1) inside.push(await entered(key));
      expect((await enter(key)).kind).toBe('full');
      expect(await desk().reserve(key, await desk().load(key), { count: 1, now: NOW, until: NOW + 1 })).toEqual([]);
      for (const one of inside) await leave(key, one, 'timed-out');
    }
  });

  it('has no more than those few reserved by a worker that read its load before it became silent', async () => {
    const key = newKey();
    const before = await desk().load(key);
    for (const one of await silenced(key)) await leave(key, one, 'unused');
    const reserved = await desk().reserve(key, before, { count: SLOTS, now: NOW, until: NOW + 15_000 });
    expect(reserved.map(({ number }) => number)).toEqual([0, 1]);
  });

  it('has all its slots again, and a clean record, from one answer on, also to an attempt of before', async () => {
    for (const isEarlier of [true, false]) {
      const key = newKey();
      const others = await silenced(key);
      for (const one of others.slice(1)) await leave(key, one, 'unused');
      if (!isEarlier) await leave(key, others[0]!, 'unused');
      const answered = await leave(key, isEarlier ? others[0]! : await entered(key), 'answered');
      expect(answered).toMatchObject({ timeouts: 0, isSilent: false });
      for (let n = 0; n < SLOTS; n += 1) expect((await entered(key)).load).toMatchObject({ timeouts: 0 });
    }
  });

  it('is not silent by timeouts of before an answer', async () => {
    const key = newKey();
    const others = await timeouts(key, 2, { taken: SLOTS - 1 });
    // The third timeout is counted, an answer comes, and only then the function learns that it was the third.
    const third = await entered(key);
    const racing = new Proxy(table.client, {
      get: (client, name) =>
        name === 'send' ? sendThen(() => leave(key, others[0]!, 'answered')) : Reflect.get(client, name),
    });
    const slow = admission({
      table: { ...table, client: racing },
      limits: { all: SLOTS, whileSilent: SILENT },
      chance: Math.random,
    });
    const left = await slow.leave(key, third.slot, { outcome: 'timed-out', now: NOW, hadTimeouts: true });
    expect(left).toMatchObject({ timeouts: 0, isSilent: false });
    expect((await desk().load(key)).isSilent).toBe(false);
  });
});

/** Sends the first command, lets something else happen, and returns its answer. */
function sendThen(happens: () => Promise<unknown>) {
  let sends = 0;
  return async (command: Parameters<Table['client']['send']>[0]) => {
    sends += 1;
    const first = sends === 1;
    const answer = await table.client.send(command);
    if (first) await happens();
    return answer;
  };
}

describe('the note that runs are parked', () => {
  it('is written again after a second, and taken away only if no other has come since', async () => {
    const key = newKey();
    const none = await desk().load(key);
    expect(none.parkedAt).toBeUndefined();
    await desk().noteParking(key, none, NOW);
    const first = await desk().load(key);
    expect(first.parkedAt).toBe(NOW);
    await desk().noteParking(key, first, NOW + 999);
    expect((await desk().load(key)).parkedAt).toBe(NOW);
    await desk().noteParking(key, first, NOW + 1_000);
    await desk().forgetParking(key, first);
    const second = await desk().load(key);
    expect(second.parkedAt).toBe(NOW + 1_000);
    await desk().forgetParking(key, second);
    expect((await desk().load(key)).parkedAt).toBeUndefined();
  });

  it('is what the sweeper finds the configuration by, until it is taken away', async () => {
    const key = newKey();
    const isFound = async () => {
      for await (const due of dueRuns(table, { retentionDays: 30 }).due(NOW)) {
        if ('configuration' in due && due.configuration.configurationId === key.configurationId) return true;
      }
      return false;
    };
    await desk().noteParking(key, await desk().load(key), NOW);
    await entered(key);
    expect(await isFound()).toBe(true);
    await desk().forgetParking(key, await desk().load(key));
    expect(await isFound()).toBe(false);
  });

  it('is shown to whoever takes a slot, leaves one, or finds none', async () => {
    const key = newKey();
    await desk().noteParking(key, await desk().load(key), NOW);
    const visits = await timeouts(key, 0, { taken: SLOTS });
    expect(visits[0]!.load.parkedAt).toBe(NOW);
    expect(await enter(key)).toMatchObject({ kind: 'full', load: { parkedAt: NOW } });
    expect(await leave(key, visits[0]!, 'answered')).toMatchObject({ parkedAt: NOW });
  });
});

describe('the load of an endpoint', () => {
  const DAY = 86_400;
  const expiry = async (key: ConfigurationKey) =>
    (await getItem(table, { pk: `${LOAD}${key.tenant}#${key.configurationId}`, sk: LOAD_ITEM }))?.['ttl'] - NOW / 1_000;

  it('outlives the three days that a run may be parked, and expires soon after them', async () => {
    const noted = newKey();
    await desk().noteParking(noted, await desk().load(noted), NOW);
    const taken = newKey();
    const visit = await entered(taken);
    for (const key of [noted, taken]) {
      expect(await expiry(key)).toBeGreaterThan(3 * DAY + 900);
      expect(await expiry(key)).toBeLessThan(5 * DAY);
    }
    // Taken over a day later: its expiry moves with it.
    const reserved = { number: visit.slot.number, until: NOW + DAY * 1_000 };
    await leave(taken, visit, 'answered', reserved.until);
    await entered(taken, NOW + DAY * 1_000 - 1, reserved);
    expect(await expiry(taken)).toBeGreaterThan(4 * DAY + 900);
    expect(await expiry(taken)).toBeLessThan(6 * DAY);
  });
});
