import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CfnOutput, Duration } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Cloud } from '../../../../cdk/local/cloud.ts';
import {
  appOf,
  clientOptions,
  eventually,
  functionOf,
  importing,
  invoke,
  startLocalCloud,
} from '../../../support/cloud/local-cloud.ts';
import { LASTING, polled } from '../../../support/runner/machine-time.ts';

let cloud: Cloud;
let sqs: SQSClient;

const SENDER = `
${importing('SQSClient, SendMessageCommand', '@aws-sdk/client-sqs')}
const sqs = new SQSClient();
let calls = 0;
export const handler = async ({ texts }) => {
  calls += 1;
  for (const text of texts) await sqs.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE, MessageBody: text }));
  return calls;
};`;

const WRITER = `
${importing('DynamoDBClient, PutItemCommand', '@aws-sdk/client-dynamodb')}
const client = new DynamoDBClient({ maxAttempts: 10 });
export const handler = async ({ texts }) => {
  for (const text of texts) {
    await client.send(new PutItemCommand({ TableName: process.env.TABLE, Item: { pk: { S: text } } }));
  }
};`;

const CLOCK = `
export const handler = (_, context) => {
  const [first, second] = [new Date(), new Date(0)];
  return [Date.now(), first.getTime(), second.getTime(), first instanceof Date, context.getRemainingTimeInMillis()];
};`;

beforeAll(async () => {
  cloud = await startLocalCloud({
    app: appOf((stack) => {
      const outbox = new Queue(stack, 'Outbox');
      // Of one that was called twice at a time there are two copies, each with a count of its own.
      for (const name of ['Sender', 'Breaker', 'Twin']) {
        outbox.grantSendMessages(functionOf(stack, name, SENDER, { environment: { QUEUE: outbox.queueUrl } }));
      }
      const inbox = new Queue(stack, 'Inbox', { visibilityTimeout: Duration.seconds(60) });
      const worker = functionOf(
        stack,
        'Worker',
        'export const handler = async ({ Records }) => { for (const { body } of Records) console.log(body); };',
      );
      worker.addEventSource(new SqsEventSource(inbox, { batchSize: 1 }));
      functionOf(stack, 'Waiter', `const lasting = ${LASTING}; export const handler = () => lasting(9_000);`);
      functionOf(stack, 'Clock', CLOCK);
      new CfnOutput(stack, 'OutboxURL', { value: outbox.queueUrl });
      new CfnOutput(stack, 'InboxUrl', { value: inbox.queueUrl });
    }),
  });
  sqs = new SQSClient(clientOptions(cloud));
});
afterAll(() => cloud.close());
afterEach(() => expect(cloud.faults.pending).toBe(0));

const send = (texts: string[], by = 'Sender') => invoke(cloud, cloud.functionName(by), { texts });

async function received(): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: cloud.outputs['OutboxURL'], MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return texts.sort();
    texts.push(...Messages.map(({ Body = '' }) => Body));
  }
}

describe('a function whose calls are throttled', () => {
  // Of nine calls one at least is throttled, wherever the count of the cloud stands.
  it.each([
    { moment: 'sending' as const, written: 9 },
    { moment: 'answered' as const, written: 10 },
  ])('dies with its tenth call, $moment, as if it were not', async ({ moment, written }) => {
    vi.stubEnv('LOCAL_AWS_LIKE', 'throttles');
    const throttling = await startLocalCloud({
      app: appOf((stack) => {
        const table = new TableV2(stack, 'Table', { partitionKey: { name: 'pk', type: AttributeType.STRING } });
        const writer = functionOf(stack, 'Writer', WRITER, { environment: { TABLE: table.tableName } });
        table.grant(writer, 'dynamodb:PutItem');
        new CfnOutput(stack, 'TableName', { value: table.tableName });
      }),
    });
    vi.unstubAllEnvs();
    const client = new DynamoDBClient({ ...clientOptions(throttling), maxAttempts: 10 });
    try {
      throttling.faults.kill('Writer', { call: 10, moment });
      const texts = Array.from({ length: 20 }, (_, n) => String(n));
      await invoke(throttling, throttling.functionName('Writer'), { texts });
      expect(throttling.faults.pending).toBe(0);
      const { Count } = await client.send(new ScanCommand({ TableName: throttling.outputs['TableName'] }));
      expect(Count).toBe(written);
    } finally {
      client.destroy();
      await throttling.close();
    }
  });
});

describe('a function that a test kills', () => {
  const killed = { error: 'Unhandled', payload: { errorMessage: expect.stringContaining('signal: killed') } };

  it('before it begins has done nothing', async () => {
    cloud.faults.kill('Sender', 'before-invoke');
    expect(await send(['a', 'b'])).toMatchObject(killed);
    expect(await received()).toEqual([]);
  });

  it('as it sends its second AWS call has done only the first', async () => {
    cloud.faults.kill('Sender', { call: 2, moment: 'sending' });
    expect(await send(['c', 'd', 'e'])).toMatchObject(killed);
    expect(await received()).toEqual(['c']);
  });

  it('as its second AWS call is answered has done two', async () => {
    cloud.faults.kill('Sender', { call: 2, moment: 'answered' });
    expect(await send(['f', 'g', 'h'])).toMatchObject(killed);
    expect(await received()).toEqual(['f', 'g']);
  });

  it('after its result has done everything, and the caller gets no result', async () => {
    cloud.faults.kill('Sender', 'after-result');
    expect(await send(['i', 'j'])).toMatchObject(killed);
    expect(await received()).toEqual(['i', 'j']);
  });

  it('while it waits for something else than AWS dies at once', async () => {
    const answer = invoke(cloud, cloud.functionName('Waiter'), {});
    await polled(
      () => cloud.faults.killRunning('Waiter'),
      (killedNow) => killedNow === 1,
    );
    expect(await answer).toMatchObject({ error: 'Unhandled', payload: { errorMessage: expect.any(String) } });
    expect(await cloud.faults.killRunning('Waiter')).toBe(0);
  });

  it('starts cold the next time', async () => {
    cloud.faults.kill('Sender', 'after-result');
    await send([]);
    expect((await send([])).payload).toBe(1);
  });
});

describe('a function of a cloud whose clock a test moves', () => {
  it('sees that clock, there and back, and has its whole time', async () => {
    for (const ahead of [0, 3_600_000, -60_000]) {
      cloud.clock.offsetMillis = ahead;
      const before = Date.now() + ahead;
      const { payload } = await invoke(cloud, cloud.functionName('Clock'), {});
      const [now = 0, made = 0, epoch, isDate, remaining = 0] = payload as number[];
      expect(now).toBeGreaterThanOrEqual(before);
      expect(now).toBeLessThanOrEqual(Date.now() + ahead);
      expect(made).toBeGreaterThanOrEqual(before);
      expect([epoch, isDate]).toEqual([0, true]);
      expect(remaining).toBeGreaterThan(0);
      expect(remaining).toBeLessThanOrEqual(10_000);
    }
  });

  it('may call AWS all the same', async () => {
    // Clients of the SDK correct their own clock when it differs from the server's by five minutes.
    cloud.clock.offsetMillis = 240_000;
    expect(await send(['later'])).toMatchObject({ error: null });
    expect(await received()).toContain('later');
    cloud.clock.offsetMillis = 0;
  });
});

describe('an event that a test delivers twice', () => {
  it('is handled one time after the other', async () => {
    cloud.faults.deliverTwice('Sender');
    await send(['k']);
    expect(await received()).toEqual(['k', 'k']);
  });

  it('is handled concurrently if the test asks for it', async () => {
    cloud.faults.deliverTwice('Twin', { together: true });
    await send(['l'], 'Twin');
    expect(await received()).toEqual(['l', 'l']);
  });
});

describe('a queue whose function fails', () => {
  const worked = (text: string) => cloud.logsOf('Worker').filter(({ message }) => message === text).length;
  const put = (text: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl: cloud.outputs['InboxUrl'], MessageBody: text }));
  const left = async () => {
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: cloud.outputs['InboxUrl'], AttributeNames: ['All'] }),
    );
    return (
      Number(Attributes?.['ApproximateNumberOfMessages']) +
      Number(Attributes?.['ApproximateNumberOfMessagesNotVisible'])
    );
  };

  it('delivers the message again after a death before the work', async () => {
    cloud.faults.kill('Worker', 'before-invoke');
    await put('m');
    await eventually(cloud, left, (count) => count === 0);
    expect(worked('m')).toBe(1);
  });

  it('delivers the message again after a death between work and deletion', async () => {
    cloud.faults.kill('Worker', 'after-result');
    await put('n');
    await eventually(cloud, left, (count) => count === 0);
    expect(worked('n')).toBe(2);
  });

  it('waits while the function is throttled', async () => {
    cloud.faults.throttle('Worker', 3);
    await put('o');
    await eventually(cloud, left, (count) => count === 0);
    expect(worked('o')).toBe(1);
  });
});

describe('a function that a test breaks', () => {
  afterEach(() => cloud.faults.heal('Breaker'));

  it.each([
    ['throws', { errorType: 'Error', errorMessage: expect.stringContaining('its handler throws') }],
    ['times-out', { errorType: 'Sandbox.Timedout', errorMessage: expect.stringContaining('timed out after 10.00') }],
    ['runs-out-of-memory', { errorType: 'Runtime.ExitError', errorMessage: expect.stringContaining('signal: killed') }],
    ['fails-to-load', { errorType: 'Error', errorMessage: expect.stringContaining('fails to load') }],
  ] as const)('so that it %s fails every time, warm or cold, until it is healed', async (breakdown, error) => {
    const before = await send([], 'Breaker');
    expect(before.error).toBeNull();
    cloud.faults.breakDown('Breaker', breakdown);
    for (let i = 0; i < 2; i++) {
      expect(await send(['broken'], 'Breaker')).toEqual({
        status: 200,
        error: 'Unhandled',
        payload: expect.objectContaining(error),
      });
    }
    cloud.faults.heal('Breaker');
    // The copies of before are warm.
    expect(await send([breakdown], 'Breaker')).toMatchObject({ error: null, payload: Number(before.payload) + 1 });
    const texts = await received();
    expect(texts).toContain(breakdown);
    expect(texts).not.toContain('broken');
  });

  it('does not affect other functions', async () => {
    cloud.faults.breakDown('Breaker', 'throws');
    expect((await invoke(cloud, cloud.functionName('Clock'), {})).error).toBeNull();
  });
});

describe('a function that loses its permissions', () => {
  it('is refused every AWS call until it has them back', async () => {
    cloud.denyAll('Sender');
    const refused = { errorType: 'AccessDenied', errorMessage: expect.stringContaining('explicit deny') };
    expect(await send(['denied'])).toMatchObject({ error: 'Unhandled', payload: refused });
    cloud.allow('Sender');
    expect(await send(['allowed'])).toMatchObject({ error: null });
    const texts = await received();
    expect(texts).toContain('allowed');
    expect(texts).not.toContain('denied');
  });
});

describe('naming a function for a fault', () => {
  it('lists the functions when no name matches', () => {
    expect(() => cloud.faults.kill('Missing', 'before-invoke')).toThrow('0 functions are named Missing');
    expect(() => cloud.faults.throttle('test')).toThrow(
      '6 functions are named test; there are test/Sender, test/Breaker, test/Twin, test/Worker, test/Waiter, test/Clock.',
    );
  });
});
