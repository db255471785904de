import type { Context, SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { queueHandler } from '../../shared/queue/queue-handler.ts';
import { log } from '../../shared/telemetry/log.ts';
import { loggedLines } from '../support/runner/logged-lines.ts';

const event = (...bodies: unknown[]) => receivedAgain('1', ...bodies);
const receivedAgain = (receives: string, ...bodies: unknown[]) =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `message-${n + 1}`,
      body: JSON.stringify(body),
      receiptHandle: `handle-${n + 1}`,
      attributes: { ApproximateReceiveCount: receives },
    })),
  }) as unknown as SQSEvent;
const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 1_000 } as Context;
const lines = loggedLines();
afterEach(() => void lines());

async function failedOf(handler: ReturnType<typeof queueHandler>, ...bodies: unknown[]) {
  const { batchItemFailures } = await handler(event(...bodies), context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted();
}

describe.each([{ isConcurrent: false }, { isConcurrent: true }])('a batch of messages, %o', (options) => {
  it('returns those that fail or cannot be read, and no others', async () => {
    const done: number[] = [];
    const handler = queueHandler(
      z.number(),
      async ({ message }) => {
        if (message === 2) throw new Error('It failed.');
        done.push(message);
      },
      options,
    );
    expect(await failedOf(handler, 1, 2, 'three', 4)).toEqual(['message-2', 'message-3']);
    expect(done).toEqual([1, 4]);
    const logged = lines();
    expect(logged.filter(({ level }) => level === 'ERROR')).toMatchObject([
      { message: 'message failed', receives: 1, function_request_id: 'invocation-1' },
      { message: 'message failed', receives: 1, function_request_id: 'invocation-1' },
    ]);
    expect(logged.at(-1)).toMatchObject({ Faults: 2 });
  });

  it('that all fail is returned whole, whatever is thrown', async () => {
    const thrown = [new Error('It failed.'), 'just text', undefined];
    const handler = queueHandler(z.number(), ({ message }) => Promise.reject(thrown[message]), options);
    expect(await failedOf(handler, 0, 1, 2)).toEqual(['message-1', 'message-2', 'message-3']);
    expect(lines().at(-1)).toMatchObject({ Faults: 3 });
  });

  it('without failures counts none', async () => {
    expect(
      await failedOf(
        queueHandler(z.number(), async () => undefined, options),
        1,
        2,
      ),
    ).toEqual([]);
    expect(lines()).toEqual([]);
  });

  it('is logged on lines that name the message, with the fields of that message and of no other', async () => {
    const bothBegun = Promise.withResolvers<void>();
    const handler = queueHandler(
      z.string(),
      async ({ message }) => {
        if (message === 'second') bothBegun.resolve();
        if (options.isConcurrent) await bothBegun.promise;
        log.info('worked', { asked: message });
        throw new Error(message);
      },
      { ...options, logged: (run) => ({ run }) },
    );
    await failedOf(handler, 'first', 'second');
    const logged = lines().filter(({ message }) => message !== 'counted');
    expect(logged).toHaveLength(4);
    for (const { message, run, messageId, asked, error } of logged) {
      expect([message, messageId, asked ?? error.message]).toEqual([
        message,
        run === 'first' ? 'message-1' : 'message-2',
        run,
      ]);
    }
    expect(new Set(logged.map(({ run }) => run))).toEqual(new Set(['first', 'second']));
  });
});

it('that is received again counts as a fault before it is worked on, because this receive may end like the one before', async () => {
  const before: Record<string, unknown>[] = [];
  const handler = queueHandler(z.number(), async () => void before.push(...lines()));
  expect(await handler(receivedAgain('2', 1), context)).toEqual({ batchItemFailures: [] });
  expect(before).toMatchObject([{ message: 'message received again', messageId: 'message-1', Faults: 1 }]);
  expect(lines()).toEqual([]);
});

it('is worked on in order, or all at the same time if requested', async () => {
  const orderWith = async (isConcurrent: boolean) => {
    const order: string[] = [];
    const ended = Promise.withResolvers<void>();
    const handler = queueHandler(
      z.string(),
      async ({ message }) => {
        order.push(`${message} begins`);
        // The first waits for the second, if that can come.
        if (message === 'first' && isConcurrent) await ended.promise;
        ended.resolve();
        order.push(`${message} ends`);
      },
      { isConcurrent },
    );
    await failedOf(handler, 'first', 'second');
    return order;
  };
  expect(await orderWith(false)).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(await orderWith(true)).toEqual(['first begins', 'second begins', 'second ends', 'first ends']);
});
