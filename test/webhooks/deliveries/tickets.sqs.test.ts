import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ticket } from '../../../functions/webhooks/deliveries/ticket.ts';
import { deliveries, TicketMessage } from '../../../functions/webhooks/deliveries/tickets.sqs.ts';
import { newId } from '../../../shared/ids.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';

let endpoint: LocalEndpoint;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
});
afterAll(() => endpoint.close());

async function desk() {
  const sqs = new SQSClient(endpoint.clientOptions());
  const calls: string[] = [];
  const inputs: object[] = [];
  const counted = new SQSClient(endpoint.clientOptions());
  counted.middlewareStack.add((next, { commandName = '' }) => async (args) => {
    calls.push(commandName);
    inputs.push(args.input);
    return next(args);
  });
  const created = async () => (await sqs.send(new CreateQueueCommand({ QueueName: newId('queue') }))).QueueUrl ?? '';
  const urls = { fast: await created(), slow: await created() };
  const received = async (url: string) => {
    const runs: string[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10 }));
      if (Messages.length === 0) return runs.toSorted();
      runs.push(...Messages.map(({ Body = '{}' }) => (JSON.parse(Body) as { run: string }).run));
    }
  };
  return { urls, calls, inputs, received, client: counted };
}

const ticket = (n: number): Ticket => ({ tenant: 'acme', run: `run_${n}`, attempt: 1, configuration: 'cfg' });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('sends messages of the same moment together, ten per call', async () => {
  const { urls, calls, received, client } = await desk();
  const { send } = deliveries(urls, client);
  await Promise.all(numbers(23).map((n) => send(n % 2 === 0 ? 'fast' : 'slow', ticket(n), 0)));
  expect(calls).toEqual([
    'SendMessageBatchCommand',
    'SendMessageBatchCommand',
    'SendMessageBatchCommand',
    'SendMessageBatchCommand',
  ]);
  const all = [...(await received(urls.fast)), ...(await received(urls.slow))];
  expect(all.toSorted()).toEqual(
    numbers(23)
      .map((n) => `run_${n}`)
      .toSorted(),
  );
});

it('reports to each caller whether its own message was taken', async () => {
  const { urls, received, client } = await desk();
  const { send } = deliveries({ ...urls, slow: `${urls.slow}-gone` }, client);
  const outcomes = await Promise.allSettled(numbers(4).map((n) => send(n <= 2 ? 'fast' : 'slow', ticket(n), 0)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(await received(urls.fast)).toEqual(['run_1', 'run_2']);
});

it('counts waiting messages, and all messages', async () => {
  const { urls, client } = await desk();
  const { send, queued } = deliveries(urls, client);
  expect(await queued()).toEqual({ waiting: 0, all: 0 });
  await Promise.all([send('fast', ticket(1), 0), send('slow', ticket(2), 0), send('slow', ticket(3), 60_000)]);
  expect(await queued()).toEqual({ waiting: 2, all: 3 });
});

it.each<[string, Partial<Ticket>]>([
  ['of an attempt', { attempt: 3 }],
  ['with a slot that is reserved for it', { slot: { number: 4, until: 1_700_000_000_123 } }],
  ['that only asks for parked runs', { isWake: true }],
])('a message %s arrives as it was sent', async (_what, own) => {
  const { urls, client } = await desk();
  const sent = { ...ticket(1), ...own };
  await deliveries(urls, client).send('slow', sent, 0);
  const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: urls.slow }));
  expect(Messages.map(({ Body = '{}' }) => TicketMessage.parse(JSON.parse(Body)))).toEqual([sent]);
});

it('messages are grouped by tenant and configuration, so that no configuration holds up another', async () => {
  const { urls, client } = await desk();
  const { send } = deliveries(urls, client);
  const sent = [ticket(1), { ...ticket(2), configuration: 'other' }, { ...ticket(3), tenant: 'other' }];
  await Promise.all(sent.map((one) => send('fast', one, 0)));
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl: urls.fast,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );
  const groups = Messages.map(({ Attributes: { MessageGroupId } = {} }) => MessageGroupId);
  expect(new Set(groups)).toEqual(new Set(['acme#cfg', 'acme#other', 'other#cfg']));
});

it('a message for a time that is further away than a queue can delay is sent all the same, as late as it can', async () => {
  const { urls, client, inputs } = await desk();
  await deliveries(urls, client).send('slow', ticket(1), 3_600_000);
  expect(inputs).toMatchObject([{ Entries: [{ DelaySeconds: 900 }] }]);
});

it('a message is held in the queue of its lane, for whole seconds and no shorter than asked', async () => {
  const { urls, client, inputs } = await desk();
  const { send, hold } = deliveries(urls, client);
  await send('slow', ticket(1), 0);
  const { Messages: [{ ReceiptHandle: handle = '' } = {}] = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl: urls.slow }),
  );
  await hold('slow', handle, 34_001);
  expect(inputs.at(-1)).toEqual({ QueueUrl: urls.slow, ReceiptHandle: handle, VisibilityTimeout: 35 });
});

it('messages of a configuration that has few are sent before those of one that has many, each in their order', async () => {
  const { urls, client, inputs } = await desk();
  const many = numbers(12).map((n) => ticket(n));
  const few = [13, 14].map((n) => ({ ...ticket(n), configuration: 'quiet' }));
  const other = { ...ticket(15), tenant: 'other' };
  const unsent = await deliveries(urls, client).sendAll(
    [...many, ...few, other].map((one) => ({ lane: 'fast', ticket: one, delayMillis: 0 })),
  );
  expect(unsent).toEqual([]);
  const order = (inputs as { Entries: { MessageBody: string }[] }[]).flatMap(({ Entries }) =>
    Entries.map(({ MessageBody }) => (JSON.parse(MessageBody) as Ticket).run),
  );
  expect(order).toEqual([15, 13, 14, ...numbers(12)].map((n) => `run_${n}`));
});
