import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callLimits } from '#shared/quotas/call-limits';
import { log } from '#shared/telemetry/log';
import { tracedBy } from './trace-attribute.sqs.ts';

/** The time within which a message is redelivered if its worker dies. */
const LEASE_SECONDS = 45;
const RENEWED_EVERY_MILLIS = 15_000;

let client: SQSClient | undefined;
const sqs = () => (client ??= new SQSClient({ maxAttempts: 4, requestHandler: callLimits(5_000) }));

/**
 * Does long work on a message while renewing its visibility timeout. The queue's own timeout would have to cover that
 * of the function, an hour and more; with a short lease that is renewed, a crash is repaired within a minute.
 */
export async function holdingMessage<Result>(
  { queueUrl, receiptHandle }: { queueUrl: string; receiptHandle: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const hold = async () => {
    try {
      await sqs().send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl,
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: LEASE_SECONDS,
        }),
      );
    } catch (error) {
      // The work is idempotent, so losing the lease is no reason to stop.
      log.warn('message lease not renewed', { error: String(error) });
    }
  };
  await hold();
  const renewal = setInterval(() => void hold(), RENEWED_EVERY_MILLIS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

interface Sending {
  /** The group for fair queueing: SQS delivers messages so that one group's many do not hold up another's few. */
  readonly group?: string;
  /** The delay, at most 900. @default 0 */
  readonly delaySeconds?: number;
}

export async function sendMessage(
  queueUrl: string,
  message: unknown,
  { group, delaySeconds }: Sending = {},
): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify(message),
      ...tracedBy(),
      ...(group !== undefined && { MessageGroupId: group }),
      ...(delaySeconds !== undefined && { DelaySeconds: delaySeconds }),
    }),
  );
}
