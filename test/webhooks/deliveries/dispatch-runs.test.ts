import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBRecord } from 'aws-lambda';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runItem } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { created } from '../../../functions/webhooks/runs/run-machine.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint.close();
});

const item = runItem(
  created({
    id: 'run_1',
    tenant: 'acme',
    eventId: 'event',
    ruleId: 'rule',
    module: 'dsar',
    trigger: 'DSAR starts',
    record: 'subject request: 1',
    idempotencyKey: 'key',
    createdAt: Date.now(),
    configurationId: 'cfg_1',
    configurationName: 'any',
    targetUrl: 'https://example.com/',
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: 30,
    maxAttempts: 3,
  }),
  Date.now(),
);
const recordOf = (image: object): DynamoDBRecord => ({
  dynamodb: { SequenceNumber: '1', NewImage: marshall(image) as NonNullable<DynamoDBRecord['dynamodb']>['NewImage'] },
});

it('a run that another version wrote does not hold up those behind it, and is logged with the error', async () => {
  const { region, credentials, ...options } = endpoint.clientOptions();
  const sqs = new SQSClient({ region, credentials, ...options });
  const queue = async (QueueName: string) => (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '';
  const [fast, slow] = [await queue('fast'), await queue('slow')];
  const environment = {
    FAST_QUEUE: fast,
    SLOW_QUEUE: slow,
    AWS_ENDPOINT_URL: options.endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { handler } = await import('../../../functions/webhooks/deliveries/dispatch-runs.handler.ts');
  const unreadable = { ...item, pk: 'RUN#acme#run_0', id: 'run_0', module: 'of the next version' };
  const lines = loggedLines();
  const answer = await handler({ Records: [unreadable, item].map(recordOf) }, { awsRequestId: 'i-1' } as Context);
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(lines()).toMatchObject([
    {
      level: 'ERROR',
      message: 'unreadable run',
      pk: 'RUN#acme#run_0',
      function_request_id: 'i-1',
      error: { message: expect.stringContaining('module'), stack: expect.stringContaining('run-items') },
    },
    { message: 'counted', Faults: 1 },
  ]);
  const { Messages: messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: fast, MaxNumberOfMessages: 10 }),
  );
  expect(messages.map(({ Body }) => JSON.parse(Body ?? '{}'))).toMatchObject([{ run: 'run_1', attempt: 1 }]);
});
