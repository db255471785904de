import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DeviceKeys,
  deviceIn,
  newDeviceCookie,
  PERIOD_MILLIS,
} from '../../../functions/console/sign-in/device-cookie.ts';

function memoryKeys(): DeviceKeys & { asked: number[] } {
  const keys = new Map<number, Uint8Array>();
  const asked: number[] = [];
  return {
    asked,
    async of(period) {
      asked.push(period);
      const key = keys.get(period) ?? randomBytes(32);
      keys.set(period, key);
      return key;
    },
  };
}

const keys = memoryKeys();
const rules = { isSecure: true };
const NOW = 100 * PERIOD_MILLIS;
const pairOf = (cookie: string) => cookie.split(';')[0] ?? '';
const cookieFor = async (name: string, now = NOW) => pairOf(await newDeviceCookie(name, { rules, keys, now }));
const device = (cookies: string[], name = 'dana', now = NOW) => deviceIn(cookies, { name, rules, keys, now });

describe('the cookie of a browser that a name was signed in with', () => {
  it('is recognised for that name, however it is written, and is another one at every sign-in', async () => {
    const [first, second] = [await cookieFor('dana'), await cookieFor('dana')];
    expect(await device(['other=1', first], 'Dana')).toMatch(/^[\w-]{22}$/);
    expect(await device([second])).not.toBe(await device([first]));
  });

  it('goes to no script and to no other site, and says nothing about the name', async () => {
    const cookie = await newDeviceCookie('dana', { rules, keys, now: NOW });
    expect(cookie).toMatch(
      /^__Host-console-device-[\w-]{12}=\d+\.[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(cookie).not.toContain('dana');
    const plain = await newDeviceCookie('dana', { rules: { isSecure: false }, keys, now: NOW });
    expect(plain).toMatch(/^console-device-.*SameSite=Strict$/);
  });

  it('is good for 90 days at least and for 180 at most', async () => {
    const cookie = await cookieFor('dana');
    expect(await device([cookie], 'dana', NOW + PERIOD_MILLIS)).toBeDefined();
    expect(await device([cookie], 'dana', NOW + 2 * PERIOD_MILLIS - 1)).toBeDefined();
    expect(await device([cookie], 'dana', NOW + 2 * PERIOD_MILLIS)).toBeUndefined();
    expect(await device([cookie], 'dana', NOW - 1)).toBeUndefined();
  });

  it('is none of another name, even under that name’s own', async () => {
    const [own, other] = [await cookieFor('dana'), await cookieFor('mallory')];
    const planted = `${own.split('=')[0]}=${other.split('=')[1]}`;
    expect(await device([planted])).toBeUndefined();
    expect(await device([other])).toBeUndefined();
  });

  it('is none if it was made up or changed, and a made-up period makes the console look up nothing', async () => {
    const cookie = await cookieFor('dana');
    const [name = '', value = ''] = cookie.split('=');
    await fc.assert(
      fc.asyncProperty(fc.nat(value.length - 1), fc.constantFrom('A', 'b', '7', '.', '_'), async (at, letter) => {
        const changed = value.slice(0, at) + letter + value.slice(at + 1);
        if (changed !== value) expect(await device([`${name}=${changed}`]), changed).toBeUndefined();
      }),
    );
    keys.asked.length = 0;
    const [, nonce, proof] = value.split('.');
    for (const period of [0, 98, 101, 999_999]) await device([`${name}=${period}.${nonce}.${proof}`]);
    for (const text of ['', '..', 'x'.repeat(5_000)]) expect(await device([`${name}=${text}`])).toBeUndefined();
    expect(keys.asked).toEqual([]);
  });
});
