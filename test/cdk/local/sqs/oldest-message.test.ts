import { expect, it } from 'vitest';
import { OneQueue } from './one-queue.ts';

const SECOND = 1_000;

/** One message that is received as often, a second later each time, and never deleted. Returns the age that is measured. */
function ageAfter(receives: number, { fifo = false } = {}): number {
  const one = new OneQueue({ fifo });
  one.send('poison', fifo ? 'group' : undefined);
  for (let receive = 0; receive < receives; receive += 1) {
    expect(one.receive(1, 1)).toHaveLength(1);
    one.now += 2 * SECOND;
  }
  one.now += 60 * SECOND;
  return one.messages.oldestMillis(one.queue, one.now) / SECOND;
}

it('the age of the oldest message leaves out one that was received three times, as SQS does', () => {
  expect([0, 1, 2, 3, 4].map((receives) => ageAfter(receives))).toEqual([60, 62, 64, 0, 0]);
});

it('the age of the oldest message of a FIFO queue counts every message, because none is moved behind others', () => {
  expect(ageAfter(4, { fifo: true })).toBe(68);
});
