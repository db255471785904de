/** The queues themselves. Their messages are in `messages.ts`. */
import type { DatabaseSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import {
  type Attributes,
  changed,
  checkAttributes,
  checkQueueName,
  redrivePolicy,
  withDefaults,
} from './queue-attributes.ts';

export interface Queue {
  readonly name: string;
  readonly arn: string;
  readonly attributes: Attributes;
  readonly createdAt: number;
  readonly modifiedAt: number;
}

/** The authorizer, in which the policies of queues take effect. */
export interface QueuePolicies {
  set(queueArn: string, policy: string | undefined): void;
}

export interface QueuesOptions {
  readonly database: DatabaseSync;
  readonly arnPrefix: string;
  readonly policies: QueuePolicies;
  readonly now: () => Date;
}

export class Queues {
  private readonly options: QueuesOptions;
  /** Read on every call and changed rarely. */
  private readonly byName = new Map<string, Queue>();

  constructor(options: QueuesOptions) {
    this.options = options;
    for (const row of options.database.prepare('SELECT * FROM queues').all()) {
      const queue = {
        name: String(row['name']),
        arn: this.arnOf(String(row['name'])),
        attributes: JSON.parse(String(row['attributes'])),
        createdAt: Number(row['created_at']),
        modifiedAt: Number(row['modified_at']),
      };
      this.byName.set(queue.name, queue);
      options.policies.set(queue.arn, queue.attributes.Policy);
    }
  }

  arnOf(name: string): string {
    return this.options.arnPrefix + name;
  }

  named(name: string): Queue {
    const queue = this.byName.get(name);
    if (!queue) throw new CallRefusal(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    return queue;
  }

  byArn(arn: string): Queue | undefined {
    return [...this.byName.values()].find((queue) => queue.arn === arn);
  }

  /** Sorted by name. */
  all(): Queue[] {
    return [...this.byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Queues whose failed messages end up in this one. */
  sourcesOf(deadLetterQueue: Queue): Queue[] {
    return this.all().filter((queue) => redrivePolicy(queue.attributes)?.deadLetterTargetArn === deadLetterQueue.arn);
  }

  create(name: string, attributes: Attributes): Queue {
    checkQueueName(name, attributes);
    this.check(name, attributes);
    const existing = this.byName.get(name);
    if (existing) {
      const differs = Object.entries(attributes).some(([key, value]) => existing.attributes[key] !== value);
      if (differs)
        throw new CallRefusal(
          400,
          'QueueNameExists',
          'A queue already exists with the same name and a different value for an attribute.',
        );
      return existing;
    }
    const now = this.options.now().getTime();
    return this.save({
      name,
      arn: this.arnOf(name),
      attributes: withDefaults(changed(attributes, {})),
      createdAt: now,
      modifiedAt: now,
    });
  }

  change(queue: Queue, changes: Attributes): void {
    if (changes['FifoQueue'] !== undefined && changes['FifoQueue'] !== queue.attributes['FifoQueue']) {
      throw new CallRefusal(400, 'InvalidAttributeName', 'FifoQueue cannot be changed.');
    }
    this.check(queue.name, changes);
    this.save({
      ...queue,
      attributes: withDefaults(changed(queue.attributes, changes)),
      modifiedAt: this.options.now().getTime(),
    });
  }

  delete(queue: Queue): void {
    this.options.database.prepare('DELETE FROM queues WHERE name = ?').run(queue.name);
    this.byName.delete(queue.name);
    this.options.policies.set(queue.arn, undefined);
  }

  private check(name: string, attributes: Attributes): void {
    checkAttributes(attributes);
    const redrive = redrivePolicy(attributes);
    if (!redrive) return;
    const target = this.byArn(redrive.deadLetterTargetArn);
    const reason = target ? 'The dead-letter queue must be of the same type.' : 'Dead letter target does not exist.';
    if (target && target.name.endsWith('.fifo') === name.endsWith('.fifo')) return;
    throw new CallRefusal(
      400,
      'InvalidParameterValue',
      `Value ${attributes['RedrivePolicy']} for parameter RedrivePolicy is invalid. Reason: ${reason}`,
    );
  }

  private save(queue: Queue): Queue {
    this.options.policies.set(queue.arn, queue.attributes['Policy']);
    this.options.database
      .prepare(
        `INSERT INTO queues (name, attributes, tags, created_at, modified_at) VALUES (?, ?, '{}', ?, ?)
         ON CONFLICT (name) DO UPDATE SET attributes = excluded.attributes, modified_at = excluded.modified_at`,
      )
      .run(queue.name, JSON.stringify(queue.attributes), queue.createdAt, queue.modifiedAt);
    this.byName.set(queue.name, queue);
    return queue;
  }
}

export function isFifo(queue: Queue): boolean {
  return queue.attributes['FifoQueue'] === 'true';
}
