/**
 * Runs that find no room wait without a message, parked, until a slot is returned: whoever returns one reserves it for
 * the run that was due first. So a backlog moves on at the pace of its slots, in order, and costs nothing while it
 * waits. A chain that a dead worker broke is taken up by the next worker of the configuration, or by the sweeper.
 */
import { log } from '#shared/log';
import type { LeasedRun, Run, WaitingRun } from '../runs/run.ts';
import { dueAt, parked } from '../runs/run-machine.ts';
import type { Runs } from '../runs/runs.ts';
import { type AttemptOutcome, type HeldSlot, isInUse, type Load, type Slot } from '../slots/admission.ts';
import { RESERVED_MILLIS, type StartDeps, startParked, startWaiting } from './start-parked.ts';
import { type Ticket, ticketOf } from './ticket.ts';

export interface ParkingDeps extends StartDeps {
  readonly runs: Pick<Runs, 'replace'>;
}

/** The index of parked runs follows the table within moments. */
const INDEX_LAG_MILLIS = 2_000;
/** A note of parking may be two seconds older than the run that was parked. */
const RECENT_MILLIS = INDEX_LAG_MILLIS + 2_000;

/**
 * Parks a run that found no room. The note comes first, so that the sweeper looks after the configuration whatever
 * happens next. Afterwards the slots are looked at once more: whoever returned the last one may have looked for parked
 * runs before this one was there.
 */
export async function park(deps: ParkingDeps, run: WaitingRun | LeasedRun, full: Load): Promise<void> {
  const { admission, runs, now } = deps;
  await admission.noteParking(run, full, now());
  const next = parked(run, now());
  if (!next || !(await runs.replace(next))) return;
  await startWaiting(deps, run, next);
}

/** Parks a run whose tenant's webhooks are paused: the sweeper starts it when they go on. */
export async function pause({ admission, runs, now }: ParkingDeps, run: WaitingRun | LeasedRun): Promise<void> {
  await admission.noteParking(run, await admission.load(run), now());
  const next = parked(run, now(), { isPaused: true });
  if (next) await runs.replace(next);
}

/** Whether a parked run was due before this one. */
export async function isOvertaking(
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
  /** As it was when the slot was taken; undefined for a reserved slot that was not. */
  readonly load?: Load;
  readonly outcome: AttemptOutcome;
  /** Whether the worker may continue with a run that is started. @default not */
  readonly mayContinue?: () => boolean;
}

/**
 * Returns a slot, and starts the next parked run of the configuration if there is one: the slot is kept for it. Never
 * fails: the slot is a lease and ends by itself, and a delivered webhook must not be delivered again because of it.
 * @returns a started run that the worker is to continue with; the others are sent
 */
export async function releaseSlot(
  deps: ParkingDeps,
  run: Run,
  { slot, load, outcome, mayContinue }: UsedSlot,
): Promise<Ticket | undefined> {
  const { admission, now } = deps;
  try {
    const at = now();
    const keptUntil = load && load.parkedAt === undefined ? undefined : at + RESERVED_MILLIS;
    const hadTimeouts = load !== undefined && (load.timeouts > 0 || load.isSilent);
    const left = await admission.leave(run, slot, { outcome, now: at, keptUntil, hadTimeouts });
    if (!left) return undefined;
    const kept = keptUntil === undefined ? undefined : { number: slot.number, until: keptUntil };
    if (!kept && left.parkedAt === undefined) return undefined;
    // Where attempts time out every run has a message of its own: an attempt would hold up the batch, and the message
    // brings the run back soon if its worker dies.
    const sending = mayContinue?.() && left.timeouts === 0 ? keepingFirst(deps) : { ...deps, first: () => undefined };
    const started = await startParked(sending, run, { load: left, kept });
    if (started === 0 && left.parkedAt !== undefined && now() - left.parkedAt < RECENT_MILLIS)
      await wakeLater(deps, run);
    return sending.first();
  } catch (error) {
    const { tenant, configurationId: configuration } = run;
    log.warn('slot not passed on', { tenant, configuration, error: String(error) });
    return undefined;
  }
}

/** The first run that is started is not sent. */
function keepingFirst(deps: ParkingDeps) {
  let first: Ticket | undefined;
  const send: StartDeps['send'] = async (lane, ticket, delayMillis) => {
    if (first) await deps.send(lane, ticket, delayMillis);
    else first = ticket;
  };
  return { ...deps, send, first: () => first };
}

/** The index may not show yet what was parked a moment ago, and nobody else will look for it. */
async function wakeLater({ admission, send, now }: ParkingDeps, run: Run): Promise<void> {
  if (isInUse(await admission.load(run), now())) return;
  await send('slow', { ...ticketOf(run, 1), isWake: true }, INDEX_LAG_MILLIS);
}
