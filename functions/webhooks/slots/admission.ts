/**
 * How many workers one configuration may hold at a time. An endpoint that does not answer holds a worker until the
 * deadline; without a bound it would hold them all.
 */
import type { ConfigurationKey } from '../runs/run.ts';

/**
 * What is known of a configuration's endpoint. Slots are leases, so that the slot of a dead worker becomes free in
 * time.
 */
export interface Load {
  /** Until when each slot is taken, by number. */
  readonly slots: ReadonlyMap<number, number>;
  /** Timeouts in a row. */
  readonly timeouts: number;
  /** Only a few slots are given until the endpoint answers. */
  readonly isSilent: boolean;
  /** When a run was about to be parked, to the second; undefined when there has been none for minutes. */
  readonly parkedAt?: number;
}

export interface Slot {
  readonly number: number;
  readonly until: number;
}

/** The slots of a configuration: of one whose endpoint answers, and of one whose endpoint is silent. */
export interface SlotLimits {
  readonly all: number;
  readonly whileSilent: number;
}

export type AdmissionResult =
  | (HeldSlot & { readonly kind: 'entered' })
  | { readonly kind: 'full'; readonly load: Load }
  /** The table refuses writes at this moment: nothing is known. */
  | { readonly kind: 'busy' };

/** A slot that is held, and the load when it was taken. */
export interface HeldSlot {
  readonly slot: Slot;
  readonly load: Load;
}

export interface Admission {
  /**
   * Takes a slot.
   * @param lease.handed a slot that another worker has reserved; any other one if that reservation is over
   */
  enter(
    configuration: ConfigurationKey,
    lease: { readonly now: number; readonly until: number; readonly handed?: Slot | undefined },
  ): Promise<AdmissionResult>;
  /**
   * Records the outcome of the attempt, and returns the slot or keeps it for another run until the given time.
   * @returns the load after that; undefined if the lease of the slot was lost
   */
  leave(configuration: ConfigurationKey, slot: Slot, release: SlotRelease): Promise<Load | undefined>;
  /** The load as it is now (strongly consistent). */
  load(configuration: ConfigurationKey): Promise<Load>;
  /** Takes up to so many slots that are free in this load, for runs that begin later; fewer if others were faster. */
  reserve(configuration: ConfigurationKey, load: Load, lease: Reservation): Promise<readonly Slot[]>;
  /** Notes that a run is about to be parked, unless that was noted a moment ago. */
  noteParking(configuration: ConfigurationKey, load: Load, now: number): Promise<void>;
  /** Takes the note away, unless another run was about to be parked since this load was read. */
  forgetParking(configuration: ConfigurationKey, load: Load): Promise<void>;
}

export interface SlotRelease {
  readonly outcome: AttemptOutcome;
  readonly now: number;
  readonly keptUntil?: number | undefined;
  /** Whether timeouts were counted when the slot was taken. */
  readonly hadTimeouts: boolean;
}

interface Reservation {
  readonly count: number;
  readonly now: number;
  readonly until: number;
}

/** `unused`: there was no attempt after all. */
export type AttemptOutcome = 'answered' | 'timed-out' | 'unused';

/** After this many timeouts in a row, with every slot taken, the endpoint counts as silent. */
const TIMEOUTS_MAX = 3;

const slotCount = ({ isSilent }: Load, { all, whileSilent }: SlotLimits) => (isSilent ? whileSilent : all);

/** Those that hold higher ones when the endpoint becomes silent return them. */
export const isGiven = (number: number, load: Load, limits: SlotLimits) => number < slotCount(load, limits);

/** The numbers of the slots that are free at this moment. */
export function freeSlots(load: Load, limits: SlotLimits, now: number): number[] {
  const numbers = Array.from({ length: slotCount(load, limits) }, (_, number) => number);
  return numbers.filter((number) => (load.slots.get(number) ?? 0) <= now);
}

/** Whether any slot is taken: its holder will look for parked runs when it leaves. */
export const isInUse = ({ slots }: Load, now: number) => [...slots.values()].some((until) => until > now);

/**
 * Whether the endpoint counts as silent from this timeout on. That needs full slots besides the timeouts, so that a
 * few runs keep the exact intervals of their retries.
 * @param load with this timeout counted
 * @param isKept whether the slot of the attempt is still taken in it
 */
export function becomesSilent(
  load: Load,
  { limits, now, isKept }: { limits: SlotLimits; now: number; isKept: boolean },
): boolean {
  const taken = [...load.slots.values()].filter((until) => until > now).length + (isKept ? 0 : 1);
  return !load.isSilent && load.timeouts >= TIMEOUTS_MAX && taken >= limits.all;
}
