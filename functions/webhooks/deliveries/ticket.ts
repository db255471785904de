import type { Run } from '../runs/run.ts';
import type { Slot } from '../slots/admission.ts';

/** A message: this attempt of this run is due. Nothing in it is trusted but the name of the run. */
export interface Ticket {
  readonly tenant: string;
  readonly run: string;
  readonly attempt: number;
  readonly configuration: string;
  /** A slot that is reserved for the attempt. */
  readonly slot?: Slot;
  /** Asks for no attempt, but whether parked runs of the configuration can begin. */
  readonly isWake?: boolean;
}

/** The message of an attempt, from the run as it is stored. */
export const ticketOf = ({ tenant, id, configurationId }: Run, attempt: number): Ticket => ({
  tenant,
  run: id,
  attempt,
  configuration: configurationId,
});

/** First attempts take the fast lane; retries and endpoints that time out share the slow one. */
export type Lane = 'fast' | 'slow';

/** Where a ticket is announced. The worker of the fast lane passes on those of endpoints that time out. */
export const laneOf = ({ attempt }: { attempt: number }): Lane => (attempt === 1 ? 'fast' : 'slow');

/** A ticket and where it is to be sent. */
export interface Dispatch {
  readonly lane: Lane;
  readonly ticket: Ticket;
  readonly delayMillis: number;
}
