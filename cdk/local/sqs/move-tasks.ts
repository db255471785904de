/** Moves messages from a dead-letter queue back to where they came from, as `aws sqs start-message-move-task` does. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { transaction } from '../endpoint/database.ts';
import type { JsonObject } from '../endpoint/json.ts';
import { GroupLoads } from './group-loads.ts';
import type { Queue, Queues } from './queues.ts';

const SHOWN_MAX = 10;

export class MoveTasks {
  private readonly database: DatabaseSync;
  private readonly queues: Queues;
  private readonly loads: GroupLoads;

  constructor(database: DatabaseSync, queues: Queues) {
    this.database = database;
    this.queues = queues;
    this.loads = new GroupLoads(database);
  }

  /**
   * Moves everything visible at once, whatever the requested rate. A message without a known source stays and fails the
   * task.
   * @returns The handle, and the queues that got messages.
   */
  start(sourceArn: string, destinationArn: string | undefined, now: number) {
    const source = this.sourceOf(sourceArn);
    const destination = destinationArn === undefined ? undefined : this.existing(destinationArn);
    const handle = randomUUID();
    const reached = new Set<string>();
    transaction(this.database, () => {
      this.loads.settle(source.name, now);
      const rows = this.database
        .prepare('SELECT id, dead_letter_source FROM messages WHERE queue = ? AND visible_at <= ? ORDER BY id')
        .all(source.name, now);
      // Moved messages count as new: a new id, a new time, no receives.
      const move = this.database.prepare(
        `UPDATE messages SET queue = ?, message_id = ?, sent_at = ?, visible_at = ?, receive_count = 0, receipt = NULL,
         first_received_at = NULL, dead_letter_source = NULL WHERE id = ?`,
      );
      let moved = 0;
      for (const row of rows) {
        const target = destination ?? this.queues.byArn(String(row['dead_letter_source']));
        if (!target) continue;
        move.run(target.name, randomUUID(), now, now, Number(row['id']));
        reached.add(target.name);
        moved++;
      }
      const failure = moved < rows.length ? 'CouldNotDetermineMessageSource' : null;
      this.database
        .prepare('INSERT INTO move_tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(
          handle,
          sourceArn,
          destinationArn ?? null,
          failure ? 'FAILED' : 'COMPLETED',
          moved,
          rows.length,
          failure,
          now,
        );
    });
    return { handle, reached: [...reached] };
  }

  list(sourceArn: string, limit: number): JsonObject[] {
    this.sourceOf(sourceArn);
    const rows = this.database
      .prepare('SELECT * FROM move_tasks WHERE source_arn = ? ORDER BY started_at DESC, rowid DESC LIMIT ?')
      .all(sourceArn, Math.min(limit, SHOWN_MAX));
    return rows.map((row) => ({
      Status: String(row['status']),
      SourceArn: sourceArn,
      ...(row['destination_arn'] === null ? {} : { DestinationArn: String(row['destination_arn']) }),
      ApproximateNumberOfMessagesMoved: Number(row['moved']),
      ApproximateNumberOfMessagesToMove: Number(row['to_move']),
      ...(row['failure'] === null ? {} : { FailureReason: String(row['failure']) }),
      StartedTimestamp: Number(row['started_at']),
    }));
  }

  private sourceOf(arn: string): Queue {
    const queue = this.existing(arn);
    if (this.queues.sourcesOf(queue).length > 0) return queue;
    throw new CallRefusal(400, 'InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.');
  }

  private existing(arn: string): Queue {
    const queue = this.queues.byArn(arn);
    if (!queue)
      throw new CallRefusal(
        404,
        'ResourceNotFoundException',
        `The resource that you specified for the ARN ${arn} doesn't exist.`,
      );
    return queue;
  }
}
