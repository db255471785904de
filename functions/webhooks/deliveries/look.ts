/** What the sweeper must do about a run, as pure as the steps of `runs/run-machine.ts`. */
import { hasEnded, isLeased, isParked, type ParkedRun, type Run, type RunFacts } from '../runs/run.ts';
import {
  FIRST_LOOK_MILLIS,
  isHeld,
  isUnslottedTooLong,
  LOOK_AFTER_DUE_MILLIS,
  MAX_DELAY_MILLIS,
  nextAttempt,
  UNSLOTTED_MAX_MILLIS,
} from '../runs/run-machine.ts';

/** A run that waits through a pause is looked at so often, to be kept. */
const PAUSED_LOOK_MILLIS = 86_400_000;
const MAX_LOOK_DELAY_MILLIS = 900_000;

/** What the sweeper must do about a run: send a message, and only then record when to look again. */
export type SweepDecision =
  | { readonly kind: 'nothing' }
  /** Only record when to look again. */
  | { readonly kind: 'note'; readonly next: NextLook }
  /** Record it, and keep the run for longer. */
  | { readonly kind: 'keep'; readonly next: NextLook }
  | {
      readonly kind: 'send';
      readonly attempt: number;
      readonly delayMillis: number;
      readonly next: NextLook;
    };

interface NextLook {
  readonly lookAt: number;
  readonly looks: number;
}

/** With a long backlog the first looks send nothing: the message of the run is most likely still in the queue. */
const PATIENT_LOOKS = 3;

interface Circumstances {
  /** Very many messages are waiting for a worker. @default false */
  readonly isBacklogged?: boolean;
  /** Since when the tenant's webhooks go out; infinite while they are paused. @default always */
  readonly deliveringFrom?: number;
}

export function look(
  run: Run,
  now: number,
  { isBacklogged = false, deliveringFrom = 0 }: Circumstances = {},
): SweepDecision {
  if (hasEnded(run) || isHeld(run, now)) return { kind: 'nothing' };
  if (isLeased(run)) return { kind: 'send', attempt: run.attempts, delayMillis: 0, next: nextLook(run, now) };
  if (isParked(run) && !isUnslottedTooLong(run, { now, deliveringFrom })) return lookAtParked(run, now, deliveringFrom);
  const attempt = nextAttempt(run);
  const delayMillis = Math.max(0, run.nextAttemptAt - now);
  if (delayMillis > MAX_DELAY_MILLIS) return { kind: 'nothing' };
  if (delayMillis > 0) {
    return {
      kind: 'send',
      attempt,
      delayMillis,
      next: { lookAt: now + delayMillis + LOOK_AFTER_DUE_MILLIS, looks: 0 },
    };
  }
  const next = nextLook(run, now);
  return isBacklogged && run.looks < PATIENT_LOOKS
    ? { kind: 'note', next }
    : { kind: 'send', attempt, delayMillis, next };
}

/** Whoever returns a slot finds it. After a pause, and during one, its look is put off. */
function lookAtParked({ unslottedFrom, lookAt }: ParkedRun, now: number, deliveringFrom: number): SweepDecision {
  if (lookAt > now) return { kind: 'nothing' };
  if (deliveringFrom > now) return { kind: 'keep', next: { lookAt: now + PAUSED_LOOK_MILLIS, looks: 0 } };
  const roomFrom = Math.max(unslottedFrom, deliveringFrom);
  return { kind: 'note', next: { lookAt: roomFrom + UNSLOTTED_MAX_MILLIS + FIRST_LOOK_MILLIS, looks: 0 } };
}

/** Intervals grow: under a long backlog every look adds a message to it. An attempt resets them. */
function nextLook({ looks }: RunFacts, now: number): NextLook {
  return { lookAt: now + Math.min(MAX_LOOK_DELAY_MILLIS, FIRST_LOOK_MILLIS * 2 ** looks), looks: looks + 1 };
}
