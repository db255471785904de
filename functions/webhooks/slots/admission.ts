/**
 * Limits the workers that one configuration may use at a time. An endpoint that does not respond blocks a worker until
 * the deadline; without a limit it would block all of them.
 */
import type { ConfigurationKey } from '../runs/run.ts';

/** The load of a configuration's endpoint. Slots are leases, so that the slot of a dead worker becomes free. */
export interface Load {
  /** The end of each slot's lease, by slot number. */
  readonly slots: ReadonlyMap<number, number>;
  /** The number of consecutive timeouts. */
  readonly timeouts: number;
  /** True if the endpoint has only a few slots until it responds. */
  readonly isSilent: boolean;
  /** The time of the last parking note, to the second; undefined when no run was parked for minutes. */
  readonly parkedAt?: number;
}

export interface Slot {
  readonly number: number;
  readonly until: number;
}

/** The number of slots of a configuration: while its endpoint responds, and while it is silent. */
export interface SlotLimits {
  readonly all: number;
  readonly whileSilent: number;
}

export type AdmissionResult =
  | (HeldSlot & { readonly kind: 'entered' })
  | { readonly kind: 'full'; readonly load: Load }
  /** DynamoDB throttles the writes at this moment. */
  | { readonly kind: 'busy' };

/** A slot that a worker holds, and the load when it was taken. */
export interface HeldSlot {
  readonly slot: Slot;
  readonly load: Load;
}

export interface Admission {
  /**
   * Takes a slot.
   * @param lease.handed a slot that another worker has reserved; if that reservation has ended, any free slot is taken
   */
  enter(
    configuration: ConfigurationKey,
    lease: { readonly now: number; readonly until: number; readonly handed?: Slot | undefined },
  ): Promise<AdmissionResult>;
  /**
   * Records the outcome of the attempt, and returns the slot or reserves it for another run until the given time.
   * @returns the resulting load; undefined if the lease of the slot was lost
   */
  leave(configuration: ConfigurationKey, slot: Slot, release: SlotRelease): Promise<Load | undefined>;
  /** Reads the current load (strongly consistent). */
  load(configuration: ConfigurationKey): Promise<Load>;
  /** Reserves up to this many slots that are free in this load; fewer if other workers have taken them. */
  reserve(configuration: ConfigurationKey, load: Load, lease: Reservation): Promise<readonly Slot[]>;
  /** Writes a note that a run is about to be parked, unless there is a recent one. */
  noteParking(configuration: ConfigurationKey, load: Load, now: number): Promise<void>;
  /** Removes the parking note, unless it was renewed since this load was read. */
  forgetParking(configuration: ConfigurationKey, load: Load): Promise<void>;
}

export interface SlotRelease {
  readonly outcome: AttemptOutcome;
  readonly now: number;
  readonly reservedUntil?: number | undefined;
  /** True if the endpoint had timed out when the slot was taken. */
  readonly hadTimeouts: boolean;
}

interface Reservation {
  readonly count: number;
  readonly now: number;
  readonly until: number;
}

/** `unused` means that no attempt was made. */
export type AttemptOutcome = 'answered' | 'timed-out' | 'unused';

/** After this many consecutive timeouts, with every slot in use, the endpoint counts as silent. */
const TIMEOUTS_MAX = 3;

const slotCount = ({ isSilent }: Load, { all, whileSilent }: SlotLimits) => (isSilent ? whileSilent : all);

/** Returns whether the configuration still has this slot. When its endpoint becomes silent, workers return the higher ones. */
export const isGiven = (number: number, load: Load, limits: SlotLimits) => number < slotCount(load, limits);

/** The numbers of the slots that are free at this moment. */
export function freeSlots(load: Load, limits: SlotLimits, now: number): number[] {
  const numbers = Array.from({ length: slotCount(load, limits) }, (_, number) => number);
  return numbers.filter((number) => (load.slots.get(number) ?? 0) <= now);
}

/** Returns whether any slot is in use: its holder looks for parked runs when it returns the slot. */
export const isInUse = ({ slots }: Load, now: number) => [...slots.values()].some((until) => until > now);

/**
 * Returns whether the endpoint counts as silent from this timeout on. Every slot must be in use as well, so that a few runs
 * keep the exact intervals of their retries.
 * @param load the load, including this timeout
 * @param isReserved whether the slot of the attempt is reserved in it
 */
export function becomesSilent(
  load: Load,
  { limits, now, isReserved }: { limits: SlotLimits; now: number; isReserved: boolean },
): boolean {
  const takenCount = [...load.slots.values()].filter((until) => until > now).length + (isReserved ? 0 : 1);
  return !load.isSilent && load.timeouts >= TIMEOUTS_MAX && takenCount >= limits.all;
}
