import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MeterFailure, meterFailureOf } from '../../../../functions/conversions/billing/metering/meter-failure.ts';
import { meterStore } from '../../../../functions/conversions/billing/metering/meter-store.dynamodb.ts';
import { account, NOW, spendOf } from '../../../support/conversions/meter-accounts.ts';
import { type Ending, failingDynamoDb, unreachableClient } from '../../../support/faults/failing-dynamodb.ts';

let dynamoDb: Awaited<ReturnType<typeof failingDynamoDb>>;
beforeAll(async () => {
  dynamoDb = await failingDynamoDb();
});
afterAll(() => dynamoDb.close());

const SIGNAL = new AbortController().signal;
const TAKING = { ...spendOf('acme'), item: account(), branch: 'idle', since: NOW, now: NOW } as const;

const storeOf = (client: DynamoDBClient) =>
  meterStore(
    { name: 'conversions', client },
    { advance: () => Promise.reject(new Error('not here')), now: () => NOW / 1_000 },
  );

/** What a call of the meter throws, by the real SDK: its own write, unless another call is named. */
function thrownBy(client: DynamoDBClient, call: Promise<unknown> = storeOf(client).take(TAKING, SIGNAL)) {
  return call.then(
    () => Promise.reject(new Error('The call was answered.')),
    (error: unknown) => error,
  );
}

async function failureOf(ending: Ending): Promise<MeterFailure> {
  dynamoDb.state.ending = ending;
  return meterFailureOf(await thrownBy(dynamoDb.client));
}

const answered = (status: number, error: string, ...reasons: string[]): Ending => ({
  status,
  error,
  members: { ThrottlingReasons: reasons.map((reason) => ({ reason, resource: 'arn:aws:dynamodb:::table/t' })) },
});

describe('the failure of a call without an answer', () => {
  it('the outcome is unknown when it times out', async () => {
    dynamoDb.state.ending = 'never';
    const { signal, abort } = stoppable();
    const thrown = thrownBy(dynamoDb.client, storeOf(dynamoDb.client).read('acme', signal));
    const before = dynamoDb.state.calls;
    while (dynamoDb.state.calls === before) await new Promise(setImmediate);
    abort();
    expect(meterFailureOf(await thrown)).toBe('ambiguous');
    expect(meterFailureOf(AbortSignal.abort(new DOMException('over', 'TimeoutError')).reason)).toBe('ambiguous');
  });

  it('the outcome is unknown when the connection is lost', async () => {
    expect(await failureOf('lost')).toBe('ambiguous');
  });

  it('nothing was written when no connection could be opened or no credentials were found', async () => {
    expect(meterFailureOf(await thrownBy(unreachableClient()))).toBe('down');
    const credentials = () => Promise.reject(Object.assign(new Error('none'), { name: 'CredentialsProviderError' }));
    expect(meterFailureOf(await thrownBy(new DynamoDBClient({ region: 'us-east-1', credentials })))).toBe('down');
  });
});

function stoppable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

describe('an answer of DynamoDB that', () => {
  const cases: readonly [string, Ending, MeterFailure][] = [
    ['is an internal error', answered(500, 'InternalServerError'), 'down'],
    ['says that it is not available', answered(503, 'ServiceUnavailable'), 'down'],
    ['is none of DynamoDB', { status: 502, text: '<html>Bad gateway</html>' }, 'down'],
    ['does not know the credentials', answered(400, 'UnrecognizedClientException'), 'down'],
    ['says that the token is expired', answered(400, 'ExpiredTokenException'), 'down'],
    ['throttles the table', answered(400, 'ProvisionedThroughputExceededException'), 'throttled'],
    [
      'throttles the maximum of the table',
      answered(400, 'ThrottlingException', 'TableWriteMaxOnDemandThroughputExceeded'),
      'throttled',
    ],
    ['throttles the AWS account', answered(400, 'RequestLimitExceeded', 'TableWriteAccountLimitExceeded'), 'throttled'],
    [
      'throttles the partition of the account',
      answered(400, 'ProvisionedThroughputExceededException', 'TableWriteKeyRangeThroughputExceeded'),
      'own-flood',
    ],
    [
      'throttles the partition among other things',
      answered(400, 'ThrottlingException', 'TableWriteAccountLimitExceeded', 'TableReadKeyRangeThroughputExceeded'),
      'own-flood',
    ],
    ['denies access', answered(400, 'AccessDeniedException'), 'our-fault'],
    ['refuses the expression', answered(400, 'ValidationException'), 'our-fault'],
    ['knows no such table', answered(400, 'ResourceNotFoundException'), 'our-fault'],
  ];
  for (const [what, ending, failure] of cases) {
    it(`${what} is ${failure}`, async () => {
      expect(await failureOf(ending)).toBe(failure);
    });
  }

  it('tells of a transaction on the item is followed by another try, and is throttling if that lasts', async () => {
    const before = dynamoDb.state.calls;
    expect(await failureOf(answered(400, 'TransactionConflictException'))).toBe('throttled');
    expect(dynamoDb.state.calls - before).toBe(4);
  });
});

it('a mistake in the program is our fault, whatever is thrown', () => {
  for (const thrown of [new TypeError('x'), new RangeError('x'), undefined, null, 'text', 7, {}]) {
    expect(meterFailureOf(thrown)).toBe('our-fault');
  }
});
