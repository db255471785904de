import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { invocation } from '#shared/invocation';
import { addLogFields, log, withLogFields } from '#shared/log';
import { countFault, tellFault } from '#shared/metrics';

/** A message as it was received, once of perhaps several times. */
interface Received<Message> {
  readonly message: Message;
  readonly receiptHandle: string;
  /** How often this message has been received, this time included. */
  readonly receives: number;
  readonly remainingMillis: () => number;
}

interface Options<Message> {
  /** @default JSON.parse */
  readonly parseBody?: (text: string) => unknown;
  /** Whether the messages of a batch are worked on at the same time. @default false: one after the other */
  readonly isConcurrent?: boolean;
  /** What log lines of a message name besides its id and how often it was received. */
  readonly logged?: (message: Message) => Readonly<Record<string, unknown>>;
}

/**
 * A Lambda handler for a queue. Each message is parsed and worked on by itself: those that fail, and those that come
 * again, count as faults; they return to the queue and end in the dead-letter queue, the others are done. Messages come at least once, so `work` must bear
 * repetition.
 */
export function queueHandler<Message>(
  schema: z.ZodType<Message>,
  work: (received: Received<Message>) => Promise<void>,
  { parseBody = JSON.parse, isConcurrent = false, logged }: Options<Message> = {},
) {
  const workOn = async (record: SQSRecord, context: Context) => {
    const message = schema.parse(parseBody(record.body));
    if (logged) addLogFields(logged(message));
    await work({
      message,
      receiptHandle: record.receiptHandle,
      receives: receivesOf(record),
      remainingMillis: () => context.getRemainingTimeInMillis(),
    });
  };
  return invocation(
    middy<SQSEvent, SQSBatchResponse>().handler((event, context) =>
      processPartialResponse(
        event,
        (record: SQSRecord) => noting(record, () => workOn(record, context)),
        new BatchProcessor(EventType.SQS),
        // Where all messages fail, each is given back and counted; an exception would count the batch once more.
        { processInParallel: isConcurrent, throwOnFullBatchFailure: false },
      ),
    ),
  );
}

/** Notes what goes wrong with a message, and passes it on to the batch. */
const noting = (record: SQSRecord, work: () => Promise<void>): Promise<void> =>
  withLogFields({ messageId: record.messageId, receives: receivesOf(record) }, async () => {
    // The try before this one may have ended without a word, with its time or its memory. It is told at once, for the same
    // may happen to this one.
    if (receivesOf(record) > 1) tellFault('message received again');
    try {
      await work();
    } catch (error) {
      log.error('message failed', { error });
      countFault();
      // The batch asks what was thrown for its message.
      throw error instanceof Error ? error : new Error(String(error));
    }
  });

const receivesOf = (record: SQSRecord) => Number(record.attributes.ApproximateReceiveCount);
