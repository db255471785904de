import { wakeSilent } from '#shared/queue/wake-silent';
import { type DeliveringFrom, PAUSED } from '../pauses/pause.ts';
import { type BulkReplays, type PageTicket, ticketOf } from './bulk-replay.ts';

const SILENT_MILLIS = 120_000;

export interface WakeDeps {
  readonly replays: Pick<BulkReplays, 'running' | 'byId' | 'recordWake'>;
  readonly deliveringFrom: DeliveringFrom;
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
}

/** Wakes bulk replays that have stalled, except those of tenants whose webhooks are paused. */
export const wakeBulkReplays = ({ replays, deliveringFrom, send }: WakeDeps, now: number): Promise<number> =>
  wakeSilent(replays.running(), {
    silentMillis: SILENT_MILLIS,
    now,
    find: async (key) => {
      const replay = await replays.byId(key);
      if (replay?.status !== 'RUNNING') return undefined;
      return (await deliveringFrom(key.tenant)) === PAUSED ? undefined : replay;
    },
    progressOf: ({ progressedAt, wokenAt = 0, wakeUps = 0 }) => ({ progressedAt, wokenAt, wakeUps }),
    note: (replay) => replays.recordWake(replay, now),
    send: (replay) => send(ticketOf(replay), 0),
  });
