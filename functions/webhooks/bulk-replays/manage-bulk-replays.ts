import { noSuch, Refusal } from '#shared/errors';
import {
  type BulkReplay,
  type BulkReplayFilter,
  type BulkReplayKey,
  type BulkReplays,
  endOf,
  type PageTicket,
  ticketOf,
} from './bulk-replay.ts';

export interface StartDeps {
  readonly replays: Pick<BulkReplays, 'start'>;
  /** The number of days that bulk replays are kept. */
  readonly retentionDays: number;
  /** Queues a page for a worker. */
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
}

/**
 * Starts a bulk replay. If the function crashes before the message is sent, the bulk replay is woken within minutes.
 */
export async function startBulkReplay(
  { replays, retentionDays, send }: StartDeps,
  filter: BulkReplayFilter,
  { tenant, id, now }: BulkReplayKey & { now: number },
): Promise<BulkReplay> {
  const replay: BulkReplay = {
    tenant,
    id,
    filter,
    status: 'RUNNING',
    createdAt: now,
    replayed: 0,
    skipped: {},
    pages: 0,
    reached: endOf({ filter, createdAt: now }),
    pacedUntil: now,
    progressedAt: now,
  };
  const { running } = await replays.start(replay, { retentionDays });
  if (running !== undefined) {
    throw new Refusal(409, 'replay-running', `The bulk replay ${running} is running. Cancel it, or wait for its end.`);
  }
  await send(ticketOf(replay), 0);
  return replay;
}

export async function bulkReplayById(replays: Pick<BulkReplays, 'byId'>, key: BulkReplayKey): Promise<BulkReplay> {
  return requireBulkReplay(await replays.byId(key));
}

/** Cancels a running bulk replay. One that has ended stays as it is. */
export async function cancelBulkReplay(
  replays: Pick<BulkReplays, 'cancel'>,
  key: BulkReplayKey,
  now: number,
): Promise<BulkReplay> {
  return requireBulkReplay(await replays.cancel(key, now));
}

function requireBulkReplay(replay: BulkReplay | undefined): BulkReplay {
  if (!replay) noSuch('bulk replay');
  return replay;
}
