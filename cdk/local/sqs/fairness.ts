/**
 * Whose message comes next in a standard queue: the one of the group with the fewest messages in flight, and of those
 * the oldest. As on AWS, a message without a group is a group of its own.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Queue } from './queues.ts';

interface Turn {
  readonly id: number;
  readonly visibleAt: number;
  /** Messages of its group that are in flight, or will be when it is its turn. */
  readonly load: number;
}

const SQL = {
  // State of before there were groups here, or by a clock that has been set back since.
  recount: `INSERT INTO fair_groups (queue, id, in_flight, outdated_at)
    SELECT DISTINCT queue, group_id, 0, 0 FROM messages WHERE group_id IS NOT NULL AND queue NOT LIKE '%.fifo'
    ON CONFLICT DO UPDATE SET outdated_at = 0`,
  forget: `DELETE FROM fair_groups WHERE queue = :queue AND outdated_at <= :now
    AND NOT EXISTS (SELECT 1 FROM messages AS m WHERE m.queue = fair_groups.queue AND m.group_id = fair_groups.id)`,
  settle: `UPDATE fair_groups SET
      in_flight = (SELECT count(*) FROM messages AS m WHERE m.queue = fair_groups.queue AND m.group_id = fair_groups.id
        AND m.visible_at > :now AND m.receipt IS NOT NULL),
      (oldest_at, oldest_id) = (SELECT visible_at, id FROM messages AS m WHERE m.queue = fair_groups.queue
        AND m.group_id = fair_groups.id AND m.visible_at <= :now ORDER BY visible_at, id LIMIT 1),
      outdated_at = (SELECT min(visible_at) FROM messages AS m WHERE m.queue = fair_groups.queue
        AND m.group_id = fair_groups.id AND m.visible_at > :now)
    WHERE queue = :queue AND outdated_at <= :now`,
  groups: `SELECT id, in_flight FROM fair_groups WHERE queue = :queue AND oldest_at <= :now
    ORDER BY in_flight, oldest_at, oldest_id LIMIT :limit`,
  oldestOf: `SELECT id, visible_at FROM messages WHERE queue = :queue AND group_id = :group AND visible_at <= :now
    ORDER BY visible_at, id LIMIT :limit`,
  ungrouped: `SELECT id, visible_at FROM messages WHERE queue = :queue AND group_id IS NULL AND visible_at <= :now
    ORDER BY visible_at, id LIMIT :limit`,
};

export class Fairness {
  private readonly forget: StatementSync;
  private readonly settle: StatementSync;
  private readonly groups: StatementSync;
  private readonly oldestOf: StatementSync;
  private readonly ungrouped: StatementSync;

  constructor(database: DatabaseSync) {
    database.exec(SQL.recount);
    this.forget = database.prepare(SQL.forget);
    this.settle = database.prepare(SQL.settle);
    this.groups = database.prepare(SQL.groups);
    this.oldestOf = database.prepare(SQL.oldestOf);
    this.ungrouped = database.prepare(SQL.ungrouped);
  }

  /** The ids of the messages that are to be received next. */
  next(queue: Queue, limit: number, now: number): number[] {
    const moment = { queue: queue.name, now };
    this.forget.run(moment);
    this.settle.run(moment);
    const turns = this.ungrouped.all({ ...moment, limit }).map((row) => turnOf(row, 0));
    // So many messages come from so many groups at most: one that takes another turn falls behind those of equal load.
    for (const { id: group = null, in_flight: inFlight } of this.groups.all({ ...moment, limit })) {
      const oldest = this.oldestOf.all({ ...moment, group, limit });
      turns.push(...oldest.map((row, taken) => turnOf(row, Number(inFlight) + taken)));
    }
    return turns
      .sort((a, b) => a.load - b.load || a.visibleAt - b.visibleAt || a.id - b.id)
      .slice(0, limit)
      .map(({ id }) => id);
  }
}

function turnOf(row: Readonly<Record<string, unknown>>, load: number): Turn {
  return { id: Number(row['id']), visibleAt: Number(row['visible_at']), load };
}
