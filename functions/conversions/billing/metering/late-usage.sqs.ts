import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callLimits } from '#shared/quotas/call-limits';
import type { LateUsage } from './late-usage.ts';

let ownClient: SQSClient | undefined;

/**
 * Sends late usage to its queue. Callers wait for it, so its timeout is about a second.
 * @param client
 * @default one for the whole function
 */
export const lateUsageQueue = (queueUrl: string, client?: SQSClient) => ({
  async send(usage: LateUsage): Promise<void> {
    ownClient ??= client ?? new SQSClient({ maxAttempts: 2, requestHandler: callLimits(500) });
    await (client ?? ownClient).send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(usage) }),
    );
  },
});
