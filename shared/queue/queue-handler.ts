import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { invocation } from '#shared/invocation';
import { countFault } from '#shared/telemetry/faults';
import { addLogFields, log, tenantIn, withLogFields } from '#shared/telemetry/log';
import { FAULTS } from '#shared/telemetry/metric-scope';
import { countMetrics } from '#shared/telemetry/metrics';
import { originIn, originOf } from '#shared/telemetry/origin';

/** A received message, which may have been received before. */
interface Received<Message> {
  readonly message: Message;
  readonly receiptHandle: string;
  /** The number of times that this message was received, including this time. */
  readonly receives: number;
  readonly remainingMillis: () => number;
}

interface Options<Message> {
  /** @default JSON.parse */
  readonly parseBody?: (text: string) => unknown;
  /** True if the messages of a batch are processed concurrently. @default false: one after the other */
  readonly isConcurrent?: boolean;
  /** Returns fields for the log lines of a message, besides its id, its receive count and its member `tenant`. */
  readonly logged?: (message: Message) => Readonly<Record<string, unknown>>;
}

/**
 * A Lambda handler for a queue. Each message is parsed and processed independently. A message that fails counts as a
 * fault and is redelivered, finally to the dead-letter queue; a message that is received again counts as a fault too.
 * SQS delivers at least once, so `work` must be idempotent.
 */
export function queueHandler<Message>(
  schema: z.ZodType<Message>,
  work: (received: Received<Message>) => Promise<void>,
  { parseBody = JSON.parse, isConcurrent = false, logged }: Options<Message> = {},
) {
  const workOn = async (record: SQSRecord, context: Context) => {
    const message = schema.parse(parseBody(record.body));
    addLogFields({ ...tenantIn(message), ...originOf(message), ...logged?.(message) });
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
        // If all messages fail, each is returned and counted; an exception would count the batch once more.
        { processInParallel: isConcurrent, throwOnFullBatchFailure: false },
      ),
    ),
  );
}

/** Logs and counts the failure of a message, and reports it to the batch. */
const noting = (record: SQSRecord, work: () => Promise<void>): Promise<void> =>
  withLogFields({ messageId: record.messageId, receives: receivesOf(record), ...sentOrigin(record) }, async () => {
    // The receive before this one may have ended without a line in the log: out of time, or of memory. Published at
    // once, because this one may end in the same way.
    if (receivesOf(record) > 1) countMetrics([[FAULTS, 1]], 'message received again');
    try {
      await work();
    } catch (error) {
      log.error('message failed', { error });
      countFault();
      // The batch processor reads the message of the error.
      throw error instanceof Error ? error : new Error(String(error));
    }
  });

const sentOrigin = ({ attributes }: SQSRecord) => originIn(attributes.AWSTraceHeader);

const receivesOf = (record: SQSRecord) => Number(record.attributes.ApproximateReceiveCount);
