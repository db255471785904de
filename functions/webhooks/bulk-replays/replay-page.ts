import { createHash } from 'node:crypto';
import { type DeliveringFrom, PAUSED } from '../pauses/pause.ts';
import { type ReplayDeps, type ReplayRefusal, replayOf } from '../runs/replay-run.ts';
import type { Run } from '../runs/run.ts';
import type { RunLog } from '../runs/run-log.ts';
import {
  afterPage,
  type BulkReplay,
  type BulkReplayKey,
  type BulkReplays,
  delaySecondsOf,
  endOf,
  type PageTicket,
  ticketOf,
} from './bulk-replay.ts';

export interface PageDeps extends ReplayDeps {
  readonly replays: Pick<BulkReplays, 'byId' | 'save'>;
  readonly log: Pick<RunLog, 'list'>;
  readonly send: (ticket: PageTicket, delaySeconds: number) => Promise<void>;
  readonly deliveringFrom: DeliveringFrom;
  readonly now: () => number;
  /** The average number of replays per second and tenant. */
  readonly perSecond: number;
  /** The number of runs in a page. */
  readonly pageRuns: number;
}

/**
 * Processes a page of a bulk replay and queues the next one. Idempotent, also when several workers process the same page:
 * each run is replayed once, because the id of its replay derives from the run and the bulk replay, and the page is
 * counted once. Returns the bulk replay after the page; undefined when there was nothing to do. While the tenant's
 * webhooks are paused nothing is done; the bulk replay is woken when they resume.
 */
export async function replayPage(deps: PageDeps, ticket: PageTicket): Promise<BulkReplay | undefined> {
  const { replays, log, send, now, perSecond } = deps;
  const replay = await replays.byId(ticket);
  if (replay?.status !== 'RUNNING' || replay.pages !== ticket.page) return undefined;
  if ((await deps.deliveringFrom(ticket.tenant)) === PAUSED) return undefined;
  const startedAt = now();
  const { tenant, filter, cursor } = replay;
  const page = await log.list(
    tenant,
    { ...filter, to: endOf(replay), status: 'FAILED' },
    { limit: deps.pageRuns, ...(cursor !== undefined && { cursor }) },
  );
  let newReplays = 0;
  const skipped: ReplayRefusal[] = [];
  // One after the other: each transaction updates the bulk replay, and most of them the same configuration.
  for (const original of page.items) {
    if (original.replayOf !== undefined) continue;
    const outcome = await replayOnce(deps, replay, original);
    if (outcome === 'bulk-replay-ended') return undefined;
    if (outcome === 'created') newReplays += 1;
    else if (outcome !== 'exists') skipped.push(outcome);
  }
  const endedAt = now();
  const oldest = page.items.at(-1)?.createdAt;
  const { nextCursor } = page;
  const next = afterPage(replay, { newReplays, skipped, oldest, nextCursor, startedAt, endedAt, perSecond });
  if (!(await replays.save(next))) return undefined;
  if (next.status === 'RUNNING') await send(ticketOf(next), delaySecondsOf(next, now()));
  return next;
}

async function replayOnce(deps: PageDeps, { tenant, id: bulkReplay }: BulkReplay, original: Run) {
  const id = replayIdOf({ tenant, id: bulkReplay }, original.id);
  const replayed = await replayOf(deps, original, { id, now: deps.now(), bulkReplay });
  if (replayed.kind !== 'refused') return replayed.kind;
  // If another worker did this page before, the run may be refused because of this very replay.
  if (await deps.runs.byId({ tenant, id })) return 'exists';
  return replayed.reason;
}

export function replayIdOf({ tenant, id }: BulkReplayKey, original: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([tenant, id, original]))
    .digest();
  return `run_${digest.subarray(0, 18).toString('base64url')}`;
}
