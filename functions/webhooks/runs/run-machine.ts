/**
 * The life of a run, as pure steps from one state to the next. The stored run is the only truth; messages are hints
 * that may be lost, come twice or come late. Every step is written under the condition that the run has not changed
 * since the step read it, and `test/webhooks/runs/run-machine.test.ts` searches all orders of steps, crashes and
 * duplicates.
 */
import {
  type EndedRun,
  hasEnded,
  isLeased,
  isParked,
  type LeasedRun,
  type ParkedRun,
  type Run,
  type RunFacts,
  type WaitingRun,
} from './run.ts';

/** A worker that is silent for this long after the deadline of its attempt is taken for dead. */
const LEASE_MARGIN_MILLIS = 15_000;
/** How often the same attempt is made again because its worker was lost. After that it counts as failed. */
const MAX_INTERRUPTIONS = 2;
/** SQS delays a message at most this long; for longer waits the sweeper sends it when the time is near. */
export const MAX_DELAY_MILLIS = 900_000;
/** Between the moment when something should have happened and the sweeper's first look. */
export const FIRST_LOOK_MILLIS = 60_000;
export const LOOK_AFTER_DUE_MILLIS = 30_000;
/** A minute before the last moment that a delayed message can bridge: the sweeper comes once a minute. */
const LOOK_AHEAD_MILLIS = MAX_DELAY_MILLIS - 60_000;
/** A run for which there was no room for so long fails. A pause of the tenant's webhooks does not count. */
export const UNSLOTTED_MAX_MILLIS = 3 * 86_400_000;

/** A message for an attempt that has a slot arrives within this time, unless it was lost. */
const STARTED_LOOK_MILLIS = 20_000;

/** The facts from which a run is made. */
export type NewRun = Omit<RunFacts, 'attempts' | 'interruptions' | 'looks' | 'replays' | 'revision'>;

export const created = (run: NewRun): WaitingRun => ({
  ...run,
  status: 'CREATED',
  attempts: 0,
  interruptions: 0,
  looks: 0,
  replays: 0,
  nextAttemptAt: run.createdAt,
  announces: 1,
  lookAt: run.createdAt + FIRST_LOOK_MILLIS,
  revision: 1,
});

/** What a worker must do about a message that names an attempt. */
export type Claim =
  /** Nothing: the attempt was made. */
  | { readonly kind: 'drop' }
  /** Send a message for this attempt with this delay. */
  | { readonly kind: 'send'; readonly attempt: number; readonly delayMillis: number }
  /** Write the run; then make the attempt. */
  | { readonly kind: 'attempt'; readonly run: LeasedRun; readonly interrupted?: Interrupted }
  /** Write the run; its attempt was lost once too often. */
  | { readonly kind: 'give-up'; readonly run: WaitingRun | EndedRun; readonly interrupted: Interrupted }
  /** Nothing: it waits for a slot, which must be on its way. */
  | { readonly kind: 'parked' }
  /** Write the run: there was no room for it for days. */
  | { readonly kind: 'end'; readonly run: EndedRun };

/** A part of an attempt whose worker was lost: it may or may not have reached the endpoint. */
export interface Interrupted {
  readonly attempt: number;
  readonly part: number;
}

export interface Claimant {
  readonly now: number;
  readonly token: string;
  /** Since when the tenant's webhooks go out; infinite while they are paused. @default always */
  readonly deliveringFrom?: number;
}

export function claim(run: Run, attempt: number, { now, token, deliveringFrom = 0 }: Claimant): Claim {
  if (hasEnded(run) || attempt < run.attempts) return { kind: 'drop' };
  if (isLeased(run)) return attempt === run.attempts ? resume(run, { now, token }) : { kind: 'drop' };
  const next = nextAttempt(run);
  if (attempt > next) return { kind: 'drop' };
  if (isUnslottedTooLong(run, { now, deliveringFrom })) return { kind: 'end', run: unresponsive(run, now) };
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

/** When the attempt was due: runs of a configuration that wait for a slot get it in this order. */
export const dueAt = (run: WaitingRun | ParkedRun | LeasedRun) => (isLeased(run) ? run.lease.until : run.nextAttemptAt);

function resume(run: LeasedRun, { now, token }: { now: number; token: string }): Claim {
  // Should that worker have died, this message finds the attempt lost; otherwise there is nothing to do by then.
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
    ...factsOf(run),
    status: 'IN_PROGRESS',
    lease: { token, until },
    looks: 0,
    // Kept where it does no harm, because every change costs two writes of the index.
    lookAt: run.lookAt > until + FIRST_LOOK_MILLIS ? until : run.lookAt,
    revision: run.revision + 1,
  };
}

/** The run without what belongs to its state. */
function factsOf(run: WaitingRun | ParkedRun | LeasedRun): RunFacts {
  if (isLeased(run)) {
    const { status: _, lookAt: __, lease: ___, ...facts } = run;
    return facts;
  }
  const {
    announces: _,
    isParked: __,
    isPaused: ________,
    ...pending
  }: Partial<WaitingRun & ParkedRun> & typeof run = run;
  const {
    status: ___,
    lookAt: ____,
    nextAttemptAt: _____,
    isRepeat: ______,
    unslottedFrom: _______,
    ...facts
  } = pending;
  return facts;
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
  const { responseCode: before, error: _, ...rest } = factsOf(run);
  const code = responseCode ?? before;
  const told = { ...rest, ...(code !== undefined && { responseCode: code }), ...(!succeeded && { error }) };
  if (succeeded) return ended(told, 'COMPLETED', now);
  if (run.attempts >= run.maxAttempts) return ended(told, 'FAILED', now);
  const next = now + run.retryIntervalSeconds * 1000;
  return {
    ...waiting({ ...told, status: run.status }, next, now),
    ...(isNear(next, now) && { announces: run.attempts + 1 }),
  };
}

function ended(facts: RunFacts, status: EndedRun['status'], now: number): EndedRun {
  return { ...facts, status, completedAt: now, revision: facts.revision + 1 };
}

function waiting(run: Omit<WaitingRun, 'nextAttemptAt' | 'lookAt'>, nextAttemptAt: number, now: number): WaitingRun {
  const lookAt = nextAttemptAt + (isNear(nextAttemptAt, now) ? LOOK_AFTER_DUE_MILLIS : -LOOK_AHEAD_MILLIS);
  return { ...run, nextAttemptAt, lookAt, looks: 0, revision: run.revision + 1 };
}

const isNear = (time: number, now: number) => time - now <= MAX_DELAY_MILLIS;

/** Whether a worker that is not taken for dead makes an attempt. */
export const isHeld = (run: Run, now: number) => isLeased(run) && run.lease.until > now;

/** A run without a current attempt ends without another one: its configuration is gone, say. */
export function failed(run: Run, error: string, now: number): EndedRun | undefined {
  if (hasEnded(run) || isHeld(run, now)) return undefined;
  return ended({ ...factsOf(run), error }, 'FAILED', now);
}

/** A pause begins the time anew: the endpoint is not to blame for it. */
export const isUnslottedTooLong = (
  { unslottedFrom }: WaitingRun | ParkedRun,
  { now, deliveringFrom }: { now: number; deliveringFrom: number },
) => unslottedFrom !== undefined && now - Math.max(unslottedFrom, deliveringFrom) > UNSLOTTED_MAX_MILLIS;

/** It can be replayed, and must not expire unfinished. */
const unresponsive = (run: WaitingRun | ParkedRun, now: number) =>
  ended({ ...factsOf(run), error: 'endpoint_unresponsive' }, 'FAILED', now);

/** The message that a stored run announces: the stream of the table sends it to the queue. */
export function announced(run: Run, now: number): { attempt: number; delayMillis: number } | undefined {
  if (hasEnded(run) || isLeased(run) || isParked(run) || run.announces === undefined) return undefined;
  return { attempt: run.announces, delayMillis: Math.max(0, run.nextAttemptAt - now) };
}

interface Parking {
  /** The webhooks of the tenant are paused. @default false: there is no room */
  readonly isPaused?: boolean;
}

/**
 * There is no room for the attempt, or webhooks are paused: the run waits for a slot. No attempt is consumed. An attempt
 * whose worker was lost is made again later. Undefined while another worker makes the attempt, and before it is due.
 */
export function parked(run: Run, now: number, { isPaused = false }: Parking = {}): ParkedRun | undefined {
  if (hasEnded(run) || isParked(run) || isHeld(run, now) || dueAt(run) > now) return undefined;
  // Counts from the first time: a late worker of ours is no fault of the endpoint.
  const unslottedFrom = (!isLeased(run) && run.unslottedFrom) || now;
  const isRepeat = isLeased(run) || run.isRepeat === true;
  return {
    ...factsOf(run),
    status: run.status,
    nextAttemptAt: dueAt(run),
    ...(isRepeat && { isRepeat }),
    ...(isLeased(run) && { interruptions: run.interruptions + 1 }),
    isParked: true,
    ...(isPaused && { isPaused }),
    unslottedFrom,
    // When it has waited for too long; until then whoever returns a slot finds it.
    lookAt: unslottedFrom + UNSLOTTED_MAX_MILLIS + FIRST_LOOK_MILLIS,
    looks: 0,
    revision: run.revision + 1,
  };
}

/** A slot was reserved for the run. The caller sends the message. */
export function unparked({ isParked: _, isPaused: __, ...run }: ParkedRun, now: number): WaitingRun {
  return { ...run, lookAt: startedLookAt(now), looks: 0, revision: run.revision + 1 };
}

export const startedLookAt = (now: number) => now + STARTED_LOOK_MILLIS;
