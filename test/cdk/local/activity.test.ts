import { describe, expect, it } from 'vitest';
import { Activity } from '../../../cdk/local/activity.ts';
import { turn } from '../../support/runner/machine-time.ts';

/** Returns whether it has settled by now. */
function watch(activity: Activity) {
  const seen = { isSettled: false };
  void activity.settled().then(() => (seen.isSettled = true));
  return seen;
}

async function turns(count: number) {
  for (let n = 0; n < count; n += 1) await turn();
}

describe('what is under way', () => {
  it('has settled when nothing has begun', async () => {
    await new Activity().settled();
  });

  it('has not settled before everything that began has ended', async () => {
    const activity = new Activity();
    activity.begin('a');
    activity.begin('a');
    activity.begin('b');
    const seen = watch(activity);
    for (const what of ['a', 'b', 'a']) {
      await turns(5);
      expect(seen.isSettled).toBe(false);
      activity.end(what);
    }
    await turns(5);
    expect(seen.isSettled).toBe(true);
  });

  it('has not settled between the end of one thing and the beginning of the next that follows from it', async () => {
    const activity = new Activity();
    const gate = Promise.withResolvers<void>();
    const first = activity.during('first', async () => undefined);
    const seen = watch(activity);
    await first;
    // What follows begins a turn later, as an answer does that has to be read first.
    await turn();
    const second = activity.during('second', () => gate.promise);
    await turns(5);
    expect(seen.isSettled).toBe(false);
    gate.resolve();
    await second;
    await turns(5);
    expect(seen.isSettled).toBe(true);
  });

  it('does not count work that waits for a caller or the clock', async () => {
    const activity = new Activity();
    const [arrival, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const polling = activity.during('poll', async () => {
      await activity.except('poll', () => arrival.promise);
      await end.promise;
    });
    await activity.settled();
    arrival.resolve();
    await turn();
    expect([...activity.underWay]).toEqual([['poll', 1]]);
    end.resolve();
    await polling;
    await activity.settled();
  });

  it('ends when work fails', async () => {
    const activity = new Activity();
    await expect(activity.during('work', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(
      activity.during('work', () => activity.except('work', () => Promise.reject(new Error('no')))),
    ).rejects.toThrow('no');
    await activity.settled();
  });

  it('refuses an end without a beginning', () => {
    expect(() => new Activity().end('a')).toThrow('More of "a" ended than began.');
  });
});
