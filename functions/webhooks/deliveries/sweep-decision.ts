/** The decisions of the sweeper, as pure functions like the steps of `runs/run-machine.ts`. */
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

/** The interval of looks at a run during a pause, which extend its retention. */
const PAUSED_LOOK_MILLIS = 86_400_000;
const MAX_LOOK_DELAY_MILLIS = 900_000;

/** The sweeper's action for a run. It sends a message first and then records when to look again. */
export type SweepDecision =
  | { readonly kind: 'nothing' }
  /** Records only when to look again. */
  | { readonly kind: 'note'; readonly next: NextLook }
  /** Records when to look again, and extends the retention of the run. */
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

/**
 * With a long backlog this many looks send nothing, because the message of the run is most likely still in the queue.
 */
const PATIENT_LOOKS = 3;

interface Circumstances {
  /** True if the queues have a long backlog. @default false */
  readonly isBacklogged?: boolean;
  /** The time since which the tenant's webhooks are sent; infinite while they are paused. @default always */
  readonly deliveringFrom?: number;
}

export function sweepDecision(
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

/**
 * Postpones the next look of a parked run, during a pause and after it. The worker that returns a slot starts the run.
 */
function lookAtParked({ unslottedFrom, lookAt }: ParkedRun, now: number, deliveringFrom: number): SweepDecision {
  if (lookAt > now) return { kind: 'nothing' };
  if (deliveringFrom > now) return { kind: 'keep', next: { lookAt: now + PAUSED_LOOK_MILLIS, looks: 0 } };
  const waitingFrom = Math.max(unslottedFrom, deliveringFrom);
  return { kind: 'note', next: { lookAt: waitingFrom + UNSLOTTED_MAX_MILLIS + FIRST_LOOK_MILLIS, looks: 0 } };
}

/** Doubles the interval with every look, because each one adds a message to a long backlog. An attempt resets it. */
function nextLook({ looks }: RunFacts, now: number): NextLook {
  return { lookAt: now + Math.min(MAX_LOOK_DELAY_MILLIS, FIRST_LOOK_MILLIS * 2 ** looks), looks: looks + 1 };
}
