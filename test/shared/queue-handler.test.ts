import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { queueHandler } from '../../shared/queue/queue-handler.ts';

const event = (...bodies: unknown[]) =>
  ({
    Records: bodies.map((body, n) => ({
      messageId: `message-${n + 1}`,
      body: JSON.stringify(body),
      receiptHandle: `handle-${n + 1}`,
      attributes: { ApproximateReceiveCount: '1' },
    })),
  }) as unknown as SQSEvent;
const context = { getRemainingTimeInMillis: () => 1_000 } as Context;

async function failedOf(handler: ReturnType<typeof queueHandler>, ...bodies: unknown[]) {
  const { batchItemFailures } = await handler(event(...bodies), context);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted();
}

describe.each([{ isConcurrent: false }, { isConcurrent: true }])('a batch of messages, %o', (options) => {
  it('gives back those that fail or cannot be read, and no others', async () => {
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
  });
});

it('is worked on in order, or all at the same time where that is wanted', async () => {
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
