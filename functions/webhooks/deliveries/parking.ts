/**
 * Runs that get no slot are parked: they wait without a message. The worker that returns a slot reserves it for the run
 * that was due first. So a backlog drains in order as slots become free, and costs nothing while it waits.
 * If a worker dies, the next worker of the configuration or the sweeper starts the parked runs.
 */
import { log } from '#shared/telemetry/log';
import type { LeasedRun, Run, WaitingRun } from '../runs/run.ts';
import { dueAt, parked } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import { type AttemptOutcome, type HeldSlot, isInUse, type Load, type Slot } from '../slots/admission.ts';
import { RESERVED_MILLIS, type StartDeps, startParked, startWaiting } from './start-parked.ts';
import { type Ticket, ticketOf } from './ticket.ts';

export interface ParkingDeps extends StartDeps {
  readonly runs: Pick<Runs, 'replace'>;
}

/** The index of parked runs is eventually consistent. It is expected to catch up with the table within this time. */
const INDEX_LAG_MILLIS = 2_000;
/** A parking note may be two seconds older than the run that was parked. */
const RECENT_MILLIS = INDEX_LAG_MILLIS + 2_000;

/**
 * Parks a run that got no slot. The note is written first, so that the sweeper checks the configuration even if this
 * worker dies. Afterwards the slots are checked once more, because the worker that returned the last one may have
 * looked for parked runs before this run was parked.
 */
export async function park(deps: ParkingDeps, run: WaitingRun | LeasedRun, full: Load): Promise<void> {
  const { admission, runs, now } = deps;
  await admission.noteParking(run, full, now());
  const next = parked(run, now());
  if (!next || !(await runs.replace(next))) return;
  await startWaiting(deps, run, next);
}

/** Parks a run whose tenant's webhooks are paused. The sweeper starts it when they resume. */
export async function pause({ admission, runs, now }: ParkingDeps, run: WaitingRun | LeasedRun): Promise<void> {
  await admission.noteParking(run, await admission.load(run), now());
  const next = parked(run, now(), { isPaused: true });
  if (next) await runs.replace(next);
}

/** Returns whether a parked run was due before this one. */
export async function hasEarlierParkedRun(
  { parkedRuns }: ParkingDeps,
  { load: { parkedAt } }: HeldSlot,
  run: WaitingRun | LeasedRun,
): Promise<boolean> {
  if (parkedAt === undefined) return false;
  const [first] = await parkedRuns.first(run, 1);
  return first !== undefined && first.dueAt < dueAt(run);
}

interface UsedSlot {
  readonly slot: Slot;
  /** The load when the slot was taken; undefined for a reserved slot that was not used. */
  readonly load?: Load;
  readonly outcome: AttemptOutcome;
  /** Returns whether the worker may continue with a run that is started. @default false */
  readonly mayContinue?: () => boolean;
}

/**
 * Returns a slot and starts the next parked run of the configuration, if any, in the same slot. It never throws: the
 * slot is a lease that ends by itself, and a failure here must not cause a second delivery.
 * @returns the started run that this worker continues with; others are sent to the queue
 */
export async function releaseSlot(
  deps: ParkingDeps,
  run: Run,
  { slot, load, outcome, mayContinue }: UsedSlot,
): Promise<Ticket | undefined> {
  const { admission, now } = deps;
  try {
    const at = now();
    const reservedUntil = load && load.parkedAt === undefined ? undefined : at + RESERVED_MILLIS;
    const hadTimeouts = load !== undefined && (load.timeouts > 0 || load.isSilent);
    const after = await admission.leave(run, slot, { outcome, now: at, reservedUntil, hadTimeouts });
    if (!after) return undefined;
    const held = reservedUntil === undefined ? undefined : { number: slot.number, until: reservedUntil };
    if (!held && after.parkedAt === undefined) return undefined;
    // If attempts time out, every run gets a message of its own: another long attempt would block the batch, and the
    // message is redelivered soon if its worker dies.
    const sending = mayContinue?.() && after.timeouts === 0 ? withoutFirst(deps) : { ...deps, first: () => undefined };
    const started = await startParked(sending, run, { load: after, held });
    if (started === 0 && after.parkedAt !== undefined && now() - after.parkedAt < RECENT_MILLIS)
      await wakeLater(deps, run);
    return sending.first();
  } catch (error) {
    const { tenant, configurationId: configuration } = run;
    log.warn('slot not released', { tenant, configuration, error: String(error) });
    return undefined;
  }
}

/** Dependencies whose `send` holds back the first run that is started, for the worker to continue with. */
function withoutFirst(deps: ParkingDeps) {
  let first: Ticket | undefined;
  const send: StartDeps['send'] = async (lane, ticket, delayMillis) => {
    if (first) await deps.send(lane, ticket, delayMillis);
    else first = ticket;
  };
  return { ...deps, send, first: () => first };
}

/**
 * Sends a wake ticket if no slot is in use: the index may not yet show a run that was parked a moment ago, and no other
 * worker will look for it.
 */
async function wakeLater({ admission, send, now }: ParkingDeps, run: Run): Promise<void> {
  if (isInUse(await admission.load(run), now())) return;
  await send('slow', { ...ticketOf(run, 1), isWake: true }, INDEX_LAG_MILLIS);
}
