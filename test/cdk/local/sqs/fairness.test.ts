import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../cdk/local/endpoint/database.ts';
import { MoveTasks } from '../../../../cdk/local/sqs/move-tasks.ts';
import { SCHEMA } from '../../../../cdk/local/sqs/schema.ts';
import { appOf, clientOptions, startLocalCloud } from '../../../support/cloud/local-cloud.ts';
import { startLocalEndpoint } from '../../../support/cloud/local-endpoint.ts';
import { OneQueue } from './one-queue.ts';

const redriveTo = (deadLetterTargetArn: string) => JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 });

describe('a fair queue', () => {
  test('gives the oldest messages first while nobody is noisy, whatever their groups', () => {
    const queue = new OneQueue();
    queue.sendMany(40, 'a');
    expect(queue.receive(29)).toHaveLength(29);
    queue.send('b', 'b');
    queue.send('nobody’s');
    expect(queue.bodies(1)).toEqual(['a 29']);
    const calm = new OneQueue();
    calm.sendMany(3, 'a');
    calm.receive(2);
    calm.send('b', 'b');
    calm.send('nobody’s');
    expect(calm.bodies(10)).toEqual(['a 2', 'b', 'nobody’s']);
  });

  test('lets quiet groups pass one that has 30 messages in flight, the oldest first, and then gives the noisy one’s', () => {
    const queue = new OneQueue();
    queue.sendMany(100, 'noisy');
    expect(queue.receive(30)).toHaveLength(30);
    for (const [body, group] of [['b1', 'b'], ['c1', 'c'], ['nobody’s'], ['b2', 'b'], ['c2', 'c']] as const) {
      queue.now += 1;
      queue.send(body, group);
    }
    expect(queue.bodies(3)).toEqual(['b1', 'c1', 'nobody’s']);
    expect(queue.bodies(4)).toEqual(['b2', 'c2', 'noisy 30', 'noisy 31']);
    expect(queue.receive(100)).toHaveLength(68);
  });

  test('finds the message of a quiet group behind many groups whose messages are in flight', () => {
    const queue = new OneQueue();
    for (let i = 0; i < 20; i++) queue.send('held', `group ${i}`);
    queue.receive(20);
    queue.sendMany(40, 'noisy');
    queue.receive(30);
    queue.send('quiet', 'quiet');
    expect(queue.bodies(2)).toEqual(['quiet', 'noisy 30']);
  });

  test('finds the message of a quiet group that was given back', () => {
    const queue = new OneQueue();
    queue.send('quiet', 'quiet');
    const [held] = queue.receive(1);
    queue.sendMany(40, 'noisy');
    queue.receive(30);
    queue.messages.changeVisibility(queue.queue, held?.receiptHandle ?? '', { seconds: 0, now: queue.now });
    expect(queue.bodies(2)).toEqual(['quiet', 'noisy 30']);
  });

  test('counts each end once, whether it is noticed at once or late', () => {
    const queue = new OneQueue();
    queue.sendMany(40, 'a');
    const inFlight = () =>
      queue
        .rows('queue_loads')
        .concat(queue.rows('group_loads'))
        .map((row) => row['in_flight']);
    const [short, shorter] = queue.receive(2, 5);
    const [deleted, returned] = queue.receive(2);
    queue.receive(3);
    queue.wait(6);
    if (deleted) queue.delete(deleted);
    expect(inFlight()).toEqual([4, 4]);
    if (short) queue.delete(short);
    queue.receive(1, 5);
    queue.wait(6);
    const handle = returned?.receiptHandle ?? '';
    queue.messages.changeVisibility(queue.queue, handle, { seconds: 0, now: queue.now });
    expect(inFlight()).toEqual([3, 3]);
    if (shorter) queue.delete(shorter);
    expect(inFlight()).toEqual([3, 3]);
  });

  test('finds no group noisy that has 30 messages in flight but no more than a tenth of all', () => {
    const queue = new OneQueue();
    queue.sendMany(30, 'a');
    for (let i = 0; i < 269; i++) queue.send('nobody’s');
    queue.receive(299);
    queue.send('a 30', 'a');
    queue.send('b', 'b');
    expect(queue.bodies(1, 0)).toEqual(['b']);
    queue.send('one more, which is older', undefined, -1);
    queue.receive(1);
    expect(queue.bodies(2)).toEqual(['a 30', 'b']);
  });

  test('of several noisy groups serves first the one with the fewest messages in flight', () => {
    const queue = new OneQueue();
    queue.sendMany(34, 'more');
    queue.receive(34);
    queue.sendMany(32, 'less');
    queue.receive(32);
    queue.sendMany(4, 'more');
    queue.sendMany(6, 'less');
    expect(queue.bodies(7)).toEqual(['less 0', 'less 1', 'more 0', 'less 2', 'more 1', 'less 3', 'more 2']);
  });

  test('lets quiet groups pass one that takes long with few messages in flight', () => {
    const queue = new OneQueue();
    queue.sendMany(5, 'slow');
    queue.receive(2);
    queue.wait(30);
    queue.send('quiet 1', 'quiet');
    expect(queue.bodies(1, 0)).toEqual(['slow 2']);
    queue.wait(30);
    expect(queue.bodies(2)).toEqual(['quiet 1', 'slow 3']);
  });

  test('finds no group noisy whose messages take no more than a tenth of the time', () => {
    const queue = new OneQueue();
    queue.sendMany(2, 'a');
    for (let i = 0; i < 19; i++) queue.send('nobody’s');
    queue.receive(21);
    queue.sendMany(1, 'a');
    queue.send('b', 'b');
    queue.wait(120);
    expect(queue.bodies(1)).toEqual(['a 0']);
  });

  test('treats a message without a group as a tenant of its own, which is never noisy', () => {
    const queue = new OneQueue();
    for (let i = 0; i < 40; i++) queue.send(`nobody’s ${i}`);
    queue.receive(39, 600);
    queue.wait(600);
    queue.send('quiet', 'quiet');
    expect(queue.bodies(1)).toEqual(['nobody’s 39']);
    expect(queue.bodies(39)).toEqual(Array.from({ length: 39 }, (_, i) => `nobody’s ${i}`));
    expect(queue.bodies(1)).toEqual(['quiet']);
  });

  test('without groups gives the oldest first', () => {
    const queue = new OneQueue();
    queue.send('late', undefined, 5);
    for (const body of ['first', 'second', 'third']) queue.send(body);
    expect(queue.bodies(2)).toEqual(['first', 'second']);
    queue.wait(6);
    expect(queue.bodies(10)).toEqual(['third', 'late']);
  });

  test('survives a restart with its counts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqs-'));
    const file = join(folder, 'sqs.db');
    const before = new OneQueue({ database: openDatabase(file, SCHEMA) });
    before.sendMany(4, 'slow');
    const held = before.receive(3);
    before.wait(90);
    before.delete(...held);
    before.send('quiet', 'quiet');
    before.database.close();
    const after = new OneQueue({ database: openDatabase(file, SCHEMA) });
    after.now = before.now;
    expect(after.bodies(2)).toEqual(['quiet', 'slow 3']);
    after.database.close();
    rmSync(folder, { recursive: true });
  });

  test('counts the messages in flight of a database without group counts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sqs-'));
    const file = join(folder, 'sqs.db');
    const before = new OneQueue({ database: openDatabase(file, SCHEMA) });
    before.sendMany(32, 'noisy');
    before.receive(30);
    before.send('quiet', 'quiet');
    before.database.exec('DROP TABLE group_loads; DROP TABLE queue_loads; CREATE TABLE fair_groups (id TEXT) STRICT;');
    before.database.close();
    const after = new OneQueue({ database: openDatabase(file, SCHEMA) });
    expect(after.bodies(3)).toEqual(['quiet', 'noisy 30', 'noisy 31']);
    expect(after.database.prepare("SELECT name FROM sqlite_schema WHERE name = 'fair_groups'").all()).toEqual([]);
    after.database.close();
    rmSync(folder, { recursive: true });
  });

  test('recounts the messages in flight when its clock was set back', () => {
    const queue = new OneQueue();
    queue.sendMany(32, 'noisy');
    queue.receive(30, 60);
    queue.wait(3600);
    queue.send('seen later', 'quiet', 60);
    queue.receive(1, 0);
    queue.wait(-3600);
    queue.send('quiet', 'quiet');
    expect(queue.bodies(2)).toEqual(['quiet', 'noisy 31']);
  });

  test('writes nothing when it has no message', () => {
    const queue = new OneQueue();
    queue.send('later', 'a', 5);
    const changes = () => queue.database.prepare('SELECT total_changes() AS changes').get();
    const before = changes();
    expect(queue.bodies(1)).toEqual([]);
    expect(changes()).toEqual(before);
  });

  test('stores nothing of its groups when their messages are deleted', () => {
    const queue = new OneQueue();
    for (let i = 0; i < 1000; i++) queue.send(String(i), `group ${i % 300}`);
    const seen = new Set<string>();
    for (let batch = queue.receive(10); batch.length > 0; batch = queue.receive(10)) {
      for (const { body } of batch) seen.add(body);
      queue.delete(...batch);
    }
    expect(seen.size).toBe(1000);
    expect(queue.rows('group_loads')).toEqual([]);
  });

  test('is deleted together with its messages', () => {
    const queue = new OneQueue();
    queue.send('a', 'a');
    queue.receive(1);
    queue.queues.delete(queue.queue);
    expect([...queue.rows('group_loads'), ...queue.rows('queue_loads')]).toEqual([]);
    queue.queues.create('work', {});
    expect(queue.bodies(1)).toEqual([]);
  });
});

describe('a group is noisy no longer', () => {
  /** A group with messages in flight and one waiting. The next of another group is younger. */
  const noisy = (inFlight: number) => {
    const queue = new OneQueue();
    queue.sendMany(inFlight, 'noisy');
    const held = queue.receive(inFlight);
    queue.send('waiting', 'noisy');
    queue.now += 1;
    queue.send('quiet', 'quiet');
    return { queue, held, next: () => queue.bodies(1, 0) };
  };

  test('when it has fewer than 30 messages in flight, at the latest when their time is over', () => {
    const { queue, held, next } = noisy(30);
    expect(next()).toEqual(['quiet']);
    queue.delete(...held.slice(0, 1));
    expect(next()).toEqual(['waiting']);
    const other = new OneQueue();
    other.sendMany(30, 'noisy');
    other.receive(30, 1);
    other.wait(0.1);
    other.send('waiting', 'noisy');
    other.send('quiet', 'quiet');
    expect(other.bodies(1, 0)).toEqual(['quiet']);
    other.wait(0.9);
    expect(other.bodies(1)).toEqual(['waiting']);
  });

  test('when a message is given back', () => {
    const { queue, held, next } = noisy(30);
    const handle = held[29]?.receiptHandle ?? '';
    queue.messages.changeVisibility(queue.queue, handle, { seconds: 60, now: queue.now });
    expect(next()).toEqual(['quiet']);
    queue.messages.changeVisibility(queue.queue, handle, { seconds: 0, now: queue.now });
    expect(next()).toEqual(['waiting']);
  });

  test('when others have more in flight', () => {
    const { queue, next } = noisy(30);
    expect(next()).toEqual(['quiet']);
    for (let i = 0; i < 270; i++) queue.send('nobody’s', undefined, -1);
    queue.receive(270);
    expect(next()).toEqual(['waiting']);
  });

  test('when its share of the processing time has fallen', () => {
    const { queue, held, next } = noisy(3);
    queue.wait(60);
    expect(next()).toEqual(['quiet']);
    queue.delete(...held);
    expect(next()).toEqual(['quiet']);
    queue.wait(60);
    expect(next()).toEqual(['waiting']);
  });

  test('when the visibility timeouts of its messages ended long ago, and no receive came since', () => {
    const queue = new OneQueue();
    queue.sendMany(3, 'slow');
    queue.receive(3, 30);
    queue.wait(280);
    queue.send('quiet', 'quiet');
    expect(queue.bodies(4)).toEqual(['slow 0', 'slow 1', 'slow 2', 'quiet']);
  });

  test('when nothing was sent to it for five minutes', () => {
    const { queue, next } = noisy(40);
    queue.wait(299);
    expect(next()).toEqual(['quiet']);
    queue.wait(1);
    expect(next()).toEqual(['waiting']);
    queue.send('another', 'noisy');
    expect(next()).toEqual(['quiet']);
  });

  test('when its backlog has been consumed', () => {
    const { queue, held, next } = noisy(3);
    queue.wait(60);
    expect(next()).toEqual(['quiet']);
    const [quiet, waiting] = queue.receive(2);
    expect([quiet?.body, waiting?.body]).toEqual(['quiet', 'waiting']);
    queue.delete(...held);
    const again = () => {
      queue.send('again', 'noisy');
      queue.send('younger', 'quiet');
      return queue.receive(2);
    };
    const before = again();
    expect(before.map(({ body }) => body)).toEqual(['younger', 'again']);
    for (const message of [waiting, ...before]) if (message) queue.delete(message);
    expect(again().map(({ body }) => body)).toEqual(['again', 'younger']);
  });

  test('when its queue was purged or its messages have expired', () => {
    const { queue } = noisy(40);
    queue.messages.purge(queue.queue, queue.now);
    expect(queue.rows('group_loads')).toEqual([]);
    expect(queue.rows('queue_loads')).toMatchObject([{ in_flight: 0 }]);
    queue.sendMany(40, 'noisy');
    queue.wait(345_600 - 3600);
    queue.receive(40, 7200);
    queue.sendMany(30, 'kept');
    queue.receive(30, 7200);
    queue.wait(3600 - 1);
    queue.messages.expire(queue.now);
    expect(queue.rows('queue_loads')).toMatchObject([{ in_flight: 70 }]);
    queue.wait(1);
    queue.messages.expire(queue.now);
    expect(queue.rows('group_loads')).toMatchObject([{ id: 'kept', in_flight: 30 }]);
    expect(queue.rows('queue_loads')).toMatchObject([{ in_flight: 30 }]);
    queue.wait(7200);
    queue.messages.purge(queue.queue, queue.now);
    expect(queue.rows('queue_loads')).toMatchObject([{ in_flight: 0 }]);
  });

  test('when its messages were moved to another queue after their time', () => {
    const queue = new OneQueue();
    const source = queue.queues.create('source', { RedrivePolicy: redriveTo(queue.queue.arn) });
    queue.sendMany(40, 'noisy');
    queue.receive(40, 5);
    queue.wait(6);
    const { reached } = new MoveTasks(queue.database, queue.queues).start(queue.queue.arn, source.arn, queue.now);
    expect(reached).toEqual(['source']);
    expect(queue.rows('queue_loads')).toMatchObject([{ queue: 'work', in_flight: 0 }]);
    expect(queue.rows('group_loads')).toMatchObject([{ queue: 'source', id: 'noisy', in_flight: 0 }]);
  });
});

test('a FIFO queue has an order of its own, and its groups are not counted', () => {
  const queue = new OneQueue({ fifo: true });
  queue.sendMany(41, 'noisy');
  const held = queue.receive(10, 60).concat(queue.receive(1, 60));
  queue.wait(59);
  queue.send('quiet', 'quiet');
  queue.delete(...held);
  expect(queue.bodies(1)).toEqual(['noisy 10']);
  expect([...queue.rows('group_loads'), ...queue.rows('queue_loads')]).toEqual([]);
});

test('the queues of the local cloud are fair', async () => {
  const app = appOf((stack) => new Queue(stack, 'Work'));
  const cloud = await startLocalCloud({ app });
  const client = new SQSClient(clientOptions(cloud));
  const { QueueUrls: [QueueUrl] = [] } = await client.send(new ListQueuesCommand({}));
  const bodies = async (...entries: readonly { MessageBody: string; MessageGroupId: string }[]) => {
    const Entries = entries.map((entry, i) => ({ Id: `${i}`, ...entry }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    return Messages.map(({ Body }) => Body);
  };
  const ten = Array.from({ length: 10 }, () => ({ MessageBody: 'noisy', MessageGroupId: 'noisy' }));
  for (let i = 0; i < 3; i++) await bodies(...ten);
  const last = await bodies(
    { MessageBody: 'noisy', MessageGroupId: 'noisy' },
    { MessageBody: 'quiet', MessageGroupId: 'quiet' },
  );
  expect(last).toEqual(['quiet', 'noisy']);
  await cloud.close();
});

test('a batch to a standard queue names groups, which receivers see', async () => {
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
    ['b', 'tenant-1'],
    ['c', undefined],
  ]);
  await endpoint.close();
});
