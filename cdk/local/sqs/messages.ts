/** The messages of all queues: when each is visible, its receipt, and how often it was received. */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { prepared, transaction } from '../endpoint/database.ts';
import type { JsonObject } from '../endpoint/json.ts';
import { DeadLetters } from './dead-letters.ts';
import { Fairness } from './fairness.ts';
import { GroupLoads } from './group-loads.ts';
import { isFifo, type Queue, type Queues } from './queues.ts';

export interface NewMessage {
  readonly body: string;
  readonly attributes: JsonObject;
  readonly traceHeader: string | undefined;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  readonly sender: string;
  readonly delaySeconds: number;
}

export interface SentMessage {
  readonly messageId: string;
  readonly sequence: number;
}

export interface Message extends Omit<NewMessage, 'delaySeconds'>, SentMessage {
  readonly receiptHandle: string;
  readonly sentAt: number;
  readonly firstReceivedAt: number;
  readonly receiveCount: number;
  readonly deadLetterSource: string | undefined;
}

export interface Counts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

const DEDUPLICATION_MS = 5 * 60 * 1000;

/** A group delivers nothing while one of its messages is in flight or an earlier one is still delayed. */
const NEXT_FIFO = `SELECT * FROM messages AS candidate WHERE queue = :queue AND visible_at <= :now AND NOT EXISTS (
  SELECT 1 FROM messages AS before WHERE before.queue = candidate.queue AND before.group_id = candidate.group_id
  AND before.visible_at > :now AND (before.receipt IS NOT NULL OR before.id < candidate.id)
) ORDER BY id LIMIT :limit`;

export class Messages {
  private readonly database: DatabaseSync;
  private readonly queues: Queues;
  private readonly loads: GroupLoads;
  private readonly fairness: Fairness;
  private readonly deadLetters: DeadLetters;
  private readonly statements: Readonly<Record<keyof typeof SQL, StatementSync>>;

  constructor(database: DatabaseSync, queues: Queues) {
    this.database = database;
    this.queues = queues;
    this.loads = new GroupLoads(database);
    this.fairness = new Fairness(database, this.loads);
    this.deadLetters = new DeadLetters(database, queues);
    this.statements = prepared(database, SQL);
  }

  send(queue: Queue, message: NewMessage, now: number): SentMessage {
    return transaction(this.database, () => {
      const key = deduplicationKey(queue, message);
      const earlier = key === undefined ? undefined : this.statements.deduplication.get(queue.name, key, now);
      if (earlier) return { messageId: String(earlier['message_id']), sequence: Number(earlier['sequence']) };
      const messageId = randomUUID();
      const { lastInsertRowid } = this.statements.insert.run(
        queue.name,
        messageId,
        message.body,
        JSON.stringify(message.attributes),
        message.traceHeader ?? null,
        message.groupId ?? null,
        message.deduplicationId ?? null,
        message.sender,
        now,
        now + message.delaySeconds * 1000,
      );
      const sequence = Number(lastInsertRowid);
      if (key !== undefined)
        this.statements.deduplicate.run(queue.name, key, messageId, sequence, now + DEDUPLICATION_MS);
      return { messageId, sequence };
    });
  }

  /**
   * Receives messages, which are then invisible for `visibilitySeconds`: that of the call, or else the queue's
   * `VisibilityTimeout`, 30 seconds unless set (`queue-attributes.ts`).
   * @returns the received messages, and the dead-letter queues to which others were moved
   */
  receive(queue: Queue, request: { readonly count: number; readonly visibilitySeconds: number }, now: number) {
    const received: Message[] = [];
    const movedTo = new Set<string>();
    const deadLetterRule = this.deadLetters.ruleOf(queue);
    const oldest = now - Number(queue.attributes['MessageRetentionPeriod']) * 1000;
    transaction(this.database, () => {
      for (;;) {
        const limit = request.count - received.length;
        const rows = limit > 0 ? this.next(queue, limit, now) : [];
        const groups: SQLOutputValue[] = [];
        let removed = 0;
        for (const row of rows) {
          if (Number(row['sent_at']) <= oldest) {
            this.statements.deleteById.run(Number(row['id']));
            removed++;
          } else if (deadLetterRule && Number(row['receive_count']) >= deadLetterRule.maxReceiveCount) {
            this.deadLetters.move(Number(row['id']), deadLetterRule, now);
            movedTo.add(deadLetterRule.target.name);
            removed++;
          } else {
            received.push(this.deliver(row, now, request.visibilitySeconds));
            groups.push(row['group_id'] ?? null);
          }
        }
        if (groups.length > 0) this.loads.begun(queue.name, groups, now);
        if (request.visibilitySeconds === 0) for (const group of groups) this.endFlight(queue, group, now);
        // With a visibility timeout of 0, the messages received so far would come next again.
        if (removed === 0 || request.visibilitySeconds === 0) return;
      }
    });
    return { received, movedTo: [...movedTo] };
  }

  /** Deleting twice is not an error. */
  delete(queue: Queue, receiptHandle: string, now: number): void {
    const { id, receipt } = receiptOf(receiptHandle);
    transaction(this.database, () => {
      this.loads.settle(queue.name, now);
      const deleted = this.statements.deleteReceived.get(id, queue.name, receipt);
      if (deleted && Number(deleted['visible_at']) > now) this.endFlight(queue, deleted['group_id'], now);
    });
  }

  changeVisibility(
    queue: Queue,
    receiptHandle: string,
    change: { readonly seconds: number; readonly now: number },
  ): void {
    const { id, receipt } = receiptOf(receiptHandle);
    const { seconds, now } = change;
    const changed = transaction(this.database, () => {
      this.loads.settle(queue.name, now);
      const row = this.statements.changeVisibility.get(now + seconds * 1000, id, queue.name, receipt, now);
      if (row && seconds === 0) this.endFlight(queue, row['group_id'], now);
      return row !== undefined;
    });
    if (changed) return;
    const exists = this.statements.byReceipt.get(id, queue.name, receipt) !== undefined;
    if (exists) throw new CallRefusal(400, 'MessageNotInflight', 'The specified message is not in flight.');
    throw new CallRefusal(
      400,
      'InvalidParameterValue',
      `Value ${receiptHandle} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change.`,
    );
  }

  counts(queue: Queue, now: number): Counts {
    const row = this.statements.counts.get({ queue: queue.name, now }) ?? {};
    return { visible: Number(row['visible']), inFlight: Number(row['in_flight']), delayed: Number(row['delayed']) };
  }

  /**
   * Returns the age of the oldest message in the queue. As on AWS, a message of a standard queue no longer counts after
   * three receives; one in a dead-letter queue counts from its arrival there, or after a receive from the end of its
   * visibility timeout.
   */
  oldestMillis(queue: Queue, now: number): number {
    const since = this.statements.oldest.get({ queue: queue.name, fifo: Number(isFifo(queue)), now })?.['since'];
    return since === null || since === undefined ? 0 : Math.max(0, now - Number(since));
  }

  /** Returns when the first message becomes visible after this time, in milliseconds; undefined if none does. */
  nextVisibleAt(queue: Queue, after: number): number | undefined {
    const at = this.statements.nextVisible.get(queue.name, after)?.['at'];
    return at === null || at === undefined ? undefined : Number(at);
  }

  /** Makes all messages in flight visible again. */
  release(queue: Queue, now: number): void {
    transaction(this.database, () => {
      this.loads.settle(queue.name, now);
      for (const row of this.statements.release.all({ queue: queue.name, now }))
        this.endFlight(queue, row['group_id'], now);
    });
  }

  purge(queue: Queue, now: number): void {
    this.deleteSentUntil(queue, Number.MAX_SAFE_INTEGER, now);
  }

  /** Deletes messages that have exceeded their queue's retention period. */
  expire(now: number): void {
    for (const queue of this.queues.all()) {
      this.deleteSentUntil(queue, now - Number(queue.attributes['MessageRetentionPeriod']) * 1000, now);
    }
    this.statements.expireDeduplications.run(now);
  }

  private deleteSentUntil(queue: Queue, until: number, now: number): void {
    transaction(this.database, () => {
      this.loads.settle(queue.name, now);
      for (const row of this.statements.inFlightSentUntil.all(queue.name, until, now))
        this.endFlight(queue, row['group_id'], now);
      this.statements.deleteSentUntil.run(queue.name, until);
    });
  }

  private next(queue: Queue, limit: number, now: number): Record<string, SQLOutputValue>[] {
    const request = { queue: queue.name, now, limit };
    if (isFifo(queue)) return this.statements.nextFifo.all(request);
    const rows = this.fairness.next(request).map((id) => this.statements.byId.get(id));
    return rows.filter((row) => row !== undefined);
  }

  /** Records that a message of the group is no longer in flight, for fair queues. */
  private endFlight(queue: Queue, group: SQLOutputValue | undefined, now: number): void {
    this.loads.ended(queue.name, group, { endedAt: now, now });
  }

  private deliver(row: Record<string, SQLOutputValue>, now: number, visibilitySeconds: number): Message {
    const id = Number(row['id']);
    const receipt = randomUUID();
    const firstReceivedAt = Number(row['first_received_at'] ?? now);
    this.statements.receive.run(receipt, now + visibilitySeconds * 1000, firstReceivedAt, id);
    return {
      messageId: String(row['message_id']),
      sequence: id,
      body: String(row['body']),
      attributes: JSON.parse(String(row['attributes'])),
      traceHeader: text(row['trace_header']),
      groupId: text(row['group_id']),
      deduplicationId: text(row['deduplication_id']),
      sender: String(row['sender']),
      sentAt: Number(row['sent_at']),
      firstReceivedAt,
      receiveCount: Number(row['receive_count']) + 1,
      deadLetterSource: text(row['dead_letter_source']),
      receiptHandle: Buffer.from(`${id} ${receipt}`).toString('base64'),
    };
  }
}

const SQL = {
  insert: `INSERT INTO messages (queue, message_id, body, attributes, trace_header, group_id, deduplication_id, sender, sent_at, visible_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  deduplication: 'SELECT message_id, sequence FROM deduplications WHERE queue = ? AND id = ? AND expires_at > ?',
  deduplicate:
    'INSERT OR REPLACE INTO deduplications (queue, id, message_id, sequence, expires_at) VALUES (?, ?, ?, ?, ?)',
  byId: 'SELECT * FROM messages WHERE id = ?',
  nextFifo: NEXT_FIFO,
  receive:
    'UPDATE messages SET receipt = ?, visible_at = ?, first_received_at = ?, receive_count = receive_count + 1 WHERE id = ?',
  byReceipt: 'SELECT 1 FROM messages WHERE id = ? AND queue = ? AND receipt = ?',
  deleteReceived: 'DELETE FROM messages WHERE id = ? AND queue = ? AND receipt = ? RETURNING group_id, visible_at',
  deleteById: 'DELETE FROM messages WHERE id = ?',
  changeVisibility: `UPDATE messages SET visible_at = ? WHERE id = ? AND queue = ? AND receipt = ? AND visible_at > ?
    RETURNING group_id`,
  counts: `SELECT count(*) FILTER (WHERE visible_at <= :now) AS visible,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NOT NULL) AS in_flight,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NULL) AS delayed
    FROM messages WHERE queue = :queue`,
  nextVisible: 'SELECT min(visible_at) AS at FROM messages WHERE queue = ? AND visible_at > ?',
  oldest: `SELECT min(CASE WHEN dead_letter_source IS NULL THEN sent_at ELSE min(visible_at, :now) END) AS since
    FROM messages WHERE queue = :queue AND (dead_letter_source IS NOT NULL OR receive_count < 3 OR :fifo)`,
  inFlightSentUntil: `SELECT group_id FROM messages WHERE queue = ? AND sent_at <= ? AND receipt IS NOT NULL
    AND visible_at > ?`,
  release: `UPDATE messages SET visible_at = :now WHERE queue = :queue AND receipt IS NOT NULL AND visible_at > :now
    RETURNING group_id`,
  deleteSentUntil: 'DELETE FROM messages WHERE queue = ? AND sent_at <= ?',
  expireDeduplications: 'DELETE FROM deduplications WHERE expires_at <= ?',
};

function deduplicationKey(queue: Queue, { groupId, deduplicationId }: NewMessage): string | undefined {
  if (!isFifo(queue) || deduplicationId === undefined) return undefined;
  return queue.attributes['DeduplicationScope'] === 'messageGroup' ? `${groupId}\n${deduplicationId}` : deduplicationId;
}

function receiptOf(handle: string): { readonly id: number; readonly receipt: string } {
  const [, id, receipt] = /^(\d+) ([0-9a-f-]{36})$/.exec(Buffer.from(handle, 'base64').toString('latin1')) ?? [];
  if (id === undefined || receipt === undefined) {
    throw new CallRefusal(
      400,
      'ReceiptHandleIsInvalid',
      `The input receipt handle "${handle}" is not a valid receipt handle.`,
    );
  }
  return { id: Number(id), receipt };
}

function text(value: SQLOutputValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
