import { isIPv6 } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptCounts,
  minutesToWait,
  networkOf,
  takeAttempt,
  WINDOW_MILLIS,
} from '../../../functions/console/sign-in/attempt-limit.ts';

function memoryCounts(): AttemptCounts {
  const counts = new Map<string, number>();
  const keyOf = ({ subject, window }: { subject: string; window: number }) => `${window} ${subject}`;
  return {
    take: async (counted, most) => {
      const count = counts.get(keyOf(counted)) ?? 0;
      if (count < most) counts.set(keyOf(counted), count + 1);
      return count < most;
    },
    giveBack: async (counted) => void counts.set(keyOf(counted), (counts.get(keyOf(counted)) ?? 1) - 1),
  };
}

const attempt = (counts: AttemptCounts, name: string, address = '203.0.113.9', now = 0) =>
  takeAttempt(counts, { name, address }, now);

describe('attempts to sign in', () => {
  it('are ten for a name in a quarter of an hour, however it is written and wherever they come from', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < 10; n += 1)
      expect(await attempt(counts, n % 2 ? 'Dana' : 'dana', `203.0.113.${n}`)).toBeDefined();
    expect(await attempt(counts, 'DANA', '198.51.100.1')).toBeUndefined();
    expect(await attempt(counts, 'other', '198.51.100.1')).toBeDefined();
    expect(await attempt(counts, 'dana', '198.51.100.1', WINDOW_MILLIS)).toBeDefined();
  });

  it('are fifty from an address, whatever the names are', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < 50; n += 1) expect(await attempt(counts, `name-${n}`)).toBeDefined();
    expect(await attempt(counts, 'one-more')).toBeUndefined();
    expect(await attempt(counts, 'one-more', '203.0.113.10')).toBeDefined();
  });

  it('count failures only', async () => {
    const counts = memoryCounts();
    for (let n = 0; n < 200; n += 1) await (await attempt(counts, 'dana'))?.giveBack();
    expect(await attempt(counts, 'dana')).toBeDefined();
  });

  it('say how long to wait', () => {
    expect(minutesToWait(0)).toBe(15);
    expect(minutesToWait(WINDOW_MILLIS - 1)).toBe(1);
    expect(minutesToWait(WINDOW_MILLIS - 60_001)).toBe(2);
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::ffff:203.0.113.9', '::ffff:203.0.113.9'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is one for all addresses of a /64, and another for each other /64', () => {
    const group = fc.nat(0xffff);
    fc.assert(
      fc.property(fc.tuple(group, group, group, group), fc.tuple(group, group, group, group), (head, tail) => {
        const address = [...head, ...tail].map((part) => part.toString(16)).join(':');
        expect(isIPv6(address)).toBe(true);
        expect(networkOf(address)).toBe(`${head.map((part) => part.toString(16)).join(':')}::/64`);
      }),
    );
  });
});
