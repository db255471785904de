/** The steps of a run that finds no room and of one that is given a slot, as pure as those of `run-machine.ts`. */
import { hasEnded, isLeased, isParked, type ParkedRun, type Run, type WaitingRun } from './run.ts';
import { dueAt, FIRST_LOOK_MILLIS, factsOf, isHeld, ROOMLESS_MILLIS } from './run-machine.ts';

/** A message for an attempt that has a slot arrives within this time, unless it was lost. */
const STARTED_LOOK_MILLIS = 20_000;

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
  const roomlessFrom = (!isLeased(run) && run.roomlessFrom) || now;
  const isRepeat = isLeased(run) || run.isRepeat === true;
  return {
    ...factsOf(run),
    status: run.status,
    nextAttemptAt: dueAt(run),
    ...(isRepeat && { isRepeat }),
    ...(isLeased(run) && { interruptions: run.interruptions + 1 }),
    isParked: true,
    ...(isPaused && { isPaused }),
    roomlessFrom,
    // When it has waited for too long; until then whoever returns a slot finds it.
    lookAt: roomlessFrom + ROOMLESS_MILLIS + FIRST_LOOK_MILLIS,
    looks: 0,
    revision: run.revision + 1,
  };
}

/** A slot was reserved for the run. The caller sends the message. */
export function unparked({ isParked: _, isPaused: __, ...run }: ParkedRun, now: number): WaitingRun {
  return { ...run, lookAt: startedLookAt(now), looks: 0, revision: run.revision + 1 };
}

export const startedLookAt = (now: number) => now + STARTED_LOOK_MILLIS;
