import { type DeliveringFrom, PAUSED } from '../pauses/pause.ts';
import type { ConfigurationKey, ParkedRun, WaitingRun } from '../runs/run.ts';
import { dueAt, nextAttempt } from '../runs/run-machine.ts';
import type { ParkedKey, ParkedRuns } from '../runs/runs.ts';
import {
  type Admission,
  freeSlots,
  isGiven,
  isInUse,
  type Load,
  type Slot,
  type SlotLimits,
} from '../slots/admission.ts';
import { type Lane, laneOf, type Ticket, ticketOf } from './ticket.ts';

export interface StartDeps {
  readonly parkedRuns: ParkedRuns;
  readonly admission: Admission;
  readonly limits: SlotLimits;
  readonly deliveringFrom: DeliveringFrom;
  readonly send: (lane: Lane, ticket: Ticket, delayMillis: number) => Promise<void>;
  readonly now: () => number;
}

/** A message must reach its worker within this time, or its slot may be given to another run. */
export const RESERVED_MILLIS = 15_000;

/** Starts parked runs if there are free slots. @param own a parked run that the index may not show yet */
export async function startWaiting(deps: StartDeps, key: ConfigurationKey, own?: ParkedRun): Promise<number> {
  return startParked(deps, key, { load: await deps.admission.load(key), own });
}

/**
 * Starts parked runs if there are free slots.
 * @returns the milliseconds until the first lease of a slot ends; undefined if no slot is taken or no runs wait
 */
export async function startWhenFree(deps: StartDeps, key: ConfigurationKey): Promise<number | undefined> {
  const load = await deps.admission.load(key);
  if (load.parkedAt === undefined) return undefined;
  const at = deps.now();
  const taken = [...load.slots.values()].filter((until) => until > at);
  await startParked(deps, key, { load });
  return taken.length > 0 ? Math.min(...taken) - at : undefined;
}

/**
 * What the sweeper does about a configuration with parked runs: starts them if there are free slots. When none has been
 * parked for minutes, and there are none, it need not come back: a worker that noted that it was about to park one has
 * done so long ago.
 */
export async function sweepParked(deps: StartDeps, key: ConfigurationKey): Promise<number> {
  const { admission, parkedRuns, now } = deps;
  const load = await admission.load(key);
  if (load.parkedAt === undefined) return 0;
  if ((await deps.deliveringFrom(key.tenant)) === PAUSED) {
    // The load would be forgotten after some days, and with it the runs that wait.
    if (now() - load.parkedAt > REMEMBERED_MILLIS) await admission.noteParking(key, load, now());
    return 0;
  }
  const started = await startParked(deps, key, { load });
  if (started > 0 || isInUse(load, now()) || now() - load.parkedAt < FORGOTTEN_MILLIS) return started;
  if ((await parkedRuns.first(key, 1)).length === 0) await admission.forgetParking(key, load);
  return 0;
}

/** Longer than a worker lives. */
const FORGOTTEN_MILLIS = 300_000;
/** Shorter than a load is kept. */
const REMEMBERED_MILLIS = 3_600_000;

interface Start {
  readonly load: Load;
  /** A slot that is held already. */
  readonly kept?: Slot | undefined;
  /** A parked run that the index may not show yet. */
  readonly own?: ParkedRun | undefined;
}

/**
 * Gives free slots to parked runs, first to those that were due first, unless webhooks of the tenant are paused.
 * @returns how many were started
 */
export async function startParked(deps: StartDeps, key: ConfigurationKey, start: Start): Promise<number> {
  const { admission, limits, now } = deps;
  const tried = new Set<string>();
  const slots: Slot[] = start.kept ? [start.kept] : [];
  let { load } = start;
  if ((await deps.deliveringFrom(key.tenant)) === PAUSED) {
    await returned(deps, key, { slots, load });
    return 0;
  }
  if (start.kept && !isGiven(start.kept.number, load, limits)) load = await returned(deps, key, { slots, load });
  for (let started = 0; ; ) {
    const room = slots.length + freeSlots(load, limits, now()).length;
    const waiting = room === 0 ? [] : await first(deps, key, { count: room, tried, own: start.own });
    if (waiting.length === 0) {
      if (slots.length === 0) return started;
      // Looked for once more without the slots: a run that was parked meanwhile saw them taken, and counts on this.
      load = await returned(deps, key, { slots, load });
      continue;
    }
    if (waiting.length > slots.length) {
      const lease = { count: waiting.length - slots.length, now: now(), until: now() + RESERVED_MILLIS };
      const reserved = await admission.reserve(key, load, lease);
      load = {
        ...load,
        slots: new Map([...load.slots, ...reserved.map(({ number, until }) => [number, until] as const)]),
      };
      slots.push(...reserved);
      // Others were faster.
      if (slots.length === 0) return started;
    }
    for (const one of waiting.slice(0, slots.length)) {
      tried.add(parkingOf(one));
      const run = await deps.parkedRuns.unpark(one, now());
      const slot = run && slots.shift();
      if (!slot) continue;
      started += 1;
      await sendStarted(deps, run, { slot, load });
    }
  }
}

interface First {
  readonly count: number;
  readonly tried: ReadonlySet<string>;
  readonly own: ParkedRun | undefined;
}

async function first({ parkedRuns }: StartDeps, key: ConfigurationKey, { count, tried, own }: First) {
  const found = await parkedRuns.first(key, count + tried.size);
  const all: readonly ParkedKey[] =
    own && !found.some(({ id }) => id === own.id) ? [...found, { ...own, dueAt: dueAt(own) }] : found;
  const left = all.filter((one) => !tried.has(parkingOf(one)));
  return left.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, count);
}

/** A run is parked again for its next attempt, and then it is due at another time. */
const parkingOf = ({ id, dueAt: due }: ParkedKey) => `${id}@${due}`;

async function sendStarted(
  { send }: StartDeps,
  run: WaitingRun,
  { slot, load }: { slot: Slot; load: Load },
): Promise<void> {
  const attempt = nextAttempt(run);
  await send(load.timeouts > 0 ? 'slow' : laneOf({ attempt }), { ...ticketOf(run, attempt), slot }, 0);
}

/** Returns slots for which there is no run. @returns the load after that */
async function returned(
  { admission, now }: StartDeps,
  key: ConfigurationKey,
  { slots, load }: { slots: Slot[]; load: Load },
): Promise<Load> {
  let after = load;
  for (const slot of slots.splice(0)) {
    after = (await admission.leave(key, slot, { outcome: 'unused', now: now(), hadTimeouts: false })) ?? after;
  }
  return after;
}
