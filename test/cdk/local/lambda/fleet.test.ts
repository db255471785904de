import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fleet } from '../../../../cdk/local/lambda/fleet.ts';
import type { FunctionThread } from '../../../../cdk/local/lambda/function-thread.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A copy that is loaded at once. */
function thread(arn: string): FunctionThread {
  const copy = { definition: { arn }, ready: Promise.resolve(), alive: true, terminate: () => Promise.resolve() };
  return copy as unknown as FunctionThread;
}

const fleetOf = (options: Partial<ConstructorParameters<typeof Fleet>[0]> = {}) =>
  new Fleet({ threads: 10, starting: 10, idleSeconds: 60, spareSeconds: 15, ...options });

const acquire = (fleet: Fleet, arn: string) => fleet.acquire(arn, () => thread(arn));

describe('copies of a function that nobody calls', () => {
  it('end soon but for the last, which stays warm for longer', async () => {
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
  it('ends the copy that has rested longest, whichever function called first', async () => {
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
