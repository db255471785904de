import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import { appOf, clientOptions, eventually, functionOf, invoke, startLocalCloud } from '../../../support/local-cloud.ts';

const COUNTING = `export const handler = async (event) => {
  console.log('attempt');
  if (event.fail) throw new Error('no');
  return 'fine';
};`;

let cloud: Cloud;
let sqs: SQSClient;

beforeAll(async () => {
  cloud = await startLocalCloud({
    app: appOf((stack) => {
      functionOf(stack, 'Plain', COUNTING);
      const failures = new Queue(stack, 'Failures');
      const successes = new Queue(stack, 'Successes');
      functionOf(stack, 'Once', COUNTING, {
        retryAttempts: 0,
        maxEventAge: Duration.hours(1),
        onFailure: new SqsDestination(failures),
        onSuccess: new SqsDestination(successes),
      });
      const dead = new Queue(stack, 'Dead');
      functionOf(stack, 'WithDeadLetters', COUNTING, { deadLetterQueue: dead });
      new CfnOutput(stack, 'FailuresUrl', { value: failures.queueUrl });
      new CfnOutput(stack, 'SuccessesUrl', { value: successes.queueUrl });
      new CfnOutput(stack, 'DeadUrl', { value: dead.queueUrl });
    }),
  });
  sqs = new SQSClient(clientOptions(cloud));
});
afterAll(() => cloud.close());

const emit = (name: string, event: unknown) => invoke(cloud, cloud.functionName(name), event, 'Event');
const attempts = (name: string) => cloud.logsOf(name).filter(({ message }) => message === 'attempt').length;

async function messageIn(output: string): Promise<Record<string, unknown>> {
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: cloud.outputs[output], WaitTimeSeconds: 20 }),
  );
  return JSON.parse(Messages[0]?.Body ?? '{}') as Record<string, unknown>;
}

describe('an event that nobody waits for', () => {
  it('is tried three times in all', async () => {
    const before = attempts('Plain');
    await emit('Plain', { fail: true });
    await eventually(
      cloud,
      () => attempts('Plain'),
      (count) => count === before + 3,
    );
    await eventually(
      cloud,
      () => cloud.pendingEvents,
      (count) => count === 0,
    );
    expect(attempts('Plain')).toBe(before + 3);
  });

  it('survives a throttle without losing an attempt', async () => {
    const before = attempts('Plain');
    cloud.faults.throttle('Plain', 2);
    await emit('Plain', {});
    await eventually(
      cloud,
      () => attempts('Plain'),
      (count) => count === before + 1,
    );
  });

  it('goes with its fate to the destination of failures after as many attempts as configured', async () => {
    await emit('Once', { fail: true, id: 7 });
    expect(await messageIn('FailuresUrl')).toMatchObject({
      version: '1.0',
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 1 },
      requestPayload: { fail: true, id: 7 },
      responseContext: { statusCode: 200, functionError: 'Unhandled' },
      responsePayload: { errorType: 'Error', errorMessage: 'no' },
    });
  });

  it('goes with its result to the destination of successes', async () => {
    await emit('Once', { id: 8 });
    expect(await messageIn('SuccessesUrl')).toMatchObject({
      requestContext: { condition: 'Success' },
      requestPayload: { id: 8 },
      responsePayload: 'fine',
    });
  });

  it('ends as it is in a dead-letter queue', async () => {
    await emit('WithDeadLetters', { fail: true, id: 9 });
    expect(await messageIn('DeadUrl')).toEqual({ fail: true, id: 9 });
  });
});

describe('an event accepted before the end of a run', () => {
  it('is handled by the next run', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'local-cloud-data-'));
    const app = appOf((stack) => void functionOf(stack, 'Plain', COUNTING));
    const first = await startLocalCloud({ app, dataDir, asyncRetryDelaysSeconds: [3600] });
    await invoke(first, first.functionName('Plain'), { fail: true }, 'Event');
    await first.settled();
    expect(first.pendingEvents).toBe(1);
    await first.close();

    const second = await startLocalCloud({ app, dataDir });
    await second.settled();
    expect(second.pendingEvents).toBe(0);
    expect(second.logsOf('Plain').filter(({ message }) => message === 'attempt')).toHaveLength(2);
    await second.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('a destination that the role of the function may not use', () => {
  it('ends the start with what is missing', async () => {
    const app = appOf((stack) => {
      const failures = new Queue(stack, 'Failures');
      const lambda = functionOf(stack, 'Plain', COUNTING);
      new CfnEventInvokeConfig(stack, 'Config', {
        functionName: lambda.functionName,
        qualifier: '$LATEST',
        destinationConfig: { onFailure: { destination: failures.queueArn } },
      });
    });
    await expect(startLocalCloud({ app })).rejects.toThrow(
      /The role of test\/Plain is not allowed sqs:SendMessage on its destination arn:aws:sqs:/,
    );
  });
});
