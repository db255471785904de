/** Sends the message of a task as the role of the machine. */
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { CloudContext } from '../cloud-context.ts';
import { textIn } from '../endpoint/json.ts';
import { sqsClientOf } from '../sqs/queue-resources.ts';
import type { LambdaCall, TaskAnswer } from './lambda-task.ts';

export async function sendToQueue(cloud: CloudContext, { parameters, roleArn }: LambdaCall): Promise<TaskAnswer> {
  const { MessageBody: body } = parameters;
  const sqs = sqsClientOf(cloud, roleArn);
  try {
    const { MessageId = '', SequenceNumber } = await sqs.send(
      new SendMessageCommand({
        QueueUrl: textIn(parameters, 'QueueUrl'),
        MessageBody: typeof body === 'string' ? body : JSON.stringify(body),
        MessageGroupId: textIn(parameters, 'MessageGroupId'),
      }),
    );
    return { kind: 'succeeded', output: { MessageId, ...(SequenceNumber !== undefined && { SequenceNumber }) } };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { kind: 'failed', error: `SQS.${name}`, cause: message };
  } finally {
    sqs.destroy();
  }
}
