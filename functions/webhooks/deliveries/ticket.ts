import type { Run } from '../runs/run.ts';
import type { Slot } from '../slots/admission.ts';

/**
 * A message that says that an attempt of a run is due. Only the keys in it are trusted; the state is read from the
 * table.
 */
export interface Ticket {
  readonly tenant: string;
  readonly run: string;
  readonly attempt: number;
  readonly configuration: string;
  /** A slot that is reserved for the attempt. */
  readonly slot?: Slot;
  /** The trace in which the run began. */
  readonly origin?: string;
  /** Asks the worker to start parked runs of the configuration instead of an attempt. */
  readonly isWake?: boolean;
}

/** The message of an attempt, from the run as it is stored. */
export const ticketOf = ({ tenant, id, configurationId, origin }: Run, attempt: number): Ticket => ({
  tenant,
  run: id,
  attempt,
  configuration: configurationId,
  ...(origin !== undefined && { origin }),
});

/** First attempts take the fast lane; retries and endpoints that time out share the slow one. */
export type Lane = 'fast' | 'slow';

/** The lane to which the stream sends a ticket. The worker of the fast lane forwards tickets of endpoints that time out. */
export const laneOf = ({ attempt }: { attempt: number }): Lane => (attempt === 1 ? 'fast' : 'slow');

/** A ticket with its lane and delay. */
export interface Dispatch {
  readonly lane: Lane;
  readonly ticket: Ticket;
  readonly delayMillis: number;
}
