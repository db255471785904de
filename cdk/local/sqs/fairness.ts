/**
 * Chooses the next message of a standard queue, as AWS does: messages of quiet groups come first, the oldest before the
 * others; then those of noisy groups, starting with the group that has the fewest in flight. A message without a group
 * counts as a quiet tenant of its own.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { prepared } from '../endpoint/database.ts';
import type { GroupLoads } from './group-loads.ts';

interface Turn {
  readonly id: number;
  readonly visibleAt: number;
  /** The messages of its noisy group that are in flight, or will be when this one is received. */
  readonly load: number;
}

const SQL = {
  oldest: `SELECT id, visible_at FROM messages WHERE queue = :queue AND visible_at <= :now
    ORDER BY visible_at, id LIMIT :limit`,
  groups: `SELECT id FROM group_loads WHERE queue = :queue AND oldest_at <= :now
    ORDER BY oldest_at, oldest_id LIMIT :limit`,
  oldestOf: `SELECT id, visible_at FROM messages WHERE queue = :queue AND group_id = :group AND visible_at <= :now
    ORDER BY visible_at, id LIMIT :limit`,
  ungrouped: `SELECT id, visible_at FROM messages WHERE queue = :queue AND group_id IS NULL AND visible_at <= :now
    ORDER BY visible_at, id LIMIT :limit`,
};

interface ReceiveRequest {
  readonly queue: string;
  readonly now: number;
  readonly limit: number;
}

export class Fairness {
  private readonly loads: GroupLoads;
  private readonly statements: Readonly<Record<keyof typeof SQL, StatementSync>>;

  constructor(database: DatabaseSync, loads: GroupLoads) {
    this.loads = loads;
    this.statements = prepared(database, SQL);
  }

  /** The ids of the messages that are to be received next. */
  next(request: ReceiveRequest): number[] {
    const { queue, now, limit } = request;
    const oldest = this.statements.oldest.all({ ...request });
    // Checked before anything is written, because an idle queue is polled several times a second.
    if (oldest.length === 0) return [];
    this.loads.settle(queue, now);
    const noisy = this.loads.noisy(queue, now);
    if (noisy.size === 0) return oldest.map((row) => turnOf(row, 0).id);
    const quiet = this.quiet(request, noisy);
    const others = quiet.length < limit ? this.loudest({ ...request, limit: limit - quiet.length }, noisy) : [];
    return [...quiet, ...others].map(({ id }) => id);
  }

  private quiet(request: ReceiveRequest, noisy: ReadonlyMap<string, number>): Turn[] {
    const { limit } = request;
    // This many messages come from at most this many quiet groups: those with the oldest messages.
    const groups = this.statements.groups.all({ ...request, limit: limit + noisy.size }).map(({ id }) => String(id));
    const turns = this.statements.ungrouped.all({ ...request }).map((row) => turnOf(row, 0));
    for (const group of groups.filter((id) => !noisy.has(id)).slice(0, limit))
      turns.push(...this.of(group, request, 0));
    return inTurn(turns, limit);
  }

  private loudest(request: ReceiveRequest, noisy: ReadonlyMap<string, number>): Turn[] {
    const turns = [...noisy].flatMap(([group, inFlight]) => this.of(group, request, inFlight, 1));
    return inTurn(turns, request.limit);
  }

  /** @param step the load that each message adds to its group for the next message */
  private of(group: string, request: ReceiveRequest, load: number, step = 0): Turn[] {
    const rows = this.statements.oldestOf.all({ ...request, group });
    return rows.map((row, taken) => turnOf(row, load + step * taken));
  }
}

function inTurn(turns: readonly Turn[], limit: number): Turn[] {
  return [...turns].sort((a, b) => a.load - b.load || a.visibleAt - b.visibleAt || a.id - b.id).slice(0, limit);
}

function turnOf(row: Readonly<Record<string, unknown>>, load: number): Turn {
  return { id: Number(row['id']), visibleAt: Number(row['visible_at']), load };
}
