import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fleet } from '../../../../cdk/local/lambda/fleet.ts';
import type { FunctionInstance } from '../../../../cdk/local/lambda/function-instance.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A copy that is loaded at once. */
function thread(arn: string): FunctionInstance {
  const copy = { definition: { arn }, pool: arn, ready: Promise.resolve(), alive: true, terminate: async () => {} };
  return copy as unknown as FunctionInstance;
}

const fleetOf = (options: Partial<ConstructorParameters<typeof Fleet>[0]> = {}) =>
  new Fleet({ threads: 10, starting: 10, idleSeconds: 60, spareSeconds: 15, ...options });

/** A copy at once, whether others are at work or not. */
const acquire = (fleet: Fleet, arn: string) => fleet.acquire({ pool: arn, start: () => thread(arn), isUrgent: true });

describe('an event that finds all copies of its function at work', () => {
  const acquirePatiently = (fleet: Fleet) => fleet.acquire({ pool: 'a', start: () => thread('a') });

  it('takes the first that is free within a tenth of a second', async () => {
    const fleet = fleetOf();
    const [first, other] = [await acquirePatiently(fleet), acquirePatiently(fleet)];
    vi.advanceTimersByTime(99);
    fleet.release(first);
    expect(await other).toBe(first);
    vi.advanceTimersByTime(1);
    expect(fleet.size).toBe(1);
  });

  it('has a new copy after that, and at once if it must run beside them', async () => {
    const fleet = fleetOf();
    const [first, patient] = [await acquirePatiently(fleet), acquirePatiently(fleet)];
    expect(fleet.size).toBe(1);
    vi.advanceTimersByTime(100);
    expect(fleet.size).toBe(2);
    expect(await patient).not.toBe(first);
    expect(new Set([first, await patient, await acquire(fleet, 'a')]).size).toBe(3);
  });

  it('waits while a copy loads, and a tenth of a second more: a new one takes what has come meanwhile', async () => {
    const fleet = fleetOf();
    const loading = Promise.withResolvers<void>();
    const slow = Object.assign(thread('a'), { ready: loading.promise });
    const events = [1, 2, 3].map(() => fleet.acquire({ pool: 'a', start: () => slow }));
    vi.advanceTimersByTime(1_000);
    expect(fleet.size).toBe(1);
    loading.resolve();
    for (const event of events) {
      expect(await event).toBe(slow);
      vi.advanceTimersByTime(33);
      fleet.release(slow);
    }
    expect(fleet.size).toBe(1);
  });

  it('has company of one new copy at a time', async () => {
    const fleet = fleetOf();
    const events = [1, 2, 3, 4].map(() => acquirePatiently(fleet));
    for (const [others, event] of events.entries()) {
      await event;
      expect(fleet.size).toBe(others + 1);
      vi.advanceTimersByTime(100);
    }
  });

  it('has a new copy at once when the last of the others has died', async () => {
    const fleet = fleetOf();
    const [first, other] = [await acquirePatiently(fleet), acquirePatiently(fleet)];
    Object.assign(first, { alive: false });
    fleet.release(first);
    expect(await other).not.toBe(first);
  });
});

describe('copies of a function that nobody calls', () => {
  it('end soon, except the last one, which stays warm for longer', async () => {
    const fleet = fleetOf();
    const copies = await Promise.all([acquire(fleet, 'a'), acquire(fleet, 'a'), acquire(fleet, 'a')]);
    for (const copy of copies) fleet.release(copy);
    expect(fleet.size).toBe(3);
    vi.advanceTimersByTime(15_000);
    expect(fleet.size).toBe(1);
    vi.advanceTimersByTime(44_999);
    expect(fleet.size).toBe(1);
    vi.advanceTimersByTime(1);
    expect(fleet.size).toBe(0);
  });

  it('of another function are no spare copies', async () => {
    const fleet = fleetOf();
    for (const copy of await Promise.all([acquire(fleet, 'a'), acquire(fleet, 'b')])) fleet.release(copy);
    vi.advanceTimersByTime(59_999);
    expect(fleet.size).toBe(2);
  });

  it('begin their time anew with every event', async () => {
    const fleet = fleetOf();
    const first = await acquire(fleet, 'a');
    fleet.release(first);
    vi.advanceTimersByTime(59_000);
    const again = await acquire(fleet, 'a');
    expect(again).toBe(first);
    vi.advanceTimersByTime(600_000);
    expect(fleet.size).toBe(1);
    fleet.release(again);
    vi.advanceTimersByTime(59_999);
    expect(fleet.size).toBe(1);
    vi.advanceTimersByTime(1);
    expect(fleet.size).toBe(0);
  });

  it('are used before a new one starts', async () => {
    const fleet = fleetOf();
    const [one, two] = await Promise.all([acquire(fleet, 'a'), acquire(fleet, 'a')]);
    fleet.release(one);
    fleet.release(two);
    expect(new Set(await Promise.all([acquire(fleet, 'a'), acquire(fleet, 'a')]))).toEqual(new Set([one, two]));
  });
});

describe('a full fleet', () => {
  it('ends the copy that has been idle longest, of whichever function', async () => {
    const fleet = fleetOf({ threads: 3 });
    const copies = await Promise.all(['a', 'b', 'c'].map((arn) => acquire(fleet, arn)));
    for (const copy of copies) fleet.release(copy);
    // The oldest function is used again, and so rests as the last.
    fleet.release(await acquire(fleet, 'a'));
    fleet.release(await acquire(fleet, 'd'));
    expect(fleet.size).toBe(3);
    const [a, c] = [await acquire(fleet, 'a'), await acquire(fleet, 'c')];
    expect([a, c]).toEqual([copies[0], copies[2]]);
    expect(await acquire(fleet, 'b')).not.toBe(copies[1]);
  });
});
