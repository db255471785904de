/** The decisions of the sweeper, as pure functions like the steps of `runs/run-machine.ts`. */
import { hasEnded, isLeased, isParked, type ParkedRun, type Run, type RunBase } from '../runs/run.ts';
import {
  hasWaitedTooLong,
  isHeld,
  MAX_DELAY_MILLIS,
  nextAttempt,
  SLOT_WAIT_MAX_MILLIS,
  SWEEP_AFTER_DUE_MILLIS,
  SWEEP_GRACE_MILLIS,
} from '../runs/run-machine.ts';

/** During a pause a run is checked at this interval, which extends its retention. */
const PAUSED_SWEEP_MILLIS = 86_400_000;
const MAX_SWEEP_DELAY_MILLIS = 900_000;

/** The sweeper's action for a run. It sends a message first and then records when to check again. */
export type SweepDecision =
  | { readonly kind: 'nothing' }
  /** Records only when to check again. */
  | { readonly kind: 'note'; readonly next: NextSweep }
  /** Records when to check again, and extends the retention of the run. */
  | { readonly kind: 'keep'; readonly next: NextSweep }
  | {
      readonly kind: 'send';
      readonly attempt: number;
      readonly delayMillis: number;
      readonly next: NextSweep;
    };

interface NextSweep {
  readonly nextSweepAt: number;
  readonly sweeps: number;
}

/**
 * With a long backlog, this many sweeps of a run send nothing, because its message is most likely still in the queue.
 */
const PATIENT_SWEEPS = 3;

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
  if (isLeased(run)) return { kind: 'send', attempt: run.attempts, delayMillis: 0, next: nextSweep(run, now) };
  if (isParked(run) && !hasWaitedTooLong(run, { now, deliveringFrom }))
    return parkedRunDecision(run, now, deliveringFrom);
  const attempt = nextAttempt(run);
  const delayMillis = Math.max(0, run.nextAttemptAt - now);
  if (delayMillis > MAX_DELAY_MILLIS) return { kind: 'nothing' };
  if (delayMillis > 0) {
    return {
      kind: 'send',
      attempt,
      delayMillis,
      next: { nextSweepAt: now + delayMillis + SWEEP_AFTER_DUE_MILLIS, sweeps: 0 },
    };
  }
  const next = nextSweep(run, now);
  return isBacklogged && run.sweeps < PATIENT_SWEEPS
    ? { kind: 'note', next }
    : { kind: 'send', attempt, delayMillis, next };
}

/**
 * Postpones the next sweep of a parked run, during a pause and after it. The worker that returns a slot starts the run.
 */
function parkedRunDecision(
  { slotWaitSince, nextSweepAt }: ParkedRun,
  now: number,
  deliveringFrom: number,
): SweepDecision {
  if (nextSweepAt > now) return { kind: 'nothing' };
  if (deliveringFrom > now) return { kind: 'keep', next: { nextSweepAt: now + PAUSED_SWEEP_MILLIS, sweeps: 0 } };
  const waitingFrom = Math.max(slotWaitSince, deliveringFrom);
  return { kind: 'note', next: { nextSweepAt: waitingFrom + SLOT_WAIT_MAX_MILLIS + SWEEP_GRACE_MILLIS, sweeps: 0 } };
}

/** Doubles the interval with every sweep, because each one adds a message to a long backlog. An attempt resets it. */
function nextSweep({ sweeps }: RunBase, now: number): NextSweep {
  return { nextSweepAt: now + Math.min(MAX_SWEEP_DELAY_MILLIS, SWEEP_GRACE_MILLIS * 2 ** sweeps), sweeps: sweeps + 1 };
}
