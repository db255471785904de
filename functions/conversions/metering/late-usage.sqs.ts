import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { callLimits } from '#shared/call-limits';
import type { LateUsage } from './late-usage.ts';

let ownClient: SQSClient | undefined;

/** @param client @default one client for the whole function */
export const lateUsageQueue = (queueUrl: string, client?: SQSClient) => ({
  async send(usage: LateUsage): Promise<void> {
    ownClient ??= client ?? new SQSClient({ maxAttempts: 3, requestHandler: callLimits(1_000) });
    await (client ?? ownClient).send(
      new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(usage) }),
    );
  },
});
