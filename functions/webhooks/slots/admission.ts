/**
 * Limits the workers that one configuration may use at a time. An endpoint that does not respond blocks a worker until
 * the deadline; without a limit it would block all of them.
 */
import type { ConfigurationKey } from '../runs/run.ts';

/** The use of a configuration's slots. A slot is a lease, so that the slot of a dead worker becomes free. */
export interface Load {
  /** The end of each slot's lease, by slot number. */
  readonly slots: ReadonlyMap<number, number>;
  /** The number of consecutive timeouts. */
  readonly timeouts: number;
  /** True if the endpoint has only `whileSilent` slots until it responds. */
  readonly isSilent: boolean;
  /** The time of the last parking note, which says that runs may wait for a slot; undefined if there is none. */
  readonly parkedAt?: number;
}

export interface Slot {
  readonly number: number;
  readonly until: number;
}

/** The settings `attemptsPerConfiguration` and `attemptsWhileSilent` (cdk/settings.ts). */
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
   * Takes the reserved slot, or else any free slot.
   * @param lease.reserved the slot that another worker has reserved for this run; the reservation may have ended
   */
  enter(
    configuration: ConfigurationKey,
    lease: { readonly now: number; readonly until: number; readonly reserved?: Slot | undefined },
  ): Promise<AdmissionResult>;
  /**
   * Records the outcome of the attempt, and returns the slot or reserves it for another run until the given time.
   * @returns the resulting load; undefined if the lease of the slot was lost
   */
  leave(configuration: ConfigurationKey, slot: Slot, release: SlotRelease): Promise<Load | undefined>;
  /** Reads the current load (strongly consistent). */
  load(configuration: ConfigurationKey): Promise<Load>;
  /** Reserves free slots of this load, at most `lease.count`; fewer if other workers have taken some. */
  reserve(configuration: ConfigurationKey, load: Load, lease: Reservation): Promise<readonly Slot[]>;
  /** Writes the parking note before a run is parked, unless there is a recent note. */
  noteParking(configuration: ConfigurationKey, load: Load, now: number): Promise<void>;
  /** Removes the parking note, unless another worker has renewed it since this load was read. */
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

/** Returns whether the configuration may use the slot. While its endpoint is silent, it may use the lowest numbers only. */
export const mayUseSlot = (number: number, load: Load, limits: SlotLimits) => number < slotCount(load, limits);

/** The numbers of the slots that are free at this moment. */
export function freeSlots(load: Load, limits: SlotLimits, now: number): number[] {
  const numbers = Array.from({ length: slotCount(load, limits) }, (_, number) => number);
  return numbers.filter((number) => (load.slots.get(number) ?? 0) <= now);
}

/** Returns whether any slot is in use: its holder looks for parked runs when it returns the slot. */
export const isInUse = ({ slots }: Load, now: number) => [...slots.values()].some((until) => until > now);

/**
 * Returns whether the endpoint counts as silent from this timeout on. It does so only if every slot is in use, because
 * parking delays retries: with few runs, retries keep their exact intervals.
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
