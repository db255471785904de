import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { log } from '#shared/log';

interface Delivery<Message> {
  readonly message: Message;
  readonly receiptHandle: string;
  /** How often this message has been received, this time included. */
  readonly receives: number;
  readonly remainingMillis: () => number;
}

interface Options {
  /** @default JSON.parse */
  readonly parseBody?: (text: string) => unknown;
  /** Whether the messages of a batch are worked on at the same time. @default false: one after the other */
  readonly isConcurrent?: boolean;
}

/**
 * A Lambda handler for a queue. Each message is parsed and worked on by itself: those that fail return to the queue and
 * end in the dead-letter queue, the others are done. Messages come at least once, so `work` must bear repetition.
 */
export function queueHandler<Message>(
  schema: z.ZodType<Message>,
  work: (delivery: Delivery<Message>) => Promise<void>,
  { parseBody = JSON.parse, isConcurrent = false }: Options = {},
) {
  return middy<SQSEvent, SQSBatchResponse>().handler(async ({ Records: records }, context) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    const attempt = async (record: SQSRecord) => {
      try {
        await work({
          message: schema.parse(parseBody(record.body)),
          receiptHandle: record.receiptHandle,
          receives: receivesOf(record),
          remainingMillis: () => context.getRemainingTimeInMillis(),
        });
      } catch (error) {
        log.error('message failed', error, { messageId: record.messageId, receives: receivesOf(record) });
        batchItemFailures.push({ itemIdentifier: record.messageId });
      }
    };
    if (isConcurrent) await Promise.all(records.map(attempt));
    else for (const record of records) await attempt(record);
    return { batchItemFailures };
  });
}

const receivesOf = (record: SQSRecord) => Number(record.attributes.ApproximateReceiveCount);
