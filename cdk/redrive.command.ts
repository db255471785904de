/** npm run redrive: counts dead letters, or returns those of the named queues to where they came from. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetQueueAttributesCommand,
  ListDeadLetterSourceQueuesCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { runCommandLine } from '#shared/command/command';
import { STAGE_OPTION } from '#shared/command/command-line';
import { type Deployment, findDeployment } from '#shared/command/deployment.cloudformation';

const OUTPUT = 'DeadLetters';

const LINE = {
  script: 'redrive',
  about: `Counts the dead letters of every queue. With names of queues: returns their dead letters to the queues that
they came from.`,
  options: { stage: STAGE_OPTION },
  operands: { value: 'QUEUE', about: 'a queue, as the count without names prints it' },
  example: '--stage prod Imports',
} as const;

await runCommandLine(LINE, async ({ values, operands: queues }) => {
  const deployment = await findDeployment(values.stage);
  const queueNames = deployment.namesAfter(OUTPUT);
  const unknown = queues.filter((queue) => !queueNames.includes(queue));
  if (unknown.length > 0)
    throw new Error(`There is no queue ${unknown.join(', ')}; choose from ${queueNames.join(', ')}.`);
  const sqs = new SQSClient({ ...deployment.client, useQueueUrlAsEndpoint: false });
  for (const queue of queues) console.log(`${queue}: ${await redrive(sqs, deployment, queue)} messages moved.`);
  if (queues.length > 0) return 0;
  for (const queue of queueNames)
    console.log(`${queue}: ${(await deadLetters(sqs, deployment, queue)).waiting} dead letters`);
  return 0;
});

async function deadLetters(sqs: SQSClient, deployment: Deployment, queue: string) {
  const { Attributes: { QueueArn: arn, ApproximateNumberOfMessages: waiting } = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: deployment.output(`${OUTPUT}${queue}`),
      AttributeNames: ['QueueArn', 'ApproximateNumberOfMessages'],
    }),
  );
  return { arn, waiting: Number(waiting) };
}

async function redrive(sqs: SQSClient, deployment: Deployment, queue: string): Promise<number> {
  const { arn } = await deadLetters(sqs, deployment, queue);
  // Named, because the bus puts events that it could not deliver into the same queue, and those have no source queue.
  const { queueUrls: [source] = [] } = await sqs.send(
    new ListDeadLetterSourceQueuesCommand({ QueueUrl: deployment.output(`${OUTPUT}${queue}`) }),
  );
  const { Attributes: { QueueArn: destination } = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: source, AttributeNames: ['QueueArn'] }),
  );
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: arn, DestinationArn: destination }));
  while (true) {
    const { Results: [task] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: arn, MaxResults: 1 }));
    if (task?.Status === 'FAILED') throw new Error(`${queue}: ${task.FailureReason ?? 'the move failed'}.`);
    if (task?.Status === 'CANCELLED') throw new Error(`${queue}: the move was cancelled.`);
    if (task?.Status === 'COMPLETED') return task.ApproximateNumberOfMessagesMoved ?? 0;
    await sleep(500);
  }
}
