import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../cdk/local/endpoint/database.ts';
import { Messages } from '../../../../cdk/local/sqs/messages.ts';
import { Queues } from '../../../../cdk/local/sqs/queues.ts';
import { SCHEMA } from '../../../../cdk/local/sqs/schema.ts';
import { startLocalEndpoint } from '../../../support/local-endpoint.ts';

const START = Date.UTC(2026, 0, 1);

/** One standard queue, with a clock that the test holds. */
class OneQueue {
  now = START;
  readonly database: DatabaseSync;
  readonly queues: Queues;
  readonly messages: Messages;

  constructor(database = openDatabase(null, SCHEMA)) {
    this.database = database;
    this.queues = new Queues({
      database,
      arnPrefix: 'arn:aws:sqs:us-east-1:000000000000:',
      policies: { set: () => undefined },
      now: () => new Date(this.now),
    });
    this.queues.create('work', {}, {});
    this.messages = new Messages(database, this.queues);
  }

  get queue() {
    return this.queues.named('work');
  }

  send(body: string, groupId?: string, delaySeconds = 0) {
    const message = { body, attributes: {}, traceHeader: undefined, deduplicationId: undefined, sender: 'somebody' };
    this.messages.send(this.queue, { ...message, groupId, delaySeconds }, this.now);
  }

  receive(count: number, visibilitySeconds = 30) {
    return this.messages.receive(this.queue, { count, visibilitySeconds }, this.now).received;
  }

  bodies(count: number, visibilitySeconds?: number) {
    return this.receive(count, visibilitySeconds).map(({ body }) => body);
  }
}

/** The same queue as plainly as it can be said: nothing remembered, everything looked at every time. */
class Model {
  now = START;
  readonly kept: { body: string; group: string; visibleAt: number; order: number; receipt: string | undefined }[] = [];
  sent = 0;

  send(body: string, groupId: string | undefined, delaySeconds: number) {
    // A message without a group is a group of its own.
    const group = groupId ?? `only ${body}`;
    const visibleAt = this.now + delaySeconds * 1000;
    this.kept.push({ body, group, visibleAt, order: this.sent++, receipt: undefined });
  }

  receive(count: number): string[] {
    const load = new Map<string, number>();
    for (const { group, receipt, visibleAt } of this.kept) {
      if (receipt !== undefined && visibleAt > this.now) load.set(group, (load.get(group) ?? 0) + 1);
    }
    const available = this.kept.filter(({ visibleAt }) => visibleAt <= this.now);
    const chosen: string[] = [];
    while (chosen.length < count && available.length > 0) {
      const loadOf = ({ group }: { group: string }) => load.get(group) ?? 0;
      available.sort((a, b) => loadOf(a) - loadOf(b) || a.visibleAt - b.visibleAt || a.order - b.order);
      const [next] = available.splice(0, 1);
      if (!next) break;
      load.set(next.group, loadOf(next) + 1);
      chosen.push(next.body);
    }
    return chosen;
  }
}

type Step =
  | { readonly kind: 'send'; readonly group: string | undefined; readonly delaySeconds: number }
  | { readonly kind: 'receive'; readonly count: number; readonly visibilitySeconds: number }
  | { readonly kind: 'delete'; readonly which: number }
  | { readonly kind: 'change'; readonly which: number; readonly seconds: number }
  | { readonly kind: 'wait'; readonly seconds: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        group: fc.constantFrom('a', 'a', 'a', 'b', 'c', undefined),
        delaySeconds: fc.constantFrom(0, 0, 0, 5),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('receive' as const),
        count: fc.integer({ min: 1, max: 3 }),
        visibilitySeconds: fc.constantFrom(0, 3, 30, 30),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), which: fc.nat(20) }) },
    fc.record({ kind: fc.constant('change' as const), which: fc.nat(20), seconds: fc.constantFrom(0, 10) }),
    fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 4, 31) }),
  ),
  { maxLength: 60, size: 'max' },
);

/** Does one step in both and compares what is received. */
function take(step: Step, real: OneQueue, model: Model) {
  const received = model.kept.filter(({ receipt }) => receipt !== undefined);
  const chosen = 'which' in step ? received[step.which % (received.length || 1)] : undefined;
  switch (step.kind) {
    case 'send': {
      const body = `message ${model.sent}`;
      real.send(body, step.group, step.delaySeconds);
      model.send(body, step.group, step.delaySeconds);
      return;
    }
    case 'receive': {
      const expected = model.receive(step.count);
      const messages = real.receive(step.count, step.visibilitySeconds);
      expect(messages.map(({ body }) => body)).toEqual(expected);
      for (const { body, receiptHandle } of messages) {
        const held = model.kept.find((message) => message.body === body);
        if (held) Object.assign(held, { receipt: receiptHandle, visibleAt: real.now + step.visibilitySeconds * 1000 });
      }
      return;
    }
    case 'wait':
      real.now += step.seconds * 1000;
      model.now = real.now;
      return;
    case 'delete':
      if (chosen?.receipt === undefined) return;
      real.messages.delete(real.queue, chosen.receipt);
      model.kept.splice(model.kept.indexOf(chosen), 1);
      return;
    case 'change':
      if (chosen?.receipt === undefined || chosen.visibleAt <= real.now) return;
      real.messages.changeVisibility(real.queue, chosen.receipt, { seconds: step.seconds, now: real.now });
      chosen.visibleAt = real.now + step.seconds * 1000;
  }
}

describe('a fair queue', () => {
  test('gives the messages of the group with the fewest in flight, and of those the oldest, whatever happened before', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const real = new OneQueue();
        const model = new Model();
        for (const step of all) take(step, real, model);
        real.database.close();
      }),
      { numRuns: 300 },
    );
  });

  test('lets quiet groups pass a noisy one, and stops nobody when only the noisy one is left', () => {
    const queue = new OneQueue();
    for (let i = 0; i < 40; i++) queue.send(`noisy ${i}`, 'noisy');
    expect(queue.bodies(10)).toHaveLength(10);
    queue.send('quiet 1', 'quiet');
    queue.send('nobody’s');
    queue.send('quiet 2', 'quiet');
    expect(queue.bodies(4)).toEqual(['quiet 1', 'nobody’s', 'quiet 2', 'noisy 10']);
    expect(queue.bodies(10)[0]).toBe('noisy 11');
  });

  test('forgets what was in flight when its time is over or it is deleted', () => {
    const queue = new OneQueue();
    queue.send('a1', 'a');
    queue.send('b1', 'b');
    const [a1] = queue.receive(1, 10);
    queue.send('a2', 'a');
    queue.now += 11_000;
    queue.send('b2', 'b');
    expect(queue.bodies(1)).toEqual(['b1']);
    expect(queue.bodies(3)).toEqual(['a2', 'a1', 'b2']);
    queue.messages.delete(queue.queue, a1?.receiptHandle ?? '');
    expect(queue.messages.counts(queue.queue, queue.now).inFlight).toBe(4);
  });

  test('without groups gives the oldest first', () => {
    const queue = new OneQueue();
    queue.send('late', undefined, 5);
    for (const body of ['first', 'second', 'third']) queue.send(body);
    expect(queue.bodies(2)).toEqual(['first', 'second']);
    queue.now += 6000;
    expect(queue.bodies(10)).toEqual(['third', 'late']);
  });

  test('of many messages in many groups keeps nothing when they are gone', () => {
    const queue = new OneQueue();
    for (let i = 0; i < 1000; i++) queue.send(String(i), `group ${i % 300}`);
    const seen = new Set<string>();
    for (let batch = queue.receive(10); batch.length > 0; batch = queue.receive(10)) {
      for (const { body, receiptHandle } of batch) {
        seen.add(body);
        queue.messages.delete(queue.queue, receiptHandle);
      }
    }
    expect(seen.size).toBe(1000);
    expect(queue.database.prepare('SELECT count(*) AS rows FROM fair_groups').get()).toEqual({ rows: 0 });
  });

  test('of state that knows no groups yet is fair from the start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqs-'));
    const file = join(folder, 'sqs.db');
    const before = new OneQueue(openDatabase(file, SCHEMA));
    for (const body of ['a1', 'a2', 'a3']) before.send(body, 'a');
    before.receive(1);
    before.send('b1', 'b');
    before.database.exec('DROP TABLE fair_groups');
    before.database.close();
    const after = new OneQueue(openDatabase(file, SCHEMA));
    expect(after.bodies(3)).toEqual(['b1', 'a2', 'a3']);
    after.database.close();
    rmSync(folder, { recursive: true });
  });

  test('is deleted together with its messages', () => {
    const queue = new OneQueue();
    queue.send('a', 'a');
    queue.receive(1);
    queue.queues.delete(queue.queue);
    expect(queue.database.prepare('SELECT count(*) AS rows FROM fair_groups').get()).toEqual({ rows: 0 });
    queue.queues.create('work', {}, {});
    expect(queue.bodies(1)).toEqual([]);
  });
});

test('a batch to a standard queue names groups, which receivers are told', async () => {
  const endpoint = await startLocalEndpoint();
  const client = new SQSClient(endpoint.clientOptions());
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'fair' }));
  const entry = (Id: string, MessageGroupId?: string) => ({ Id, MessageBody: Id, MessageGroupId });
  const sent = await client.send(
    new SendMessageBatchCommand({
      QueueUrl,
      Entries: [entry('a', 'tenant-1'), entry('b', 'tenant-1'), entry('bad', 'a group'), entry('c')],
    }),
  );
  expect(sent.Successful?.map(({ Id, SequenceNumber }) => [Id, SequenceNumber])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', undefined],
  ]);
  expect(sent.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidParameterValue' }]);
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      MessageSystemAttributeNames: ['MessageGroupId'],
    }),
  );
  expect(Messages.map(({ Body, Attributes }) => [Body, Attributes?.MessageGroupId])).toEqual([
    ['a', 'tenant-1'],
    ['c', undefined],
    ['b', 'tenant-1'],
  ]);
  await endpoint.close();
});
