import { type BulkReplays, type PageTicket, ticketOf } from './bulk-replay.ts';

/** A bulk replay that has been silent for so long has lost its message, or waits in a long queue. */
const SILENT_MILLIS = 120_000;
/** The wait doubles with every waking that helped nothing, so that a long queue does not grow by it. */
const MAX_DOUBLINGS = 5;

export interface WakeDeps {
  readonly replays: Pick<BulkReplays, 'running' | 'byId' | 'noteWaking'>;
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
}

/** Has workers look at bulk replays of which nothing was heard: a crash may have come between a write and its message. */
export async function wakeBulkReplays({ replays, send }: WakeDeps, now: number): Promise<number> {
  let woken = 0;
  for await (const key of replays.running()) {
    const replay = await replays.byId(key);
    if (replay?.status !== 'RUNNING') continue;
    const { wakings = 0, wokenAt = 0, progressedAt } = replay;
    if (now - Math.max(wokenAt, progressedAt) < SILENT_MILLIS * 2 ** Math.min(wakings, MAX_DOUBLINGS)) continue;
    if (!(await replays.noteWaking(replay, now))) continue;
    await send(ticketOf(replay), 0);
    woken += 1;
  }
  return woken;
}
