/**
 * The states of a slot are drawn in the README of webhooks: the drawing has the transitions that the code makes, and no
 * others.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admission } from '../../../functions/webhooks/slots/admission.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createWebhooksTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
});
afterAll(() => endpoint.close());

const LEASE = 1_000;

/**
 * The one slot of a configuration, and whoever uses it. Every lease ends at a time of its own, which tells whose it is.
 */
function oneSlot() {
  const key = { tenant: 'acme', configurationId: newId('cfg') };
  // Each call is made by another worker, which remembers nothing.
  const worker = () => admission({ table, limits: { all: 1, whileSilent: 1 }, chance: () => 0 });
  const reservations = new Set<number>();
  let now = 1_000_000;
  const until = () => now + LEASE;
  /** The slot that a worker got last, even if it no longer holds it, and the reservation of a ticket. */
  let slot = { number: 0, until: 0 };
  let reservation = slot;
  const reserved = (one: typeof slot) => {
    reservations.add(one.until);
    slot = one;
    reservation = one;
  };
  const enter = async (reserved?: typeof slot) => {
    const result = await worker().enter(key, { now, until: until(), reserved });
    if (result.kind === 'entered') slot = result.slot;
  };
  const leave = async (reservedUntil?: number) => {
    const load = await worker().leave(key, slot, { outcome: 'unused', now, reservedUntil, hadTimeouts: false });
    if (!load || reservedUntil === undefined) return;
    reserved({ number: 0, until: reservedUntil });
  };
  const acts = {
    enter: () => enter(),
    'enter with the reservation': () => enter(reservation),
    leave: () => leave(),
    'leave and keep': () => leave(until()),
    reserve: async () => {
      const lease = { count: 1, now, until: until() };
      for (const one of await worker().reserve(key, await worker().load(key), lease)) reserved(one);
    },
    'time passes': async () => void (now += LEASE),
  };
  const state = async () => {
    const leased = (await worker().load(key)).slots.get(0) ?? 0;
    const name = leased <= now ? 'free' : reservations.has(leased) ? 'reserved' : 'held';
    return { name, leased: leased <= now ? 0 : leased };
  };
  return {
    state,
    act: async (name: keyof typeof acts) => {
      // No two leases end at the same time.
      now += 1;
      await acts[name]();
    },
  };
}

type Act = Parameters<ReturnType<typeof oneSlot>['act']>[0];
const ACTS: readonly Act[] = [
  'enter',
  'enter with the reservation',
  'leave',
  'leave and keep',
  'reserve',
  'time passes',
];
const PATHS: Readonly<Record<string, readonly Act[]>> = { free: [], held: ['enter'], reserved: ['reserve'] };

/** Returns the transition of a slot by an act, such as `held --> free: leave`; undefined without a change. */
async function transition(from: string, act: Act): Promise<string | undefined> {
  const slot = oneSlot();
  for (const before of PATHS[from] ?? []) await slot.act(before);
  const seen = await slot.state();
  expect(seen.name).toBe(from);
  await slot.act(act);
  const next = await slot.state();
  return next.leased === seen.leased ? undefined : `${from} --> ${next.name}: ${act}`;
}

describe('the states of a slot', () => {
  it('are those of the drawing, and so are the transitions between them', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../functions/webhooks/README.md'), 'utf8');
    const [, drawing = ''] = /```mermaid\nstateDiagram-v2\n([^`]*)```/.exec(readme) ?? [];
    const made = await Promise.all(Object.keys(PATHS).flatMap((from) => ACTS.map((act) => transition(from, act))));
    const drawn = drawing.trim().split('\n');
    expect(drawn.map((line) => line.trim()).toSorted()).toEqual(made.filter((one) => one !== undefined).toSorted());
  });
});
