/** Moves messages to the dead-letter queue of their queue. `messages.ts` counts the receives and decides when. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { redrivePolicy } from './queue-attributes.ts';
import type { Queue, Queues } from './queues.ts';

/** Messages of `source` that were received `maxReceiveCount` times move to `target`. */
export interface DeadLetterRule {
  readonly source: Queue;
  readonly target: Queue;
  readonly maxReceiveCount: number;
}

export class DeadLetters {
  private readonly queues: Queues;
  private readonly moveStatement: StatementSync;

  constructor(database: DatabaseSync, queues: Queues) {
    this.queues = queues;
    this.moveStatement = database.prepare(
      'UPDATE messages SET queue = ?, visible_at = ?, receipt = NULL, dead_letter_source = ? WHERE id = ?',
    );
  }

  /** Returns the rule of a queue; undefined if it has no redrive policy or its dead-letter queue is gone. */
  ruleOf(source: Queue): DeadLetterRule | undefined {
    const policy = redrivePolicy(source.attributes);
    const target = policy && this.queues.byArn(policy.deadLetterTargetArn);
    return target ? { source, target, maxReceiveCount: policy.maxReceiveCount } : undefined;
  }

  /** Moves the message, visible at once. Callers hold a transaction. */
  move(id: number, { source, target }: DeadLetterRule, now: number): void {
    this.moveStatement.run(target.name, now, source.arn, id);
  }
}
