/**
 * The life of a run, as pure steps from one state to the next. The stored run is authoritative; messages are hints
 * that may be lost, come twice or come late. Every step is written under the condition that the run has not changed
 * since the step read it, and `test/webhooks/runs/run-machine.test.ts` searches all orders of steps, crashes and
 * duplicates.
 */
import { omit } from '#shared/omit';
import { retryAt } from './retry.ts';
import {
  type EndedRun,
  hasEnded,
  isLeased,
  isParked,
  type LeasedRun,
  type ParkedRun,
  type Run,
  type RunBase,
  type WaitingRun,
} from './run.ts';

/** A worker that has not finished this long after the deadline of its attempt counts as dead. */
const LEASE_MARGIN_MILLIS = 15_000;
/** The same attempt is repeated at most this often because its worker was lost. After that it counts as failed. */
const MAX_INTERRUPTIONS = 2;
/** SQS delays a message at most this long; for longer waits the sweeper sends it when the time is near. */
export const MAX_DELAY_MILLIS = 900_000;
/** The sweeper checks a run this long after a step of it was due, and not before. */
export const SWEEP_GRACE_MILLIS = 60_000;
export const SWEEP_AFTER_DUE_MILLIS = 30_000;
/** The sweeper sends the message of a later attempt this long before it is due: it runs once a minute, and SQS delays no longer. */
const SWEEP_AHEAD_MILLIS = MAX_DELAY_MILLIS - 60_000;
/** A run that gets no slot for this long fails. A pause of the tenant's webhooks does not count. */
export const SLOT_WAIT_MAX_MILLIS = 3 * 86_400_000;

/** The message of a run that was given a slot reaches a worker within this time; otherwise it was lost. */
const MESSAGE_GRACE_MILLIS = 20_000;

/** The members of a run that its creator sets. */
export type NewRun = Omit<RunBase, 'attempts' | 'interruptions' | 'sweeps' | 'replays' | 'revision'>;

export const created = (run: NewRun): WaitingRun => ({
  ...run,
  status: 'CREATED',
  attempts: 0,
  interruptions: 0,
  sweeps: 0,
  replays: 0,
  nextAttemptAt: run.createdAt,
  dispatchAttempt: 1,
  nextSweepAt: run.createdAt + SWEEP_GRACE_MILLIS,
  revision: 1,
});

/** The action that a worker takes on a message that names an attempt. */
export type Claim =
  /** Do nothing: the attempt was made. */
  | { readonly kind: 'drop' }
  /** Send a message for this attempt with this delay. */
  | { readonly kind: 'send'; readonly attempt: number; readonly delayMillis: number }
  /** Write the run; then make the attempt. */
  | { readonly kind: 'attempt'; readonly run: LeasedRun; readonly interrupted?: Interrupted }
  /** Write the run: the workers of its attempt were lost too often. */
  | { readonly kind: 'give-up'; readonly run: WaitingRun | EndedRun; readonly interrupted: Interrupted }
  /** Do nothing: the run waits for a slot, and the worker that returns one starts it. */
  | { readonly kind: 'parked' }
  /** Write the run: it has had no slot for days. */
  | { readonly kind: 'end'; readonly run: EndedRun };

/** A part of an attempt whose worker was lost: it may or may not have reached the endpoint. */
export interface Interrupted {
  readonly attempt: number;
  readonly part: number;
}

export interface Claimant {
  readonly now: number;
  readonly token: string;
  /** The time since which the tenant's webhooks are sent; infinite while they are paused. @default always */
  readonly deliveringFrom?: number;
}

export function claim(run: Run, attempt: number, { now, token, deliveringFrom = 0 }: Claimant): Claim {
  if (hasEnded(run) || attempt < run.attempts) return { kind: 'drop' };
  if (isLeased(run)) return attempt === run.attempts ? resume(run, { now, token }) : { kind: 'drop' };
  const next = nextAttempt(run);
  if (attempt > next) return { kind: 'drop' };
  if (hasWaitedTooLong(run, { now, deliveringFrom })) return { kind: 'end', run: unresponsive(run, now) };
  if (isParked(run)) return { kind: 'parked' };
  const wait = Math.max(0, run.nextAttemptAt - now);
  // The message of the next attempt may have been lost after this one was finished.
  if (attempt < next) return { kind: 'send', attempt: next, delayMillis: wait };
  if (wait > 0) return { kind: 'send', attempt, delayMillis: wait };
  const interruptions = run.isRepeat ? run.interruptions : 0;
  return { kind: 'attempt', run: leased({ ...run, attempts: attempt, interruptions }, { now, token }) };
}

/** The attempt that a run waits for. */
export const nextAttempt = ({ attempts, isRepeat = false }: WaitingRun | ParkedRun) =>
  isRepeat ? attempts : attempts + 1;

/** The moment at which the attempt was due. Runs of a configuration that wait for a slot get it in this order. */
export const dueAt = (run: WaitingRun | ParkedRun | LeasedRun) => (isLeased(run) ? run.lease.until : run.nextAttemptAt);

function resume(run: LeasedRun, { now, token }: { now: number; token: string }): Claim {
  // The message comes back when the lease ends: if the worker has died by then, it takes over; otherwise it is dropped.
  if (run.lease.until > now) return { kind: 'send', attempt: run.attempts, delayMillis: run.lease.until - now };
  const interrupted = { attempt: run.attempts, part: run.interruptions };
  if (run.interruptions < MAX_INTERRUPTIONS) {
    return {
      kind: 'attempt',
      run: leased({ ...run, interruptions: run.interruptions + 1 }, { now, token }),
      interrupted,
    };
  }
  return { kind: 'give-up', run: afterAttempt(run, { succeeded: false, error: 'interrupted' }, now), interrupted };
}

function leased(run: WaitingRun | LeasedRun, { now, token }: { now: number; token: string }): LeasedRun {
  const until = now + run.retryTimeoutSeconds * 1000 + LEASE_MARGIN_MILLIS;
  return {
    ...baseOf(run),
    status: 'IN_PROGRESS',
    lease: { token, until },
    sweeps: 0,
    // Keep the old `nextSweepAt` if it is early enough: a change costs two index writes.
    nextSweepAt: run.nextSweepAt > until + SWEEP_GRACE_MILLIS ? until : run.nextSweepAt,
    revision: run.revision + 1,
  };
}

/** The run without the members of its state. */
function baseOf(run: WaitingRun | ParkedRun | LeasedRun): RunBase {
  return omit(
    run,
    'status',
    'nextSweepAt',
    'lease',
    'nextAttemptAt',
    'isRepeat',
    'slotWaitSince',
    'dispatchAttempt',
    'isParked',
    'isPaused',
  );
}

export interface AttemptEnd {
  readonly succeeded: boolean;
  readonly responseCode?: number;
  readonly error?: string;
}

/** The run after its attempt, or undefined when the lease was lost and the outcome no longer counts. */
export function finish(run: Run, token: string, end: AttemptEnd, now: number): WaitingRun | EndedRun | undefined {
  return isLeased(run) && run.lease.token === token ? afterAttempt(run, end, now) : undefined;
}

function afterAttempt(
  run: LeasedRun,
  { succeeded, responseCode, error }: AttemptEnd,
  now: number,
): WaitingRun | EndedRun {
  const { responseCode: before, ...rest } = omit(baseOf(run), 'error');
  const code = responseCode ?? before;
  const facts = { ...rest, ...(code !== undefined && { responseCode: code }), ...(!succeeded && { error }) };
  if (succeeded) return endedRun(facts, 'COMPLETED', now);
  const next = retryAt(run, now);
  if (next === undefined) return endedRun(facts, 'FAILED', now);
  return {
    ...waitingRun({ ...facts, status: run.status }, next, now),
    ...(isNear(next, now) && { dispatchAttempt: run.attempts + 1 }),
  };
}

function endedRun(facts: RunBase, status: EndedRun['status'], now: number): EndedRun {
  return { ...facts, status, completedAt: now, revision: facts.revision + 1 };
}

function waitingRun(
  run: Omit<WaitingRun, 'nextAttemptAt' | 'nextSweepAt'>,
  nextAttemptAt: number,
  now: number,
): WaitingRun {
  const nextSweepAt = nextAttemptAt + (isNear(nextAttemptAt, now) ? SWEEP_AFTER_DUE_MILLIS : -SWEEP_AHEAD_MILLIS);
  return { ...run, nextAttemptAt, nextSweepAt, sweeps: 0, revision: run.revision + 1 };
}

/** Makes the attempt that a run waits for due now. Undefined if the run waits for no time that is to come. */
export function dueNow(run: Run, now: number): WaitingRun | undefined {
  if (hasEnded(run) || isLeased(run) || isParked(run) || run.nextAttemptAt <= now) return undefined;
  return { ...waitingRun(run, now, now), dispatchAttempt: nextAttempt(run) };
}

const isNear = (time: number, now: number) => time - now <= MAX_DELAY_MILLIS;

/** Returns whether a worker is making an attempt and its lease has not ended. */
export const isHeld = (run: Run, now: number) => isLeased(run) && run.lease.until > now;

/**
 * Ends a run without another attempt, for example because its configuration was deleted. Undefined while an attempt is
 * made.
 */
export function failed(run: Run, error: string, now: number): EndedRun | undefined {
  if (hasEnded(run) || isHeld(run, now)) return undefined;
  return endedRun({ ...baseOf(run), error }, 'FAILED', now);
}

/**
 * Returns whether a run has waited for a slot longer than is allowed. The time restarts after a pause, for which the endpoint
 * is not to blame.
 */
export const hasWaitedTooLong = (
  { slotWaitSince }: WaitingRun | ParkedRun,
  { now, deliveringFrom }: { now: number; deliveringFrom: number },
) => slotWaitSince !== undefined && now - Math.max(slotWaitSince, deliveringFrom) > SLOT_WAIT_MAX_MILLIS;

/** Fails the run, so that it does not expire unfinished. It can be replayed. */
const unresponsive = (run: WaitingRun | ParkedRun, now: number) =>
  endedRun({ ...baseOf(run), error: 'endpoint_unresponsive' }, 'FAILED', now);

/** The message that the stream of the table sends to the queue when this run was stored; undefined if there is none. */
export function pendingDispatch(run: Run, now: number): { attempt: number; delayMillis: number } | undefined {
  if (hasEnded(run) || isLeased(run) || isParked(run) || run.dispatchAttempt === undefined) return undefined;
  return { attempt: run.dispatchAttempt, delayMillis: Math.max(0, run.nextAttemptAt - now) };
}

interface Parking {
  /** The webhooks of the tenant are paused. @default false: no slot is free */
  readonly isPaused?: boolean;
}

/**
 * Parks a run that gets no slot or whose webhooks are paused: it waits for a slot. No attempt is consumed. An attempt
 * whose worker was lost is made again later. Undefined while another worker makes the attempt, and before it is due.
 */
export function parked(run: Run, now: number, { isPaused = false }: Parking = {}): ParkedRun | undefined {
  if (hasEnded(run) || isParked(run) || isHeld(run, now) || dueAt(run) > now) return undefined;
  // The wait starts when the run is first parked, not when it was due: the endpoint is not to blame for our late worker.
  const slotWaitSince = (!isLeased(run) && run.slotWaitSince) || now;
  const isRepeat = isLeased(run) || run.isRepeat === true;
  return {
    ...baseOf(run),
    status: run.status,
    nextAttemptAt: dueAt(run),
    ...(isRepeat && { isRepeat }),
    ...(isLeased(run) && { interruptions: run.interruptions + 1 }),
    isParked: true,
    ...(isPaused && { isPaused }),
    slotWaitSince,
    // The sweeper fails the run when it has waited too long; until then the worker that returns a slot starts it.
    nextSweepAt: slotWaitSince + SLOT_WAIT_MAX_MILLIS + SWEEP_GRACE_MILLIS,
    sweeps: 0,
    revision: run.revision + 1,
  };
}

/** Makes a parked run ready for the slot that was reserved for it. The caller sends the message. */
export function unparked(run: ParkedRun, now: number): WaitingRun {
  const waiting = omit(run, 'isParked', 'isPaused');
  return { ...waiting, nextSweepAt: sweepAfterStart(now), sweeps: 0, revision: run.revision + 1 };
}

export const sweepAfterStart = (now: number) => now + MESSAGE_GRACE_MILLIS;
