import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { Delivery, Lane, Ticket } from './runs/deliver-run.ts';
import { MAX_DELAY_MILLIS } from './runs/run-machine.ts';

export type Queues = Readonly<Record<Lane, string>>;

export interface Deliveries {
  readonly send: (lane: Lane, ticket: Ticket, delayMillis: number) => Promise<void>;
  /** Sends many, ten a call; tells which could not be sent. */
  readonly sendAll: (all: readonly Delivery[]) => Promise<Delivery[]>;
  /** Whether no message is visible, delayed or in flight, as far as SQS knows: its counts are approximate. */
  readonly areEmpty: () => Promise<boolean>;
}

const VERSION = 1;
const Message = z.object({
  v: z.literal(VERSION),
  tenant: z.string(),
  run: z.string(),
  attempt: z.number().int().positive(),
  configuration: z.string(),
  deferrals: z.number().int().optional(),
});
/** A message of another version of this service is left to the sweeper, which sends one that is understood. */
export const TicketMessage = z.union([
  Message.transform(({ v: _, ...ticket }): Ticket => ticket),
  z.unknown().transform(() => undefined),
]);

const BATCH = 10;

let ownClient: SQSClient | undefined;
const sqs = () => (ownClient ??= new SQSClient({ maxAttempts: 4 }));

/** @param client @default one client for the whole function */
export const deliveries = (queues: Queues, client?: SQSClient): Deliveries => ({
  async send(lane, ticket, delayMillis) {
    await (client ?? sqs()).send(
      new SendMessageCommand({ QueueUrl: queues[lane], ...entryOf({ lane, ticket, delayMillis }) }),
    );
  },

  async sendAll(all) {
    // At the same time: the last of a stream's batch must not wait for all the others.
    const unsent = await Promise.all(
      batchesOf(all).map(async ({ lane, batch }) => {
        const { Failed: failed = [] } = await (client ?? sqs()).send(
          new SendMessageBatchCommand({
            QueueUrl: queues[lane],
            Entries: batch.map((delivery, index) => ({ Id: String(index), ...entryOf(delivery) })),
          }),
        );
        return failed.flatMap(({ Id: id }) => batch[Number(id)] ?? []);
      }),
    );
    return unsent.flat();
  },

  async areEmpty() {
    const counts = await Promise.all(
      Object.values(queues).map(async (queue) => {
        const { Attributes: attributes = {} } = await (client ?? sqs()).send(
          new GetQueueAttributesCommand({ QueueUrl: queue, AttributeNames: [...COUNTS] }),
        );
        return COUNTS.reduce((sum, name) => sum + Number(attributes[name] ?? 0), 0);
      }),
    );
    return counts.every((count) => count === 0);
  },
});

function batchesOf(all: readonly Delivery[]): { lane: Lane; batch: readonly Delivery[] }[] {
  return (['fast', 'slow'] as const).flatMap((lane) => {
    const ofLane = all.filter((one) => one.lane === lane);
    return Array.from({ length: Math.ceil(ofLane.length / BATCH) }, (_, n) => ({
      lane,
      batch: ofLane.slice(n * BATCH, (n + 1) * BATCH),
    }));
  });
}

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesDelayed',
  'ApproximateNumberOfMessagesNotVisible',
] as const;

/**
 * Never early, at most a second late. The group makes the queue fair: those of one configuration do not hold up others,
 * not even of the same tenant.
 */
const entryOf = ({ ticket, delayMillis }: Delivery) => ({
  MessageBody: JSON.stringify({ v: VERSION, ...ticket }),
  MessageGroupId: `${ticket.tenant}#${ticket.configuration}`,
  DelaySeconds: Math.ceil(Math.min(delayMillis, MAX_DELAY_MILLIS) / 1000),
});
