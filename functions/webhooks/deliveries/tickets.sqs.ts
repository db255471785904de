import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { tracedBy } from '#shared/queue/trace-attribute.sqs';
import { callLimits } from '#shared/quotas/call-limits';
import { MAX_DELAY_MILLIS } from '../runs/run-machine.ts';
import type { QueueCounts } from './sweep-runs.ts';
import type { Dispatch, Lane, Ticket } from './ticket.ts';

export type Queues = Readonly<Record<Lane, string>>;

export interface Deliveries {
  readonly send: (lane: Lane, ticket: Ticket, delayMillis: number) => Promise<void>;
  /** Sends several dispatches, ten per call, and returns those that could not be sent. */
  readonly sendAll: (all: readonly Dispatch[]) => Promise<Dispatch[]>;
  readonly queued: () => Promise<QueueCounts>;
  /**
   * Sets the visibility timeout of a received message, so that it is redelivered after this time if its worker dies.
   */
  readonly hold: (lane: Lane, receiptHandle: string, millis: number) => Promise<void>;
}

const VERSION = 1;
const Message = z.object({
  v: z.literal(VERSION),
  tenant: z.string(),
  run: z.string(),
  attempt: z.number().int().positive(),
  configuration: z.string(),
  slot: z.object({ number: z.number().int(), until: z.number() }).optional(),
  isWake: z.boolean().optional(),
});
/** Ignores messages of another version of this service; the sweeper sends new ones. */
export const TicketMessage = z.union([
  Message.transform(({ v: _, ...ticket }): Ticket => ticket),
  z.unknown().transform(() => undefined),
]);

const BATCH = 10;

let ownClient: SQSClient | undefined;
const sqs = () => (ownClient ??= new SQSClient({ maxAttempts: 4, requestHandler: callLimits(5_000) }));

/** @param client @default one client for the whole function */
export function deliveries(queues: Queues, client?: SQSClient): Deliveries {
  const waiting: Waiting[] = [];

  /** Sends up to ten dispatches of one lane and returns those that SQS rejected. */
  async function sendBatch<D extends Dispatch>(batch: readonly D[]): Promise<readonly D[]> {
    const lane = batch[0]?.lane ?? 'fast';
    const { Failed: failed = [] } = await (client ?? sqs()).send(
      new SendMessageBatchCommand({
        QueueUrl: queues[lane],
        Entries: batch.map((dispatch, index) => ({ Id: String(index), ...entryOf(dispatch) })),
      }),
    );
    return failed.flatMap(({ Id: id }) => batch[Number(id)] ?? []);
  }

  async function settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const unsent = await sendBatch(batch);
      for (const one of unsent) one.reject(new Error(`SQS rejected a message of ${one.ticket.run}.`));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    // Messages that are sent at the same moment go out in one call.
    send: (lane, ticket, delayMillis) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ lane, ticket, delayMillis, resolve, reject }) > 1) return;
        setImmediate(() => batchesOf(waiting.splice(0)).forEach((batch) => void settle(batch)));
      }),

    // Batches are sent concurrently, so that the last one does not wait for all the others.
    sendAll: async (all) => (await Promise.all(batchesOf(fewestFirst(all)).map(sendBatch))).flat(),

    async hold(lane, receiptHandle, millis) {
      await (client ?? sqs()).send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queues[lane],
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: Math.ceil(millis / 1000),
        }),
      );
    },

    queued: () => queuedIn(client ?? sqs(), queues),
  };
}

async function queuedIn(client: SQSClient, queues: Queues): Promise<QueueCounts> {
  const counts = await Promise.all(
    Object.values(queues).map(async (queue) => {
      const { Attributes: attributes = {} } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: queue,
          AttributeNames: ['ApproximateNumberOfMessages', ...OTHERS],
        }),
      );
      const waiting = Number(attributes.ApproximateNumberOfMessages ?? 0);
      return { waiting, all: OTHERS.reduce((sum, name) => sum + Number(attributes[name] ?? 0), waiting) };
    }),
  );
  const sumOf = (name: keyof QueueCounts) => counts.reduce((sum, { [name]: count }) => sum + count, 0);
  return { waiting: sumOf('waiting'), all: sumOf('all') };
}

interface Waiting extends Dispatch {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Sorts dispatches so that configurations with few runs come first: one with many would delay them. */
function fewestFirst(all: readonly Dispatch[]): readonly Dispatch[] {
  const counts = new Map<string, number>();
  for (const { ticket } of all) counts.set(groupOf(ticket), (counts.get(groupOf(ticket)) ?? 0) + 1);
  const countOf = ({ ticket }: Dispatch) => counts.get(groupOf(ticket)) ?? 0;
  return all.toSorted((a, b) => countOf(a) - countOf(b));
}

function batchesOf<D extends Dispatch>(all: readonly D[]): (readonly D[])[] {
  return (['fast', 'slow'] as const).flatMap((lane) => {
    const ofLane = all.filter((one) => one.lane === lane);
    return Array.from({ length: Math.ceil(ofLane.length / BATCH) }, (_, n) => ofLane.slice(n * BATCH, (n + 1) * BATCH));
  });
}

const OTHERS = ['ApproximateNumberOfMessagesDelayed', 'ApproximateNumberOfMessagesNotVisible'] as const;

const groupOf = ({ tenant, configuration }: Ticket) => `${tenant}#${configuration}`;

/**
 * An entry of a batch. Its delay is rounded up to a second. The message group makes the queue fair: messages of one
 * configuration do not hold up those of others, not even of the same tenant.
 */
const entryOf = ({ ticket: { origin, ...ticket }, delayMillis }: Dispatch) => ({
  MessageBody: JSON.stringify({ v: VERSION, ...ticket }),
  ...tracedBy(origin === undefined ? {} : { origin }),
  MessageGroupId: groupOf(ticket),
  DelaySeconds: Math.ceil(Math.min(delayMillis, MAX_DELAY_MILLIS) / 1000),
});
