import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../../cdk/local/endpoint/database.ts';
import { type Message, Messages } from '../../../../cdk/local/sqs/messages.ts';
import { Queues } from '../../../../cdk/local/sqs/queues.ts';
import { SCHEMA } from '../../../../cdk/local/sqs/schema.ts';

const START = Date.UTC(2026, 0, 1);

/** One queue, with a clock that the test holds. */
export class OneQueue {
  now = START;
  readonly database: DatabaseSync;
  readonly queues: Queues;
  readonly messages: Messages;
  private readonly name: string;

  constructor({
    database = openDatabase(null, SCHEMA),
    fifo = false,
  }: { database?: DatabaseSync; fifo?: boolean } = {}) {
    this.database = database;
    this.name = fifo ? 'work.fifo' : 'work';
    this.queues = new Queues({
      database,
      arnPrefix: 'arn:aws:sqs:us-east-1:000000000000:',
      policies: { set: () => undefined },
      now: () => new Date(this.now),
    });
    this.queues.create(this.name, fifo ? { FifoQueue: 'true' } : {});
    this.messages = new Messages(database, this.queues);
  }

  get queue() {
    return this.queues.named(this.name);
  }

  send(body: string, groupId?: string, delaySeconds = 0) {
    const message = { body, attributes: {}, traceHeader: undefined, deduplicationId: undefined, sender: 'somebody' };
    this.messages.send(this.queue, { ...message, groupId, delaySeconds }, this.now);
  }

  sendMany(count: number, groupId: string) {
    for (let i = 0; i < count; i++) this.send(`${groupId} ${i}`, groupId);
  }

  /** Of more than one receive call where it takes more. */
  receive(count: number, visibilitySeconds = 3600): Message[] {
    const received: Message[] = [];
    while (received.length < count) {
      const request = { count: Math.min(10, count - received.length), visibilitySeconds };
      const more = this.messages.receive(this.queue, request, this.now).received;
      if (more.length === 0) break;
      received.push(...more);
    }
    return received;
  }

  bodies(count: number, visibilitySeconds?: number) {
    return this.receive(count, visibilitySeconds).map(({ body }) => body);
  }

  delete(...messages: readonly Message[]) {
    for (const { receiptHandle } of messages) this.messages.delete(this.queue, receiptHandle, this.now);
  }

  wait(seconds: number) {
    this.now += seconds * 1000;
  }

  rows(table: 'group_loads' | 'queue_loads') {
    return this.database.prepare(`SELECT * FROM ${table}`).all();
  }
}
