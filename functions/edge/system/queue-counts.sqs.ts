import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callLimits } from '#shared/quotas/call-limits';
import type { QueueCounts } from './system-state.ts';

/** Returns the approximate number of messages in a queue: SQS counts on many machines. */
export async function queueCounts(url: string, client: SQSClient = ownClient()): Promise<QueueCounts> {
  const { Attributes: counted = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    waiting: Number(counted.ApproximateNumberOfMessages),
    inFlight: Number(counted.ApproximateNumberOfMessagesNotVisible),
    delayed: Number(counted.ApproximateNumberOfMessagesDelayed),
  };
}

let client: SQSClient | undefined;
const ownClient = () => (client ??= new SQSClient({ maxAttempts: 4, requestHandler: callLimits(3_000) }));
