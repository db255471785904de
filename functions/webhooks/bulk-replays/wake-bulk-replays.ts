import { wakeSilent } from '#shared/queue/wake-silent';
import { type BulkReplays, type PageTicket, ticketOf } from './bulk-replay.ts';

const SILENT_MILLIS = 120_000;

export interface WakeDeps {
  readonly replays: Pick<BulkReplays, 'running' | 'byId' | 'noteWaking'>;
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
}

/** Wakes bulk replays that have fallen silent. */
export const wakeBulkReplays = ({ replays, send }: WakeDeps, now: number): Promise<number> =>
  wakeSilent(replays.running(), {
    silentMillis: SILENT_MILLIS,
    now,
    find: async (key) => {
      const replay = await replays.byId(key);
      return replay?.status === 'RUNNING' ? replay : undefined;
    },
    heardOf: ({ progressedAt, wokenAt = 0, wakings = 0 }) => ({ progressedAt, wokenAt, wakings }),
    note: (replay) => replays.noteWaking(replay, now),
    send: (replay) => send(ticketOf(replay), 0),
  });
