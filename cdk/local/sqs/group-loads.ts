/**
 * Counts the messages in flight in standard queues, by group and in total. The counts are in the database, so a restart
 * loses nothing; setting the clock back loses the averages. Callers hold a transaction.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { prepared } from '../endpoint/database.ts';
import { type Group, isNoisy, type Load, loadAfterEnd, loadAfterStart, loadAt, noiseFloor } from './noise.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

const IN_FLIGHT = 'receipt IS NOT NULL AND visible_at > :now';

const SQL = {
  queue: 'SELECT in_flight, average, averaged_at FROM queue_loads WHERE queue = :queue',
  saveQueue: 'INSERT OR REPLACE INTO queue_loads (queue, in_flight, average, averaged_at) VALUES (?, ?, ?, ?)',
  group: 'SELECT id, in_flight, average, averaged_at, sent_at FROM group_loads WHERE queue = :queue AND id = :group',
  saveGroup: 'UPDATE group_loads SET in_flight = ?, average = ?, averaged_at = ? WHERE queue = ? AND id = ?',
  loudest: `SELECT id, in_flight, average, averaged_at, sent_at FROM group_loads
    WHERE queue = :queue AND max(in_flight, average) > :floor`,
  timedOut: `SELECT group_id, visible_at FROM messages
    WHERE queue = :queue AND receipt IS NOT NULL AND visible_at > :since AND visible_at <= :now`,
  countQueue: `INSERT OR REPLACE INTO queue_loads (queue, in_flight, average, averaged_at)
    SELECT :queue, count(*), 0, :now FROM messages WHERE queue = :queue AND ${IN_FLIGHT}`,
  forgetGroups: 'DELETE FROM group_loads WHERE queue = :queue',
  countGroups: `INSERT INTO group_loads (queue, id, in_flight, averaged_at, sent_at, oldest_at, oldest_id)
    SELECT queue, group_id, count(*) FILTER (WHERE ${IN_FLIGHT}), :now, max(sent_at), min(visible_at), 0 FROM messages
    WHERE queue = :queue AND group_id IS NOT NULL GROUP BY group_id`,
  findOldest: `UPDATE group_loads SET oldest_id = (SELECT min(id) FROM messages AS m WHERE m.queue = group_loads.queue
    AND m.group_id = group_loads.id AND m.visible_at = oldest_at) WHERE queue = :queue`,
};

export class GroupLoads {
  private readonly statements: Readonly<Record<keyof typeof SQL, StatementSync>>;

  constructor(database: DatabaseSync) {
    this.statements = prepared(database, SQL);
  }

  /** Counts the visibility timeouts that have ended. Must run before any other change of the messages in flight. */
  settle(queue: string, now: number): void {
    // FIFO queues are not counted, because they have an order of their own.
    if (queue.endsWith('.fifo')) return;
    const row = this.statements.queue.get({ queue });
    // The state was never counted, or was counted by a clock that has been set back since.
    if (!row || Number(row['averaged_at']) > now) return this.countAnew(queue, now);
    for (const held of this.statements.timedOut.all({ queue, since: Number(row['averaged_at']), now })) {
      this.ended(queue, held['group_id'], { endedAt: Number(held['visible_at']), now });
    }
  }

  /** @param groups of each message that was received now; null without one */
  begun(queue: string, groups: readonly SQLOutputValue[], now: number): void {
    this.changeQueue(queue, (load) => loadAfterStart(load, groups.length, now));
    for (const group of new Set(groups)) {
      const count = groups.filter((other) => other === group).length;
      this.changeGroup(queue, group, (load) => loadAfterStart(load, count, now));
    }
  }

  ended(
    queue: string,
    group: SQLOutputValue | undefined,
    time: { readonly endedAt: number; readonly now: number },
  ): void {
    this.changeQueue(queue, (load) => loadAfterEnd(load, time));
    this.changeGroup(queue, group, (load) => loadAfterEnd(load, time));
  }

  /** The noisy groups of a settled queue, with their messages in flight. */
  noisy(queue: string, now: number): Map<string, number> {
    const row = this.statements.queue.get({ queue });
    const noisy = new Map<string, number>();
    if (!row) return noisy;
    const all = loadOf(row);
    const floor = noiseFloor(all, now);
    for (const row of this.statements.loudest.all({ queue, floor })) {
      const group: Group = { load: loadOf(row), sentAt: Number(row['sent_at']) };
      if (isNoisy(group, all, now)) noisy.set(String(row['id']), group.load.inFlight);
      else this.letFade(queue, { id: String(row['id']), load: loadAt(group.load, now), floor });
    }
    return noisy;
  }

  /** Saves an average below the floor, so that its group is not examined again. */
  private letFade(queue: string, { id, load, floor }: { id: string; load: Load; floor: number }): void {
    if (Math.max(load.inFlight, load.average) <= floor) this.changeGroup(queue, id, () => load);
  }

  private countAnew(queue: string, now: number): void {
    this.statements.countQueue.run({ queue, now });
    this.statements.forgetGroups.run({ queue });
    this.statements.countGroups.run({ queue, now });
    this.statements.findOldest.run({ queue });
  }

  private changeQueue(queue: string, change: (load: Load) => Load): void {
    const row = this.statements.queue.get({ queue });
    if (row) this.saveQueue(queue, change(loadOf(row)));
  }

  private saveQueue(queue: string, { inFlight, average, at }: Load): void {
    this.statements.saveQueue.run(queue, inFlight, average, at);
  }

  private changeGroup(queue: string, group: SQLOutputValue | undefined, change: (load: Load) => Load): void {
    if (typeof group !== 'string') return;
    const row = this.statements.group.get({ queue, group });
    if (!row) return;
    const { inFlight, average, at } = change(loadOf(row));
    this.statements.saveGroup.run(inFlight, average, at, queue, group);
  }
}

function loadOf(row: Row): Load {
  return { inFlight: Number(row['in_flight']), average: Number(row['average']), at: Number(row['averaged_at']) };
}
