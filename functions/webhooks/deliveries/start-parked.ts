import { type DeliveringFrom, PAUSED } from '../pauses/pause.ts';
import type { ConfigurationKey, ParkedRun, WaitingRun } from '../runs/run.ts';
import { dueAt, nextAttempt } from '../runs/run-machine.ts';
import type { ParkedKey, ParkedRuns } from '../runs/runs.ts';
import {
  type Admission,
  freeSlots,
  isInUse,
  type Load,
  mayUseSlot,
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

/** The time within which a message must reach its worker; after it the slot may be given to another run. */
export const RESERVED_MILLIS = 15_000;

/** Starts parked runs if there are free slots. @param own a parked run that the index may not show yet */
export async function startWaiting(deps: StartDeps, key: ConfigurationKey, own?: ParkedRun): Promise<number> {
  return startParked(deps, key, { load: await deps.admission.load(key), own });
}

/**
 * Starts parked runs if there are free slots.
 * @returns the milliseconds until the first lease of a slot ends; undefined if no slot is in use or no runs wait
 */
export async function startWhenFree(deps: StartDeps, key: ConfigurationKey): Promise<number | undefined> {
  const load = await deps.admission.load(key);
  if (load.parkedAt === undefined) return undefined;
  const at = deps.now();
  const leases = [...load.slots.values()].filter((until) => until > at);
  await startParked(deps, key, { load });
  return leases.length > 0 ? Math.min(...leases) - at : undefined;
}

/**
 * Starts the parked runs of a configuration if there are free slots; the sweeper calls it. The parking note is removed
 * when it is minutes old and no run is parked: a worker that has written such a note parks its run within seconds.
 */
export async function sweepParked(deps: StartDeps, key: ConfigurationKey): Promise<number> {
  const { admission, parkedRuns, now } = deps;
  const load = await admission.load(key);
  if (load.parkedAt === undefined) return 0;
  if ((await deps.deliveringFrom(key.tenant)) === PAUSED) {
    // The load expires after some days; without it the sweeper would not find the waiting runs.
    if (now() - load.parkedAt > REMEMBERED_MILLIS) await admission.noteParking(key, load, now());
    return 0;
  }
  const started = await startParked(deps, key, { load });
  if (started > 0 || isInUse(load, now()) || now() - load.parkedAt < FORGOTTEN_MILLIS) return started;
  if ((await parkedRuns.first(key, 1)).length === 0) await admission.forgetParking(key, load);
  return 0;
}

/** The age after which a parking note may be removed: longer than a worker runs. */
const FORGOTTEN_MILLIS = 300_000;
/** The age after which a parking note is renewed during a pause: shorter than the retention of a load. */
const REMEMBERED_MILLIS = 3_600_000;

interface Start {
  readonly load: Load;
  /** A slot that this worker holds already. */
  readonly held?: Slot | undefined;
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
  const slots: Slot[] = start.held ? [start.held] : [];
  let { load } = start;
  if ((await deps.deliveringFrom(key.tenant)) === PAUSED) {
    await returnSlots(deps, key, { slots, load });
    return 0;
  }
  if (start.held && !mayUseSlot(start.held.number, load, limits)) load = await returnSlots(deps, key, { slots, load });
  for (let started = 0; ; ) {
    const room = slots.length + freeSlots(load, limits, now()).length;
    const waiting = room === 0 ? [] : await firstParked(deps, key, { count: room, tried, own: start.own });
    if (waiting.length === 0) {
      if (slots.length === 0) return started;
      // Look again after the slots are returned: a run that was parked meanwhile found them in use and relies on this
      // check.
      load = await returnSlots(deps, key, { slots, load });
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
      // Other workers have taken the slots.
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

async function firstParked({ parkedRuns }: StartDeps, key: ConfigurationKey, { count, tried, own }: First) {
  const parked = await parkedRuns.first(key, count + tried.size);
  const all: readonly ParkedKey[] =
    own && !parked.some(({ id }) => id === own.id) ? [...parked, { ...own, dueAt: dueAt(own) }] : parked;
  const untried = all.filter((one) => !tried.has(parkingOf(one)));
  return untried.toSorted((a, b) => a.dueAt - b.dueAt).slice(0, count);
}

/** Identifies one parking of a run: when it is parked again for its next attempt, it is due at another time. */
const parkingOf = ({ id, dueAt: due }: ParkedKey) => `${id}@${due}`;

async function sendStarted(
  { send }: StartDeps,
  run: WaitingRun,
  { slot, load }: { slot: Slot; load: Load },
): Promise<void> {
  const attempt = nextAttempt(run);
  await send(load.timeouts > 0 ? 'slow' : laneOf({ attempt }), { ...ticketOf(run, attempt), slot }, 0);
}

/** Returns slots for which there is no run. @returns the resulting load */
async function returnSlots(
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
