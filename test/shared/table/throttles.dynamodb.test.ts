import { GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { invocation } from '../../../shared/invocation.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { type Ending, failingDynamoDb } from '../../support/faults/failing-dynamodb.ts';
import { loggedLines } from '../../support/runner/logged-lines.ts';

const lines = loggedLines();
vi.stubEnv('POWERTOOLS_METRICS_NAMESPACE', 'FiveServices/test');

let failing: Awaited<ReturnType<typeof failingDynamoDb>>;
beforeAll(async () => {
  failing = await failingDynamoDb();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await failing.close();
});

/** Calls a table that ends each try so, and returns the tries that the invocation counts as throttled. */
async function throttled(ending: Ending, command: GetItemCommand | TransactWriteItemsCommand): Promise<unknown> {
  failing.state.ending = ending;
  const { endpoint, region, credentials } = failing.client.config;
  const client = dynamoDbClient({ endpoint, region, credentials, maxAttempts: 3, retryMode: 'standard' });
  const work = invocation(() => client.send(command as GetItemCommand));
  await expect(work(undefined, { awsRequestId: 'id' } as never)).rejects.toThrow();
  client.destroy();
  return lines().map(({ service, TableThrottles }) => [service, TableThrottles]);
}

const get = new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } });
const transaction = new TransactWriteItemsCommand({ TransactItems: [{ Delete: { TableName: 'table', Key: {} } }] });
const cancelled = (Code: string): Ending => ({
  status: 400,
  error: 'TransactionCanceledException',
  members: { CancellationReasons: [{ Code: 'None' }, { Code }] },
});

it('every try of a call that DynamoDB throttles is counted, and no other failure', async () => {
  expect(await throttled({ status: 400, error: 'ThrottlingException' }, get)).toEqual([['all', 3]]);
  expect(await throttled({ status: 400, error: 'ProvisionedThroughputExceededException' }, get)).toEqual([['all', 3]]);
  expect(await throttled(cancelled('ThrottlingError'), transaction)).toEqual([['all', 1]]);
  expect(await throttled(cancelled('ConditionalCheckFailed'), transaction)).toEqual([]);
  expect(await throttled({ status: 500, error: 'InternalServerError' }, get)).toEqual([]);
});
