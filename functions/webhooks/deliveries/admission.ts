/**
 * How many workers one configuration may hold at a time, and when its endpoint is paused. An endpoint that does not
 * answer holds a worker until the deadline; without a bound it would hold them all.
 */

/**
 * What is known of a configuration's endpoint. Slots are leases, so that the slot of a dead worker becomes free in
 * time.
 */
export interface Load {
  /** Until when each slot is taken, by number. */
  readonly slots: ReadonlyMap<number, number>;
  /** Timeouts in a row. */
  readonly timeouts: number;
  /** Pauses in a row. */
  readonly pauses: number;
  /** While set, only one attempt at a time is made, and none before this moment. */
  readonly pausedUntil?: number;
}

export interface Slot {
  readonly number: number;
  readonly until: number;
}

export type Entered =
  | (Visit & { readonly kind: 'entered' })
  | { readonly kind: 'full'; readonly hasTimedOut: boolean }
  | { readonly kind: 'paused'; readonly until: number; readonly pauses: number };

export type Refused = Exclude<Entered, { readonly kind: 'entered' }>;

export interface Admission {
  /** The refusal that `enter` would return, as far as it is known without a call. */
  refusal(configuration: ConfigurationKey, now: number): Refused | undefined;
  enter(configuration: ConfigurationKey, lease: { readonly now: number; readonly until: number }): Promise<Entered>;
  /** Returns the slot and reports how the attempt went. */
  leave(configuration: ConfigurationKey, entered: Visit, how: HowItWent, now: number): Promise<void>;
}

/** A slot that is held. `isProbe`: the endpoint was paused, and this one attempt tests whether it answers again. */
export interface Visit {
  readonly slot: Slot;
  readonly load: Load;
  readonly isProbe: boolean;
}

/** `unused`: there was no attempt after all. */
export type HowItWent = 'answered' | 'timed-out' | 'unused';

export interface ConfigurationKey {
  readonly tenant: string;
  readonly configurationId: string;
}

/** After this many timeouts in a row, with every slot taken, the endpoint is paused. */
const TIMEOUTS_MAX = 3;
const FIRST_PAUSE_MILLIS = 15_000;
const LONGEST_PAUSE_MILLIS = 300_000;

/** A slot that is free at this moment; undefined if all are taken. @param chance from 0 to 1: spreads the choice. */
export function freeSlot({ slots }: Load, { of, now, chance }: { of: number; now: number; chance: number }) {
  const free = Array.from({ length: of }, (_, number) => number).filter((number) => (slots.get(number) ?? 0) <= now);
  return free[Math.floor(chance * free.length)];
}

/**
 * Until when the endpoint is paused after a timeout, if it is. A pause needs full slots besides the timeouts, so that
 * the retries of a few runs keep their exact intervals. It ends by itself: the first attempt after it is a probe, and
 * only the probe makes it longer. Attempts that were under way when it began add no information.
 * @param load with this timeout counted and its slot returned.
 */
export function pauseAfter(
  load: Load,
  { slots, now, isProbe }: { slots: number; now: number; isProbe: boolean },
): number | undefined {
  const taken = [...load.slots.values()].filter((until) => until > now).length + 1;
  const isBegun = load.pausedUntil !== undefined;
  if (load.timeouts < TIMEOUTS_MAX || (isBegun ? !isProbe : taken < slots)) return undefined;
  return now + Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS * 2 ** load.pauses);
}

/**
 * The longest wait for a slot. Longer ones would leave slots empty while runs wait; shorter ones cost more messages: with
 * 20,000 runs waiting, 700 a second.
 */
const LONGEST_WAIT_MILLIS = 30_000;

/** After each pause without effect, waiting runs come back four times as late as before. */
const FIRST_ABSENCE_MILLIS = 15_000;
const LONGEST_ABSENCE_MILLIS = 300_000;

/**
 * How long to wait for room, in milliseconds: longer every time, and spread, so that waiting runs do not come back
 * together. After a pause they need not all come back at once, because the first of them is a probe.
 */
export function deferralMillis(refused: Refused, { now, deferrals, chance }: Wait): number {
  if (refused.kind === 'full') {
    return Math.round(Math.min(LONGEST_WAIT_MILLIS, 1_000 * 2 ** deferrals) * (0.75 + chance / 2));
  }
  const absence = Math.min(LONGEST_ABSENCE_MILLIS, FIRST_ABSENCE_MILLIS * 4 ** Math.max(0, refused.pauses - 1));
  // Up to three times as long, or thousands would come back at once: and never longer than a message can be delayed.
  return Math.round(Math.max(refused.until - now, absence) * (1 + 2 * chance));
}

interface Wait {
  readonly now: number;
  /** How often it has been put off before. */
  readonly deferrals: number;
  /** From 0 to 1. */
  readonly chance: number;
}
