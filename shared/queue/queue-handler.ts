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

/**
 * A Lambda handler for a queue. Each message is parsed and worked on by itself: those that fail return to the queue and
 * end in the dead-letter queue, the others are done. Messages come at least once, so `work` must bear repetition.
 */
export function queueHandler<Message>(
  schema: z.ZodType<Message>,
  work: (delivery: Delivery<Message>) => Promise<void>,
  { parseBody = JSON.parse }: { readonly parseBody?: (text: string) => unknown } = {},
) {
  return middy<SQSEvent, SQSBatchResponse>().handler(async (event, context) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const record of event.Records) {
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
    }
    return { batchItemFailures };
  });
}

const receivesOf = (record: SQSRecord) => Number(record.attributes.ApproximateReceiveCount);
