import { type BulkReplayKey, type BulkReplays, type PageTicket, ticketOf } from './bulk-replay.ts';

/** A bulk replay that has been silent for this long has lost its message, or waits in a long queue. */
const SILENT_MILLIS = 120_000;
/** The wait doubles with every waking without effect, so that wakings do not lengthen a long queue. */
const MAX_DOUBLINGS = 5;

export interface WakeDeps {
  readonly replays: Pick<BulkReplays, 'running' | 'byId' | 'noteWaking'>;
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
}

/** Wakes bulk replays that have fallen silent: a crash may have come between a write and its message. */
export async function wakeBulkReplays(deps: WakeDeps, now: number): Promise<number> {
  let woken = 0;
  const errors: unknown[] = [];
  for await (const key of deps.replays.running()) {
    try {
      if (await wakeIfSilent(deps, key, now)) woken += 1;
    } catch (error) {
      // One that cannot be woken must not prevent waking the others.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} bulk replays could not be woken.`);
  return woken;
}

async function wakeIfSilent({ replays, send }: WakeDeps, key: BulkReplayKey, now: number): Promise<boolean> {
  const replay = await replays.byId(key);
  if (replay?.status !== 'RUNNING') return false;
  const { wakings = 0, wokenAt = 0, progressedAt } = replay;
  if (now - Math.max(wokenAt, progressedAt) < SILENT_MILLIS * 2 ** Math.min(wakings, MAX_DOUBLINGS)) return false;
  if (!(await replays.noteWaking(replay, now))) return false;
  await send(ticketOf(replay), 0);
  return true;
}
