/** Runs, slots and queues of one configuration in memory, for searches over the code of deliveries. */

import type { Lane, Ticket } from '../../../functions/webhooks/deliveries/ticket.ts';
import type { Attempt } from '../../../functions/webhooks/runs/attempt.ts';
import { hasEnded, isLeased, isParked, type Run } from '../../../functions/webhooks/runs/run.ts';
import { pendingDispatch, unparked } from '../../../functions/webhooks/runs/run-machine.ts';
import type { DueRuns, ParkedKey, ParkedRuns, Runs } from '../../../functions/webhooks/runs/runs.ts';
import {
  type Admission,
  becomesSilent,
  freeSlots,
  type Load,
  mayUseSlot,
  type SlotLimits,
} from '../../../functions/webhooks/slots/admission.ts';

export interface Message {
  readonly lane: Lane;
  readonly ticket: Ticket;
}

/** Everything that outlives a worker. */
export interface World {
  now: number;
  readonly runs: Map<string, Run>;
  readonly lines: Map<string, Attempt>;
  load: Load;
  readonly messages: Message[];
  /** What the index of parked runs shows: it may follow later. */
  indexed: ParkedKey[];
  hasLag: boolean;
}

const KEY = { tenant: 'acme', configurationId: 'cfg' };

/** As the table does it: each call at once, or not at all. */
export function memoryWebhooks(world: World, limits: SlotLimits) {
  const store = (run: Run) => {
    world.runs.set(run.id, run);
    const next = pendingDispatch(run, world.now);
    if (next) {
      const ticket = { tenant: 'acme', run: run.id, attempt: next.attempt, configuration: 'cfg' };
      world.messages.push({ lane: 'slow', ticket });
    }
    if (!world.hasLag) follow(world);
    return true;
  };
  const setSlots = (slots: readonly (readonly [number, number])[], more: Partial<Load> = {}) => {
    world.load = { ...world.load, ...more, slots: new Map([...world.load.slots, ...slots]) };
    return world.load;
  };
  const without = (number: number, more: Partial<Load> = {}) => {
    world.load = { ...world.load, ...more, slots: new Map([...world.load.slots].filter(([of]) => of !== number)) };
    return world.load;
  };

  const runs: Runs = {
    byId: async ({ id }) => world.runs.get(id),
    payload: async () => ({ body: Buffer.from('{}'), headers: [], createdAt: 0 }),
    create: () => Promise.reject(new Error('Nothing is created here.')),
    createReplay: () => Promise.reject(new Error('Nothing is replayed here.')),
    replace: async (run) => world.runs.get(run.id)?.revision === run.revision - 1 && store(run),
    finish: async (run, token) => {
      const now = world.runs.get(run.id);
      return now !== undefined && isLeased(now) && now.lease.token === token && store(run);
    },
    async addAttempt({ id }, line) {
      const name = `${id} ${line.attempt}.${line.part}`;
      if (world.lines.get(name)?.outcome === 'interrupted') return false;
      world.lines.set(name, line);
      return true;
    },
    async addLate({ id }, line) {
      world.lines.set(`${id} ${line.attempt}.${line.part}`, line);
    },
    async addInterrupted({ id }, line) {
      const name = `${id} ${line.attempt}.${line.part}`;
      const there = world.lines.get(name);
      if (!there) world.lines.set(name, line);
      return there?.outcome === 'interrupted' || there?.isLate ? undefined : there;
    },
  };

  const parkedRuns: ParkedRuns = {
    first: async (_key, count) => world.indexed.slice(0, count),
    async unpark({ id }, now) {
      const run = world.runs.get(id);
      if (!run || !isParked(run)) return undefined;
      const started = unparked(run, now);
      store(started);
      return started;
    },
  };

  const admission: Admission = {
    async enter(_key, { now, until, reserved }) {
      const isKept = reserved && mayUseSlot(reserved.number, world.load, limits);
      if (isKept && world.load.slots.get(reserved.number) === reserved.until) {
        return {
          kind: 'entered',
          slot: { number: reserved.number, until },
          load: setSlots([[reserved.number, until]]),
        };
      }
      const [number] = freeSlots(world.load, limits, now);
      if (number === undefined) return { kind: 'full', load: world.load };
      return { kind: 'entered', slot: { number, until }, load: setSlots([[number, until]]) };
    },
    async leave(_key, slot, { outcome, now, reservedUntil }) {
      if (world.load.slots.get(slot.number) !== slot.until) return undefined;
      const timeouts = outcome === 'timed-out' ? world.load.timeouts + 1 : world.load.timeouts;
      const more = outcome === 'answered' ? { timeouts: 0, isSilent: false } : { timeouts };
      const load =
        reservedUntil === undefined ? without(slot.number, more) : setSlots([[slot.number, reservedUntil]], more);
      const isReserved = reservedUntil !== undefined;
      if (outcome === 'timed-out' && becomesSilent(load, { limits, now, isReserved }))
        return setSlots([], { isSilent: true });
      return load;
    },
    load: async () => world.load,
    async reserve(_key, _load, { count, now, until }) {
      const numbers = freeSlots(world.load, limits, now).slice(0, count);
      setSlots(numbers.map((number) => [number, until]));
      return numbers.map((number) => ({ number, until }));
    },
    async noteParking(_key, _load, now) {
      setSlots([], { parkedAt: now });
    },
    async forgetParking(_key, { parkedAt }) {
      if (world.load.parkedAt !== parkedAt) return;
      const { parkedAt: _, ...rest } = world.load;
      world.load = rest;
    },
  };

  const dueRuns: DueRuns = {
    async *due(until) {
      if (world.load.parkedAt !== undefined) yield { configuration: KEY };
      for (const run of world.runs.values()) {
        if (!hasEnded(run) && run.nextSweepAt <= until) yield { run: { tenant: 'acme', id: run.id } };
      }
    },
    byIds: async (keys) => keys.flatMap(({ id }) => world.runs.get(id) ?? []),
    async postponeSweep(run, { nextSweepAt, sweeps }) {
      const now = world.runs.get(run.id);
      if (now && !hasEnded(now) && now.revision === run.revision)
        world.runs.set(run.id, { ...now, nextSweepAt, sweeps });
    },
    keep: () => Promise.reject(new Error('Nothing is paused here.')),
  };

  const send = async (lane: Lane, ticket: Ticket) => {
    // They are for an index that lags.
    if (ticket.isWake && (!world.hasLag || world.messages.some((one) => one.ticket.isWake))) return;
    world.messages.push({ lane, ticket });
  };
  return { runs, parkedRuns, admission, dueRuns, send };
}

/** The index catches up with the table. */
export function follow(world: World): void {
  world.indexed = [...world.runs.values()]
    .filter(isParked)
    .map(({ tenant, id, nextAttemptAt }) => ({ tenant, id, dueAt: nextAttemptAt }))
    .toSorted((a, b) => a.dueAt - b.dueAt);
}
