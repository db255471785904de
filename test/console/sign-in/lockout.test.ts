import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptCounts,
  type FailureSeries,
  LOCKOUT_MILLIS,
  lockedUntil,
  MAX_FAILURES_PER_BROWSER,
  MAX_FAILURES_PER_NAME,
  minutesUntil,
  networkOf,
  ownerOf,
  type SignInAttempt,
  takeAttempt,
  withFailure,
} from '../../../functions/console/sign-in/lockout.ts';
import { presentLockout } from '../../../functions/console/sign-in/present-lockout.ts';

function memoryCounts(): AttemptCounts {
  const stored = new Map<string, FailureSeries>();
  const keyOf = ({ owner, part }: { owner: string; part: string }) => `${owner} ${part}`;
  const isSame = (a: FailureSeries | undefined, b: FailureSeries | undefined) =>
    a?.failures === b?.failures && a?.lastAt === b?.lastAt;
  return {
    read: async (counted) => counted.map((one) => stored.get(keyOf(one))),
    async replace(changes) {
      if (!changes.every(({ key, from }) => isSame(stored.get(keyOf(key)), from))) return false;
      for (const { key, to } of changes) stored.set(keyOf(key), to);
      return true;
    },
  };
}

const HOME: SignInAttempt = { name: 'dana', address: '203.0.113.9' };
const kindOf = async (counts: AttemptCounts, change: Partial<SignInAttempt> = {}, now = 0) =>
  (await takeAttempt(counts, { ...HOME, ...change }, now)).kind;
/** Addresses of as many networks as are asked for. */
const elsewhere = (n: number) => `198.51.${n}.7`;

describe('wrong passwords', () => {
  it('close the pair of name and network, however the name is written, and nothing else', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < MAX_FAILURES_PER_BROWSER; n += 1) {
      expect(await kindOf(counts, { name: n % 2 ? 'Dana' : 'dana', address: `203.0.113.${n}` })).toBe('taken');
    }
    expect(await takeAttempt(counts, { ...HOME, name: 'DANA' }, 0)).toMatchObject({
      kind: 'locked-out',
      reason: 'browser',
    });
    expect(await kindOf(counts, { address: '198.51.100.1' })).toBe('taken');
    expect(await kindOf(counts, { name: 'other' })).toBe('taken');
  });

  it('from everywhere close the name to browsers that it was never signed in with, and not to those that it was', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < MAX_FAILURES_PER_NAME; n += 1)
      expect(await kindOf(counts, { address: elsewhere(n) })).toBe('taken');
    expect(await takeAttempt(counts, HOME, 0)).toMatchObject({
      kind: 'locked-out',
      reason: 'name',
      until: LOCKOUT_MILLIS,
    });
    expect(await kindOf(counts, { name: 'other' })).toBe('taken');
    expect(await kindOf(counts, { device: 'own-browser' })).toBe('taken');
  });

  it('in a browser that the name was signed in with close that browser alone', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < MAX_FAILURES_PER_BROWSER; n += 1)
      expect(await kindOf(counts, { device: 'stolen' })).toBe('taken');
    expect(await kindOf(counts, { device: 'stolen' })).toBe('locked-out');
    expect(await kindOf(counts, { device: 'another' })).toBe('taken');
    expect(await kindOf(counts)).toBe('taken');
  });

  it('of many names close the network to browsers that no name was signed in with', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < 100; n += 1) expect(await kindOf(counts, { name: `name-${n}` })).toBe('taken');
    expect(await takeAttempt(counts, { ...HOME, name: 'one-more' }, 0)).toMatchObject({ reason: 'network' });
    expect(await kindOf(counts, { name: 'one-more', address: '198.51.100.1' })).toBe('taken');
    expect(await kindOf(counts, { device: 'own-browser' })).toBe('taken');
  });

  it('are forgotten after a pause, which attempts that are refused do not prolong', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < MAX_FAILURES_PER_BROWSER; n += 1) await kindOf(counts, {}, 0);
    for (let now = 0; now < LOCKOUT_MILLIS; now += 60_000) expect(await kindOf(counts, {}, now)).toBe('locked-out');
    expect(await kindOf(counts, {}, LOCKOUT_MILLIS)).toBe('taken');
  });

  it('are counted alone: a right one is given back', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < 200; n += 1) {
      const attempt = await takeAttempt(counts, HOME, n);
      if (attempt.kind !== 'taken') throw new Error(`closed at attempt ${n}`);
      await attempt.giveBack();
    }
  });

  it('close rather than open where others are faster every time', async () => {
    const counts = { ...memoryCounts(), replace: async () => false };
    expect(await kindOf(counts)).toBe('locked-out');
  });
});

describe('the limiter', () => {
  const attempt = fc.record({
    network: fc.nat(5),
    device: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
    isRight: fc.boolean(),
    waits: fc.constantFrom(0, 1_000, 60_000, LOCKOUT_MILLIS / 2, LOCKOUT_MILLIS),
  });

  it('lets no more wrong passwords through between two pauses than it says, in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 80 }), async (all) => {
        const counts = memoryCounts();
        const strangers: number[] = [];
        const byDevice = new Map<string, number[]>();
        let now = 0;
        for (const { network, device, isRight, waits } of all) {
          now += waits;
          const taken = await takeAttempt(counts, { name: 'dana', address: elsewhere(network), device }, now);
          if (taken.kind === 'locked-out') {
            expect(taken.until).toBeGreaterThan(now);
            continue;
          }
          if (isRight) await taken.giveBack();
          else if (device === undefined) strangers.push(now);
          else byDevice.set(device, [...(byDevice.get(device) ?? []), now]);
        }
        expect(longestSeries(strangers)).toBeLessThanOrEqual(MAX_FAILURES_PER_NAME);
        for (const times of byDevice.values())
          expect(longestSeries(times)).toBeLessThanOrEqual(MAX_FAILURES_PER_BROWSER);
      }),
    );
  });

  it('never closes a browser because of what others do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { maxLength: 60 }), async (all) => {
        const counts = memoryCounts();
        let now = 0;
        for (const { network, device, waits } of all) {
          now += waits;
          await takeAttempt(counts, { name: 'dana', address: elsewhere(network), device }, now);
          const own = await takeAttempt(counts, { ...HOME, device: 'own-browser' }, now);
          if (own.kind !== 'taken') throw new Error('locked-out');
          await own.giveBack();
        }
      }),
    );
  });

  it('goes on as if no time had passed where a clock is behind', () => {
    const series = withFailure(withFailure(undefined, 5_000), 1_000);
    expect(series).toEqual({ failures: 2, lastAt: 5_000 });
    expect(lockedUntil(series, 2, 1_000)).toBe(5_000 + LOCKOUT_MILLIS);
  });

  it('says how long to wait', () => {
    expect(minutesUntil(LOCKOUT_MILLIS, 0)).toBe(16);
    expect(minutesUntil(1, 0)).toBe(1);
    expect(minutesUntil(60_001, 0)).toBe(2);
  });
});

/** The maximum number of failures of one series: those between which there was no pause. */
function longestSeries(times: readonly number[]): number {
  let [longest, length] = [0, 0];
  for (const [index, time] of times.entries()) {
    const last = times[index - 1];
    length = last === undefined || time - last >= LOCKOUT_MILLIS ? 1 : length + 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

describe('what operators see of a name', () => {
  it('is what is closed at the moment', () => {
    const series = (failures: number, lastAt = 0) => ({ failures, lastAt });
    const parts = [
      { kind: 'NAME', series: series(MAX_FAILURES_PER_NAME) },
      { kind: 'PAIR', series: series(MAX_FAILURES_PER_BROWSER) },
      { kind: 'PAIR', series: series(MAX_FAILURES_PER_BROWSER - 1) },
      { kind: 'DEVICE', series: series(MAX_FAILURES_PER_BROWSER) },
    ];
    expect(presentLockout('dana', parts, 1)).toEqual({
      name: 'dana',
      newBrowsersClosedUntil: new Date(LOCKOUT_MILLIS).toISOString(),
      closedNetworks: 1,
      closedBrowsers: 1,
    });
    const open = { name: 'dana', newBrowsersClosedUntil: null, closedNetworks: 0, closedBrowsers: 0 };
    expect(presentLockout('dana', parts, LOCKOUT_MILLIS)).toEqual(open);
    expect(presentLockout('dana', [], 0)).toEqual(open);
    expect(ownerOf('Dana')).toBe(ownerOf('dana'));
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:0db8:0001:0002::', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['::ffff:203.0.113.9', '203.0.113.0/24'],
    ['no address', 'no address'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is one for all addresses of a /48, and another for each other /48', () => {
    const group = fc.nat(0xffff);
    const five = fc.tuple(group, group, group, group, group);
    fc.assert(
      fc.property(fc.tuple(group, group, group), five, (head, tail) => {
        const address = [...head, ...tail].map((part) => part.toString(16)).join(':');
        expect(isIPv6(address)).toBe(true);
        expect(networkOf(address)).toBe(`${head.map((part) => part.toString(16)).join(':')}::/48`);
      }),
    );
  });
});
